#pragma once

#include <ermine/tracer.hpp>

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <typeinfo>

namespace ermine {

/// What a tracer has made for a solution and may need again in the next: values that depend on
/// their key and the tracer's problem, on nothing else, so that solutions have the same bits with
/// and without it. Any thread may ask at any time.
class SceneCache {
 public:
  /// Values of each type that are kept, those used last. Where the temperature range of a flow
  /// moves to and fro over a bound of its roundings (scene_range()), so do its scenes.
  static constexpr std::size_t most_values = 4;
  /// As large as all of them may be; the last one is kept whatever its size.
  static constexpr std::size_t most_bytes = std::size_t{1} << 29;

  /// The value of a key, from make() if it is not there. make() returns a pointer to a value that
  /// has bytes(), or null, which is kept as well. A key is equal to those with which make() returns
  /// the same.
  template <class Value, class Key, class Make>
  std::shared_ptr<const Value> get(const Key& key, const Make& make) {
    const auto same = [&](const void* other) { return *static_cast<const Key*>(other) == key; };
    if (const auto found = find(typeid(Value), same)) {
      return std::static_pointer_cast<const Value>(*found);
    }
    make_room(typeid(Value));
    // Others need not wait for it. Who makes the same meanwhile has the same.
    const std::shared_ptr<const Value> value = make();
    add({&typeid(Value), std::make_shared<const Key>(key), value, value ? value->bytes() : 0},
        same);
    return value;
  }

 private:
  struct Entry {
    const std::type_info* type;
    std::shared_ptr<const void> key;
    std::shared_ptr<const void> value;
    std::size_t bytes;
  };
  using Same = std::function<bool(const void* key)>;

  /// Brings it to the front.
  std::optional<std::shared_ptr<const void>> find(const std::type_info& type, const Same& same);
  /// Gives up what would be too much together with one more as large as the last of its type.
  void make_room(const std::type_info& type);
  void add(Entry entry, const Same& same);
  /// The oldest, for one more of a type.
  void drop(const std::type_info& type, std::size_t bytes);

  std::mutex mutex_;
  std::list<Entry> entries_;  ///< those used last come first
};

/// That of a tracer and its copies.
SceneCache& scene_cache(const Tracer& tracer);

}  // namespace ermine
