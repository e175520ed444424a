#pragma once

#include "core/check.hpp"

#include <toml++/toml.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ermine {

/// Where a node was written: "case.toml:12", or the --set that gave it.
std::string location(const toml::node& node, std::string_view fallback);

/// The value of a number. toml++ itself refuses (with an empty optional) to turn integers beyond
/// 2^53 into double.
inline double as_double(const toml::node& node) {
  return node.is_integer() ? static_cast<double>(node.as_integer()->get())
                           : node.as_floating_point()->get();
}

struct NumberRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

struct IntegerRange {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
};

/// A program whose cases have these keys.
struct OtherProgram {
  std::string_view name;
  std::array<std::string_view, 2> keys;
};

/// One table of a case file while it is being read: typed access to its keys, with errors that name
/// the key, the file and the line.
class Section {
 public:
  /// Refuses keys that are not in `known`, suggesting the nearest one, or the program that has
  /// them.
  Section(const toml::table& table, std::string name, std::string file,
          std::initializer_list<std::string_view> known, const OtherProgram& other = {});

  const std::string& name() const { return name_; }
  std::string path_of(std::string_view key) const;  ///< dotted, from the top
  std::string where(std::string_view key) const;    ///< file:line of the key, or of the table
  bool has(std::string_view key) const { return table_.contains(key); }
  bool is_text(std::string_view key) const {
    const toml::node* node = table_.get(key);
    return node && node->is_string();
  }
  /// Throws if missing; `hint` shows how to write it.
  const toml::node& required(std::string_view key, std::string_view hint) const;
  const toml::node* find(std::string_view key) const { return table_.get(key); }

  /// A table below this one; an empty one where the key is missing.
  Section section(std::string_view key, std::initializer_list<std::string_view> known) const;

  /// All tables below the table of this key, whatever they are called, with these keys; what else
  /// there is is refused.
  std::vector<std::pair<std::string, Section>> sections(
      std::string_view key, std::initializer_list<std::string_view> known) const;

  double number(std::string_view key, double fallback, NumberRange range = {}) const;
  std::int64_t integer(std::string_view key, std::int64_t fallback, IntegerRange range = {}) const;
  bool boolean(std::string_view key, bool fallback) const;
  std::string text(std::string_view key, std::string fallback) const;

  /// One of the named values.
  template <class Enum, std::size_t n>
  Enum choice(std::string_view key, Enum fallback,
              const std::array<std::pair<std::string_view, Enum>, n>& values) const {
    if (!has(key)) return fallback;
    const std::string given = text(key, "");
    std::string names;
    for (const auto& [name, value] : values) {
      if (name == given) return value;
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name);
    }
    fail("{}: {} = \"{}\" is not known, give one of {}", where(key), path_of(key), given, names);
  }

  /// Runs `build` and puts file, line and key in front of the errors it throws.
  template <class Build>
  auto located(std::string_view key, Build&& build) const {
    try {
      return build();
    } catch (const Error& error) {
      fail("{}: {}: {}", where(key), path_of(key), error.what());
    }
  }

  [[noreturn]] void wrong_type(std::string_view key, std::string_view wanted) const;

 private:
  const toml::table& table_;
  std::string name_;
  std::string file_;
};

/// The nearest of `candidates` to a misspelt word, or an empty string if none is near.
std::string nearest_word(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace ermine
