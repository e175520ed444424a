#pragma once

#include "core/pack.hpp"
#include "transport/ray/lane_rays.hpp"

namespace ermine {

/// Rays under way on one level, each of which has its own number of steps left there. Packs are
/// taken from the end and put back there, so that all but the last ones are full.
struct LaneStack : LaneRayStates {
  int count = 0;
  int left[room];  ///< steps on this level
};

/// Some of them in registers, with all that belongs to them.
template <class Pack>
struct StackedPack : LanePack<Pack> {
  using Int = typename Pack::Int;

  Int lane;
  Int draws;
  Int left;
  unsigned in_use;  ///< bits of those that are rays

  /// Takes the last rays from a stack that has some. What else is in the pack is harmless, and has
  /// no steps left.
  ERMINE_PACK static StackedPack pop(LaneStack& stack) {
    const int count = stack.count < Pack::width ? stack.count : Pack::width;
    const int first = stack.count - count;
    stack.count = first;
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
  static constexpr unsigned all = (1ull << Pack::width) - 1;

  template <class Arrange>
  ERMINE_PACK void push(LaneStack& stack, const Arrange& arrange) const {
    this->store(stack, stack.count, arrange);
    arrange(lane).store(stack.lane + stack.count);
    arrange(draws).store(stack.draws + stack.count);
    arrange(left).store(stack.left + stack.count);
  }
};

}  // namespace ermine
