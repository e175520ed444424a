#pragma once

#include "core/macros.hpp"
#include "sampling/philox.hpp"

#include <cstdint>

namespace ermine {

/// Names the random numbers of one ray: no two rays of a run, nor of two updates, share a draw.
struct RayKey {
  std::uint64_t seed;
  std::uint32_t update;  ///< counts the solutions of a coupled run
  std::uint32_t origin;  ///< cells first, then wall face cells
  std::uint32_t ray;
};

/// Four random words.
struct Draw {
  std::uint32_t word[4];

  /// Uniform in the open interval (0, 1), a multiple of 2^-33 (double) or 2^-25 (float) and odd, so
  /// that neither 0, 1/2 nor 1 can occur and 1 - 2u is exact and never zero.
  template <class Real>
  ERMINE_FUNCTION Real uniform(int i) const;

  /// Uniform in (0, 1) with 52 bits, from the last two words: for inverting long distributions.
  ERMINE_FUNCTION double fine_uniform() const {
    const std::uint64_t bits = (std::uint64_t{word[2]} << 32 | word[3]) >> 12;
    return (static_cast<double>(bits) + 0.5) * 0x1p-52;
  }
};

template <>
ERMINE_FUNCTION double Draw::uniform<double>(int i) const {
  return (static_cast<double>(word[i]) + 0.5) * 0x1p-32;
}

template <>
ERMINE_FUNCTION float Draw::uniform<float>(int i) const {
  return (static_cast<float>(word[i] >> 9) + 0.5f) * 0x1p-23f;
}

/// The draws of one ray, four words at a time: a pure function of (key, how many draws before).
class RayStream {
 public:
  RayStream() = default;
  ERMINE_FUNCTION explicit RayStream(const RayKey& key, std::uint32_t first_draw = 0)
      : key_{{static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)}},
        counter_{{key.origin, key.ray, first_draw, key.update}} {}

  /// The counter is (origin, ray, draw, update), 32 bits each: injective.
  ERMINE_FUNCTION Draw next() {
    const PhiloxBlock block = philox(counter_, key_);
    ++counter_.word[2];
    return {{block.word[0], block.word[1], block.word[2], block.word[3]}};
  }

 private:
  PhiloxKey key_{};
  PhiloxBlock counter_{};
};

}  // namespace ermine
