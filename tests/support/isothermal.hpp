#pragma once

#include <ermine/tracer.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace ermine::test {

/// Gas and walls of one temperature exchange nothing, not even by rounding.
inline void expect_exactly_zero(const Tracer& tracer, double kelvin) {
  const Result result = tracer.solve(std::vector<double>(tracer.grid().cell_count(), kelvin));
  EXPECT_GT(result.rays.traced, 0);
  for (const double q : result.flux_divergence) ASSERT_EQ(q, 0.0);
  for (const double error : result.standard_error) ASSERT_EQ(error, 0.0);
  for (const WallFlux& wall : result.wall_flux) {
    for (const double q : wall.net_flux) ASSERT_EQ(q, 0.0);
  }
  EXPECT_EQ(result.ledger.total.value, 0.0);
}

}  // namespace ermine::test
