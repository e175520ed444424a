#pragma once

#include "core/pack.hpp"
#include "transport/lane_rays.hpp"

namespace ermine {

/// First words of the draws of RayStream, see philox().
template <class Pack>
ERMINE_PACK typename Pack::Int random_words(const LaneScene& scene, typename Pack::Int origin,
                                            typename Pack::Int ray, typename Pack::Int draw) {
  using Int = typename Pack::Int;
  Int word0 = origin;
  Int word1 = ray;
  Int word2 = draw;
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
  return word0;
}

/// As March::ends(), for those of rays `first` and following that are faint; returns their
/// transmissivities.
template <class Pack>
typename Pack::Float play_roulette(const LaneScene& scene, const LaneCells& cells,
                                   std::uint32_t first_ray, typename Pack::Mask faint,
                                   typename Pack::Float transmissivity, LaneRayStates& rays,
                                   int first) {
  using Float = typename Pack::Float;
  using Int = typename Pack::Int;
  static_assert(most_lanes == 32);
  const Int lane = Int::load(rays.lane + first);
  const Int draws = Int::load(rays.draws + first);
  const Int origin = Pack::gather(cells.origin, lane & Int(31));
  const Int ray = lane.template right<5>() + Int(first_ray);
  const Int word = random_words<Pack>(scene, origin, ray, draws);
  Pack::count(draws, faint).store(rays.draws + first);
  const auto goes_on = Pack::below(word, winning_words);
  return Pack::select(faint, Pack::where(goes_on, transmissivity * Float(10.0f)), transmissivity);
}

}  // namespace ermine
