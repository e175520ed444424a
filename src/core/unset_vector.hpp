#pragma once

#include <memory>
#include <new>
#include <vector>

namespace ermine {

/// Does not set new elements to zero.
template <class T>
struct UnsetAllocator : std::allocator<T> {
  template <class Other>
  struct rebind {
    using other = UnsetAllocator<Other>;
  };

  template <class Element>
  void construct(Element* place) noexcept {
    ::new (static_cast<void*>(place)) Element;
  }
};

/// For arrays that many threads fill: resize() leaves numbers unset, so that memory which is new to
/// the process, and takes longer to get than to fill, is first touched by all of them.
template <class T>
using UnsetVector = std::vector<T, UnsetAllocator<T>>;

}  // namespace ermine
