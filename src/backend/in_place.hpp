#pragma once

#include "backend/kept_copies.hpp"

#include <vector>

namespace ermine {

/// Where the arrays behind a view lie. A storage hands each of its arrays to a `place`, which
/// returns the address the view shall hold: the array itself on the host, a copy of it on a device.
/// Arrays that stay as long as their storage go to kept(copies) of it: devices keep those copies.
struct InPlace {
  InPlace kept(const KeptCopies&) const { return {}; }
  template <class T, class Allocator>
  const T* operator()(const std::vector<T, Allocator>& array) const {
    return array.data();
  }
};

}  // namespace ermine
