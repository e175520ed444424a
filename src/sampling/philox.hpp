#pragma once

#include "core/macros.hpp"

#include <cstdint>

namespace ermine {

struct PhiloxBlock {
  std::uint32_t word[4];
};

struct PhiloxKey {
  std::uint32_t word[2];
};

/// Philox4x32-10, a counter-based generator: a keyed bijection of 128-bit counters.
/// J. K. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11, section 3.3.
ERMINE_FUNCTION PhiloxBlock philox(PhiloxBlock counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53u} * counter.word[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57u} * counter.word[2];
    counter = {{static_cast<std::uint32_t>(product1 >> 32) ^ counter.word[1] ^ key.word[0],
                static_cast<std::uint32_t>(product1),
                static_cast<std::uint32_t>(product0 >> 32) ^ counter.word[3] ^ key.word[1],
                static_cast<std::uint32_t>(product0)}};
    key.word[0] += 0x9E3779B9u;  // Weyl sequence of the golden ratio
    key.word[1] += 0xBB67AE85u;  // and of sqrt(3) - 1
  }
  return counter;
}

}  // namespace ermine
