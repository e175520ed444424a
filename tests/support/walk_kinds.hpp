#pragma once

#include "geometry/ray_walk.hpp"

#include <gtest/gtest.h>

namespace ermine::test {

/// All walks there are, for typed tests.
template <class R, Spacing s>
struct WalkKind {
  using Real = R;
  static constexpr Spacing spacing = s;
};

using WalkKinds =
    testing::Types<WalkKind<float, Spacing::uniform>, WalkKind<float, Spacing::stretched>,
                   WalkKind<double, Spacing::uniform>, WalkKind<double, Spacing::stretched>>;

}  // namespace ermine::test
