#pragma once

#include <ermine/error.hpp>

#include "core/unset_vector.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ermine {

using Bytes = UnsetVector<std::byte>;

/// What each of some ranks gave, in their order.
struct Gathered {
  Bytes bytes;
  std::vector<std::size_t> begin;  ///< of each, and one beyond the last
};
/// The same as values.
template <class T>
class GatheredValues {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));

 public:
  explicit GatheredValues(Gathered gathered) : gathered_(std::move(gathered)) {}
  std::size_t size() const { return gathered_.begin.size() - 1; }  ///< ranks
  std::span<const T> operator[](std::size_t rank) const {
    const auto at = [&](std::size_t r) { return gathered_.begin[r] / sizeof(T); };
    const T* all = reinterpret_cast<const T*>(gathered_.bytes.data());
    return {all + at(rank), at(rank + 1) - at(rank)};
  }

 private:
  Gathered gathered_;
};

/// Processes that work together, and what they tell each other. All of them make the same calls in
/// the same order, each from one thread.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual int local_rank() const = 0;        ///< among those of the same machine
  virtual int first_of_machine() const = 0;  ///< the first rank among those
  bool alone() const { return size() == 1; }

  /// Collective, at the beginning of each call of the API that others follow: refuses ranks that
  /// begin other calls. Where ranks are processes, those that do not come are waited for so long
  /// and no longer.
  virtual void enter(const std::string& call);
  /// The same everywhere.
  virtual Gathered gather(std::span<const std::byte> mine) = 0;
  /// to[r] goes to rank r; returns what came from each.
  virtual std::vector<Bytes> exchange(const std::vector<Bytes>& to) = 0;
  /// Collective: the first so many of them; null on the others.
  virtual std::shared_ptr<Ranks> first(int count) = 0;
  /// Fortran handle of the communicator, where they are processes of MPI.
  virtual std::optional<int> mpi_handle() const { return std::nullopt; }
  /// Bytes sent to others so far.
  virtual std::int64_t bytes_sent() const = 0;
};

/// A process by itself.
class OneRank : public Ranks {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  int local_rank() const override { return 0; }
  int first_of_machine() const override { return 0; }
  Gathered gather(std::span<const std::byte> mine) override {
    return {Bytes(mine.begin(), mine.end()), {0, mine.size()}};
  }
  void enter(const std::string&) override {}
  std::vector<Bytes> exchange(const std::vector<Bytes>& to) override { return to; }
  std::shared_ptr<Ranks> first(int) override { return std::make_shared<OneRank>(); }
  std::int64_t bytes_sent() const override { return 0; }
};

template <class T>
Bytes to_bytes(std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto bytes = std::as_bytes(values);
  return {bytes.begin(), bytes.end()};
}

template <class T>
std::vector<T> from_bytes(const Bytes& bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// Values of all ranks.
template <class T>
GatheredValues<T> gather(Ranks& ranks, std::span<const T> mine) {
  return GatheredValues<T>(ranks.gather(std::as_bytes(mine)));
}
template <class T>
std::vector<T> gather_one(Ranks& ranks, const T& mine) {
  const auto all = gather(ranks, std::span<const T>(&mine, 1));
  std::vector<T> values;
  for (std::size_t r = 0; r < all.size(); ++r) values.push_back(all[r].front());
  return values;
}

/// Refuses calls that are not the same, given in the order of ranks.
inline void require_same_call(const GatheredValues<char>& calls) {
  const std::string expected(calls[0].begin(), calls[0].end());
  for (std::size_t r = 1; r < calls.size(); ++r) {
    const std::string call(calls[r].begin(), calls[r].end());
    if (call == expected) continue;
    throw Error("rank " + std::to_string(r) + " calls " + call + " while rank 0 calls " + expected +
                ", make the same calls in the same order on all processes");
  }
}
inline void Ranks::enter(const std::string& call) {
  require_same_call(ermine::gather(*this, std::span<const char>(call)));
}

/// Collective: tells all ranks the values of each. each(rank, visit) visits those of a rank, which
/// has them; the others get them.
template <class T, class Each>
void tell_all(Ranks& ranks, const Each& each) {
  std::vector<T> own;
  each(ranks.rank(), [&](const T& value) { own.push_back(value); });
  const auto all = gather(ranks, std::span<const T>(own));
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const T* next = all[static_cast<std::size_t>(rank)].data();
    if (rank != ranks.rank()) each(rank, [&](T& value) { value = *next++; });
  }
}

/// Number `number` of so many equal parts of a list.
struct IndexRange {
  std::size_t begin;
  std::size_t end;

  std::size_t count() const { return end - begin; }
};
inline IndexRange equal_part(std::size_t count, int number, int parts) {
  const auto at = [&](int n) {
    return count * static_cast<std::size_t>(n) / static_cast<std::size_t>(parts);
  };
  return {at(number), at(number + 1)};
}
inline IndexRange part_of_rank(std::size_t count, const Ranks& ranks) {
  return equal_part(count, ranks.rank(), ranks.size());
}

/// A number that tells different values apart: words of 64 bits, each mixed in by a multiplication.
class Digest {
 public:
  template <class T>
  Digest& add(std::span<const T> values) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
    const auto bytes = std::as_bytes(values);
    mix(bytes.size());
    std::size_t at = 0;
    for (; at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word;
      std::memcpy(&word, bytes.data() + at, sizeof word);
      mix(word);
    }
    std::uint64_t rest = 0;
    if (at < bytes.size()) std::memcpy(&rest, bytes.data() + at, bytes.size() - at);
    mix(rest);
    return *this;
  }
  std::uint64_t value() const { return value_; }

 private:
  void mix(std::uint64_t word) {
    value_ = (value_ ^ word) * 0x9E3779B97F4A7C15u;
    value_ ^= value_ >> 32;
  }

  std::uint64_t value_ = 0xCBF29CE484222325u;
};

/// Does something on every rank that may fail, without talking to others. Where it fails anywhere,
/// all of them throw what the first one to fail said.
template <class Work>
void together(Ranks& ranks, const Work& work) {
  if (ranks.alone()) return work();
  std::string failure;
  try {
    work();
  } catch (const std::exception& error) {
    failure = error.what();
    if (failure.empty()) failure = "unknown failure";
  }
  const auto all = gather(ranks, std::span<const char>(failure.data(), failure.size()));
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r].empty()) continue;
    throw Error(std::string(all[r].begin(), all[r].end()) + " (rank " + std::to_string(r) + " of " +
                std::to_string(all.size()) + ")");
  }
}

}  // namespace ermine
