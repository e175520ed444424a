#pragma once

#include "core/macros.hpp"

namespace ermine {

template <class T>
struct Vec3 {
  T data[3];

  ERMINE_FUNCTION constexpr T& operator[](int a) { return data[a]; }
  ERMINE_FUNCTION constexpr const T& operator[](int a) const { return data[a]; }
};

}  // namespace ermine
