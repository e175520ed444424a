#include "sampling/philox.hpp"

#include "sampling/ray_stream.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace ermine {
namespace {

void expect_words(const PhiloxBlock& block, std::uint32_t a, std::uint32_t b, std::uint32_t c,
                  std::uint32_t d) {
  EXPECT_EQ(block.word[0], a);
  EXPECT_EQ(block.word[1], b);
  EXPECT_EQ(block.word[2], c);
  EXPECT_EQ(block.word[3], d);
}

// Known answers published with Random123 (file kat_vectors, philox4x32 with 10 rounds).
TEST(Philox, ReproducesKnownAnswers) {
  constexpr std::uint32_t ones = 0xFFFFFFFFu;
  expect_words(philox({{0, 0, 0, 0}}, {{0, 0}}), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
  expect_words(philox({{ones, ones, ones, ones}}, {{ones, ones}}), 0x408f276d, 0x41c83b0e,
               0xa20bc7c6, 0x6d5451fd);
  expect_words(
      philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, {{0xa4093822, 0x299f31d0}}),
      0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1);
}

TEST(RayStream, NeverRepeatsADraw) {
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> seen;
  int drawn = 0;
  for (const std::uint64_t seed : {0u, 1u}) {
    for (const std::uint32_t update : {0u, 1u, 7u}) {
      for (std::uint32_t origin = 0; origin < 12; ++origin) {
        for (const std::uint32_t ray : {0u, 1u, 2u, 255u, 0x10000u, 0xFFFFFFFFu}) {
          RayStream stream({seed, update, origin, ray});
          for (int i = 0; i < 5; ++i, ++drawn) {
            const Draw d = stream.next();
            seen.insert({d.word[0], d.word[1], d.word[2], d.word[3]});
          }
        }
      }
    }
  }
  EXPECT_EQ(static_cast<int>(seen.size()), drawn);
}

TEST(Draw, UniformStaysInsideTheOpenInterval) {
  const Draw lowest{{0, 0, 0, 0}};
  const Draw highest{{~0u, ~0u, ~0u, ~0u}};
  EXPECT_GT(lowest.uniform<double>(0), 0.0);
  EXPECT_GT(lowest.uniform<float>(0), 0.0f);
  EXPECT_LT(highest.uniform<double>(0), 1.0);
  EXPECT_LT(highest.uniform<float>(0), 1.0f);
  EXPECT_GT(lowest.fine_uniform(), 0.0);
  EXPECT_LT(highest.fine_uniform(), 1.0);
  const Draw middle{{0x80000000u, 0x7FFFFFFFu, 0, 0}};
  EXPECT_NE(1 - 2 * middle.uniform<double>(0), 0.0);
  EXPECT_NE(1 - 2 * middle.uniform<float>(1), 0.0f);
}

}  // namespace
}  // namespace ermine
