#pragma once

#include "core/pack.hpp"
#include "transport/ray/lane_rays.hpp"

namespace ermine {

/// Rays under way on one level, each of which has its own number of steps left there.
struct LaneStack : LaneRayStates {
  int left[room];  ///< steps on this level
  int count = 0;
};

/// Some of them in registers, with all that belongs to them.
template <class Pack>
struct StackedPack : LanePack<Pack> {
  using Int = typename Pack::Int;

  static constexpr unsigned all = (1ull << Pack::width) - 1;

  Int lane;
  Int draws;
  Int left;
  unsigned in_use;  ///< bits of those that are rays

  /// Some of a stack, fewer than a pack holds or just as many. What else is in the pack is
  /// harmless, and has no steps left.
  ERMINE_PACK static StackedPack load(const LaneStack& stack, int first, int count) {
    StackedPack pack;
    static_cast<LanePack<Pack>&>(pack) = LanePack<Pack>::load(stack, first);
    pack.lane = Int::load(stack.lane + first);
    pack.draws = Int::load(stack.draws + first);
    pack.left = Int::load(stack.left + first);
    pack.in_use = all;
    if (count < Pack::width) {
      const auto used = Int(count) > Pack::counting();
      pack.keep(used, stack, first);
      pack.left = Pack::where(used, pack.left);
      pack.in_use = (1u << count) - 1;
    }
    return pack;
  }

  ERMINE_PACK void push(LaneStack& stack, unsigned chosen) const {
    if (chosen == all) {
      push(stack, AsTheyAre{});
    } else {
      push(stack, typename Pack::Compress(chosen));
    }
    stack.count += __builtin_popcount(chosen);
  }

 private:
  template <class Arrange>
  ERMINE_PACK void push(LaneStack& stack, const Arrange& arrange) const {
    this->store(stack, stack.count, arrange);
    arrange(lane).store(stack.lane + stack.count);
    arrange(draws).store(stack.draws + stack.count);
    arrange(left).store(stack.left + stack.count);
  }
};

/// Takes all rays from a stack, in their order, as many at a time as a pack holds. `visit` may put
/// back as many as it has been given: they come to the front, where nobody reads any more. It also
/// gets the number of the first of them in the stack. The last few, if they do not fill a pack,
/// stay; they are visited only if they are all that there is and `few` may be.
template <class Pack, class Visit>
ERMINE_PACK void visit_packs(LaneStack& stack, bool few, const Visit& visit) {
  using Rays = StackedPack<Pack>;
  const int count = stack.count;
  stack.count = 0;
  for (int first = 0; first < count; first += Pack::width) {
    const int some = count - first < Pack::width ? count - first : Pack::width;
    Rays rays = Rays::load(stack, first, some);
    if (some == Pack::width || (few && first == 0)) {
      visit(rays, first);
    } else {
      rays.push(stack, Rays::all);
      stack.count += some - Pack::width;
    }
  }
}

}  // namespace ermine
