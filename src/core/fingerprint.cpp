#include "core/fingerprint.hpp"

#include "core/check.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace ermine {
namespace {

constexpr char end_of_field = '\x1f';
constexpr char end_of_part = '\x1e';

std::string packed(const Fingerprint& fingerprint) {
  std::string text;
  for (const Fingerprint::Part& part : fingerprint.parts()) {
    text += fmt::format("{}{}{}{}{:x}{}", part.name, end_of_field, part.value, end_of_field,
                        part.digest, end_of_part);
  }
  return text;
}

std::vector<Fingerprint::Part> unpacked(std::span<const char> text) {
  std::vector<Fingerprint::Part> parts;
  auto at = text.begin();
  const auto next = [&](char separator) {
    const auto end = std::find(at, text.end(), separator);
    std::string word(at, end);
    at = end == text.end() ? end : end + 1;
    return word;
  };
  while (at != text.end()) {
    Fingerprint::Part part{next(end_of_field), next(end_of_field), 0};
    const std::string digest = next(end_of_part);
    std::from_chars(digest.data(), digest.data() + digest.size(), part.digest, 16);
    parts.push_back(std::move(part));
  }
  return parts;
}

/// "a, b and c"
std::string listed(const std::vector<std::string>& words) {
  if (words.empty()) return "the problem";
  if (words.size() == 1) return words.front();
  return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

/// Parts that are not those of the first, with both values where they are short. Parts that only
/// one of the two has count.
std::vector<std::string> differences(const std::vector<Fingerprint::Part>& first,
                                     const std::vector<Fingerprint::Part>& other) {
  std::vector<std::string> names;
  const auto named = [](const std::vector<Fingerprint::Part>& parts, const std::string& name) {
    return std::find_if(parts.begin(), parts.end(),
                        [&](const Fingerprint::Part& part) { return part.name == name; });
  };
  for (const Fingerprint::Part& part : other) {
    const auto here = named(first, part.name);
    if (here == first.end()) {
      names.push_back(part.name);
    } else if (here->digest != part.digest) {
      const bool short_ones = !here->value.empty() && !part.value.empty();
      names.push_back(short_ones && here->value != part.value
                          ? fmt::format("{} ({}, not {})", part.name, part.value, here->value)
                          : part.name);
    }
  }
  for (const Fingerprint::Part& part : first) {
    if (named(other, part.name) == other.end()) names.push_back(part.name);
  }
  return names;
}

}  // namespace

std::uint64_t Fingerprint::digest() const {
  Digest all;
  for (const Part& part : parts_) {
    all.add(std::span<const char>(part.name)).add(std::span<const std::uint64_t>(&part.digest, 1));
  }
  return all.value();
}

void require_same(Ranks& ranks, const Fingerprint& mine) {
  if (ranks.alone()) return;
  const auto digests = gather_one(ranks, mine.digest());
  std::vector<std::string> others;
  std::size_t first_other = 0;
  for (std::size_t r = 1; r < digests.size(); ++r) {
    if (digests[r] == digests[0]) continue;
    if (others.empty()) first_other = r;
    others.push_back(std::to_string(r));
  }
  if (others.empty()) return;
  const std::string text = packed(mine);
  const auto all = gather(ranks, std::span<const char>(text));
  const auto names = differences(unpacked(all[0]), unpacked(all[first_other]));
  constexpr std::size_t most_ranks = 8;
  if (others.size() > most_ranks) {
    others.resize(most_ranks);
    others.emplace_back("others");
  }
  const bool several = names.size() > 1;
  fail("{} of rank{} {} {} not {} of rank 0, give the same to all processes", listed(names),
       others.size() > 1 ? "s" : "", listed(others), several ? "are" : "is",
       several ? "those" : "that");
}

}  // namespace ermine
