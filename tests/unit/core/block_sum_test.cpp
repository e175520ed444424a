#include "core/block_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ermine {
namespace {

TEST(BlockSum, IsTheSameToTheLastBitForAnyNumberOfThreads) {
  // Terms so different that their order shows.
  const auto term = [](std::size_t i) { return std::exp(20 * std::sin(static_cast<double>(i))); };
  for (const std::size_t count : {1u, 4095u, 4096u, 4097u, 50001u}) {
    double plain = 0.0;
    for (std::size_t i = 0; i < count; ++i) plain += term(i);
    const double one = block_sum(count, 1, term);
    EXPECT_NEAR(one, plain, 1e-12 * plain) << count;
    for (const int threads : {2, 3, 7, 16}) EXPECT_EQ(block_sum(count, threads, term), one);
  }
}

TEST(BlockSum, OfNothingIsZero) {
  EXPECT_EQ(block_sum(0, 4, [](std::size_t) { return 1.0; }), 0.0);
}

}  // namespace
}  // namespace ermine
