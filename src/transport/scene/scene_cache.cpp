#include "transport/scene/scene_cache.hpp"

#include <algorithm>
#include <utility>

namespace ermine {

std::optional<std::shared_ptr<const void>> SceneCache::find(const std::type_info& type,
                                                            const Same& same) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return *entry.type == type && same(entry.key.get());
  });
  if (found == entries_.end()) return std::nullopt;
  entries_.splice(entries_.begin(), entries_, found);
  return found->value;
}

void SceneCache::make_room(const std::type_info& type) {
  const std::lock_guard lock(mutex_);
  const auto last = std::find_if(entries_.begin(), entries_.end(),
                                 [&](const Entry& entry) { return *entry.type == type; });
  if (last != entries_.end()) drop(type, last->bytes);
}

void SceneCache::add(Entry entry, const Same& same) {
  const std::lock_guard lock(mutex_);
  entries_.remove_if(
      [&](const Entry& other) { return *other.type == *entry.type && same(other.key.get()); });
  drop(*entry.type, entry.bytes);
  entries_.push_front(std::move(entry));
}

void SceneCache::drop(const std::type_info& type, std::size_t bytes) {
  std::size_t count = 1;
  entries_.remove_if([&](const Entry& entry) {
    const bool one_more = *entry.type == type;
    if ((one_more && count == most_values) || bytes + entry.bytes > most_bytes) return true;
    count += one_more;
    bytes += entry.bytes;
    return false;
  });
}

}  // namespace ermine
