#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace ermine {

/// Numbers of the keys in increasing order, equal ones as they come. Keys move along with their
/// numbers, which is several times as fast as to look them up in each comparison.
template <class Index, class Keys>
std::vector<Index> sorted_order(const Keys& keys) {
  using Key = typename Keys::value_type;
  std::vector<std::pair<Key, Index>> entries;
  entries.reserve(keys.size());
  for (const Key& key : keys) entries.emplace_back(key, static_cast<Index>(entries.size()));
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Index> order;
  order.reserve(keys.size());
  for (const auto& entry : entries) order.push_back(entry.second);
  return order;
}

}  // namespace ermine
