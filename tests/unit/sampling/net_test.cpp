#include "sampling/net.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace ermine {
namespace {

/// The first `bits` binary digits of a word.
std::uint32_t leading(std::uint32_t word, int bits) { return bits == 0 ? 0 : word >> (32 - bits); }

TEST(Net, ReversesBits) {
  EXPECT_EQ(reverse_bits(1u), 0x80000000u);
  EXPECT_EQ(reverse_bits(0x12345678u), 0x1E6A2C48u);
}

TEST(Net, MultipliesByPascalsMatrix) {
  for (int column = 0; column < 32; ++column) {
    std::uint32_t expected = 0;
    std::uint32_t binomial = 1;  // modulo 2: row <= column with all of its bits in column
    for (int row = 0; row <= column; ++row) {
      binomial = (row & ~column) == 0;
      expected |= binomial << row;
    }
    EXPECT_EQ(pascal_product(1u << column), expected) << column;
  }
}

/// Every box of volume 2^-m whose sides are powers of 1/2 holds exactly one of 2^m rays, whatever
/// the shift.
TEST(Net, FillsEveryBoxOnce) {
  for (const int m : {1, 3, 6, 9}) {
    const std::uint32_t rays = 1u << m;
    for (const NetWords& shift : {NetWords{0, 0}, NetWords{0xDEADBEEFu, 0x12345678u}}) {
      for (int first = 0; first <= m; ++first) {
        for (int second = 0; first + second <= m; ++second) {
          const int spectral = m - first - second;
          std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> boxes;
          for (std::uint32_t r = 0; r < rays; ++r) {
            const NetWords words = net_words(r, shift);
            boxes.emplace(r >> (m - spectral), leading(words.first, first),
                          leading(words.second, second));
          }
          EXPECT_EQ(boxes.size(), rays) << m << " " << first << " " << second;
        }
      }
    }
  }
}

/// How many rays lie in the fullest box of volume 2^-digits, of so many blocks of 2^m rays each.
std::size_t most_in_a_box(int m, std::uint32_t first_block, std::uint32_t blocks, int digits) {
  struct Ray {
    std::uint32_t first, second;
    std::uint64_t spectral;
  };
  std::vector<Ray> rays;
  for (std::uint32_t b = first_block; b < first_block + blocks; ++b) {
    const NetBlock block = net_block(b);
    for (std::uint32_t r = 0; r < 1u << m; ++r) {
      const NetWords words = net_words(r, block.shift);
      rays.push_back(
          {words.first, words.second, (std::uint64_t{r} << 32 | block.offset) << (32 - m)});
    }
  }
  std::size_t most = 0;
  for (int first = 0; first <= digits; ++first) {
    for (int second = 0; first + second <= digits; ++second) {
      const int spectral = digits - first - second;
      std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, std::size_t> boxes;
      for (const Ray& ray : rays) {
        most = std::max(most, ++boxes[{leading(ray.first, first), leading(ray.second, second),
                                       spectral == 0 ? 0 : ray.spectral >> (64 - spectral)}]);
      }
    }
  }
  return most;
}

TEST(NetBlock, FourFillEveryBoxOnce) {
  for (const int m : {0, 1, 2, 5}) {
    for (const int e : {0, 1, 2, 3}) {
      const std::uint32_t blocks = 1u << 2 * e;
      for (const std::uint32_t first : {0u, 5 * blocks, 1000 * blocks}) {
        EXPECT_EQ(most_in_a_box(m, first, blocks, m + 2 * e), 1u) << m << " " << e << " " << first;
      }
    }
  }
}

/// Two cannot be a net of twice as many rays, but leave no box with more than two.
TEST(NetBlock, TwoAreNextBest) {
  for (const int m : {1, 2, 5}) {
    for (const int e : {0, 1, 2}) {
      const std::uint32_t blocks = 2u << 2 * e;
      EXPECT_EQ(most_in_a_box(m, 3 * blocks, blocks, m + 2 * e), 2u) << m << " " << e;
      EXPECT_LE(most_in_a_box(m, 3 * blocks, blocks, m + 2 * e + 1), 2u) << m << " " << e;
    }
  }
}

TEST(NetBlock, FirstIsNotShifted) {
  const NetBlock block = net_block(0);
  EXPECT_EQ(block.shift.first, 0u);
  EXPECT_EQ(block.shift.second, 0u);
  EXPECT_EQ(block.offset, 0u);
}

TEST(NetStream, EveryNetHasItsOwnShiftAndOffset) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> shifts;
  std::set<double> offsets;
  int nets = 0;
  for (const std::uint64_t seed : {1u, 2u}) {
    for (const std::uint32_t update : {0u, 1u, 7u}) {
      for (const std::uint32_t origin : {0u, 1u, 1000u, ~0u}) {
        for (std::uint32_t replicate = 0; replicate < 8; ++replicate) {
          const NetStream stream({seed, update, origin, replicate});
          const NetWords shift = stream.shift();
          shifts.insert({shift.first, shift.second});
          offsets.insert(stream.offset());
          EXPECT_GE(stream.offset(), 0.0);
          EXPECT_LT(stream.offset(), 1.0);
          ++nets;
        }
      }
    }
  }
  EXPECT_EQ(shifts.size(), static_cast<std::size_t>(nets));
  EXPECT_EQ(offsets.size(), static_cast<std::size_t>(nets));
}

}  // namespace
}  // namespace ermine
