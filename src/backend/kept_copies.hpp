#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace ermine {

/// Copies on devices of arrays that neither change nor move as long as their owner, which has this
/// as a member, lives. The owner may be moved, and any thread may ask at any time.
class KeptCopies {
 public:
  /// Holds a copy, at get() on its device. Whoever uses it keeps it until it has been used.
  using Copy = std::shared_ptr<const void>;

  /// The copy of an array on a device, from make() if there is none. Others wait until it is made.
  template <class Make>
  Copy get(int device, const void* array, const Make& make) const {
    const std::lock_guard lock(state_->mutex);
    Copy& copy = state_->copies[{device, array}];
    if (!copy) copy = make();
    return copy;
  }

 private:
  struct State {
    std::mutex mutex;
    std::map<std::pair<int, const void*>, Copy> copies;
  };
  std::unique_ptr<State> state_ = std::make_unique<State>();
};

}  // namespace ermine
