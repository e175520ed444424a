#pragma once

#include "core/ranks.hpp"

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ermine {

/// What all ranks must have been given alike: parts of a problem, each under the name by which
/// users know it, with a digest of its value.
class Fingerprint {
 public:
  struct Part {
    std::string name;
    std::string value;  ///< for messages; empty: too long, or of no use to anybody
    std::uint64_t digest = 0;

    friend bool operator==(const Part&, const Part&) = default;
  };

  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T> Fingerprint& add(std::string name,
                                                                         T value) {
    std::string text;
    if constexpr (std::is_arithmetic_v<T>) text = fmt::format("{}", value);
    return add_part(std::move(name), std::move(text), Digest().add(std::span<const T>(&value, 1)));
  }
  Fingerprint& add(std::string name, std::string_view text) {
    return add_part(std::move(name), text.size() <= 40 ? fmt::format("\"{}\"", text) : "",
                    Digest().add(std::span<const char>(text)));
  }
  template <class T>
  requires std::is_arithmetic_v<T> Fingerprint& add(std::string name, std::span<const T> values) {
    return add_part(std::move(name), values.size() == 1 ? fmt::format("{}", values[0]) : "",
                    Digest().add(values));
  }
  Fingerprint& add(std::string name, const Digest& digest) {
    return add_part(std::move(name), "", digest);
  }
  Fingerprint& add(const Fingerprint& others) {
    parts_.insert(parts_.end(), others.parts_.begin(), others.parts_.end());
    return *this;
  }

  const std::vector<Part>& parts() const { return parts_; }
  std::uint64_t digest() const;

 private:
  Fingerprint& add_part(std::string name, std::string value, const Digest& digest) {
    parts_.push_back({std::move(name), std::move(value), digest.value()});
    return *this;
  }

  std::vector<Part> parts_;
};

/// Collective: refuses what is not the same on all ranks, with a message that names the parts that
/// differ and the ranks that have others than the first. The same message on all ranks.
void require_same(Ranks& ranks, const Fingerprint& mine);

}  // namespace ermine
