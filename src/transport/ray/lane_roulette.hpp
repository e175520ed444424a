#pragma once

#include "core/pack.hpp"
#include "transport/ray/lane_rays.hpp"

namespace ermine {

/// First two words of the next draw of each ray's RayStream, see philox(). `lane`: of
/// LaneRayStates. `numbers`: of the rays that are together, in their keys.
template <class Pack>
ERMINE_PACK void random_words(const LaneScene& scene, const LaneCells& cells, const int* numbers,
                              typename Pack::Int lane, typename Pack::Int draws,
                              typename Pack::Int& word0, typename Pack::Int& word1) {
  using Int = typename Pack::Int;
  static_assert(most_lanes == 32);
  word0 = Pack::gather(cells.origin, lane & Int(31));
  word1 = Pack::lookup(Int::load(numbers), lane.template right<5>());
  Int word2 = draws;
  Int word3(scene.update);
  std::uint32_t key0 = scene.key[0];
  std::uint32_t key1 = scene.key[1];
  for (int round = 0; round < 10; ++round) {
    Int high0, low0, high1, low1;
    Pack::multiply(word0, Int(0xD2511F53u), high0, low0);
    Pack::multiply(word2, Int(0xCD9E8D57u), high1, low1);
    word0 = high1 ^ word1 ^ Int(key0);
    word2 = high0 ^ word3 ^ Int(key1);
    word1 = low1;
    word3 = low0;
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
}

/// As March::ends(), for rays that are faint; returns their transmissivities and counts their
/// draws.
template <class Pack>
typename Pack::Float play_roulette(const LaneScene& scene, const LaneCells& cells,
                                   const int* numbers, typename Pack::Mask faint,
                                   typename Pack::Float transmissivity, typename Pack::Int lane,
                                   typename Pack::Int& draws) {
  using Float = typename Pack::Float;
  typename Pack::Int word0, word1;
  random_words<Pack>(scene, cells, numbers, lane, draws, word0, word1);
  draws = Pack::count(draws, faint);
  const auto goes_on = Pack::below(word0, winning_words);
  return Pack::select(faint, Pack::where(goes_on, transmissivity * Float(10.0f)), transmissivity);
}

}  // namespace ermine
