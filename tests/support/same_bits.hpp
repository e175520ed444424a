#pragma once

#include <ermine/result.hpp>

#include <gtest/gtest.h>

namespace ermine::test {

inline void expect_same_bits(const Result& a, const Result& b) {
  EXPECT_EQ(a.flux_divergence, b.flux_divergence);
  EXPECT_EQ(a.standard_error, b.standard_error);
  EXPECT_EQ(a.emission, b.emission);
  for (std::size_t side = 0; side < 6; ++side) {
    EXPECT_EQ(a.wall_flux[side].net_flux, b.wall_flux[side].net_flux);
    EXPECT_EQ(a.wall_flux[side].standard_error, b.wall_flux[side].standard_error);
  }
  EXPECT_EQ(a.ledger.total.value, b.ledger.total.value);
  EXPECT_EQ(a.rays.traced, b.rays.traced);
  EXPECT_EQ(a.rays.crossings, b.rays.crossings);
}

}  // namespace ermine::test
