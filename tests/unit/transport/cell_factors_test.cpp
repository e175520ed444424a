#include "transport/mesh/cell_factors.hpp"

#include "reference/exponential_integral.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ermine {
namespace {

using reference::exponential_integral;

constexpr auto diffuse = static_cast<std::size_t>(Reflection::diffuse);
constexpr auto specular = static_cast<std::size_t>(Reflection::specular);

/// Sums over the faces that rays meet, term by term.
template <class Term>
double sum_of_faces(const Term& term) {
  double sum = 0.0;
  for (int m = 0; m < 4000; ++m) sum += term(m);
  return sum;
}

TEST(CellFactors, AreSumsOfExponentialIntegrals) {
  for (const double tau : {0.05, 0.3, 1.0, 2.0, 6.25, 12.5}) {
    SCOPED_TRACE(tau);
    const CellFactors found = cell_factors(tau);
    const double f = 3 * tau * tau * sum_of_faces([&](int m) {
                       return (m + 0.5) * exponential_integral(2, (m + 0.5) * tau);
                     });
    const double g = 1.5 * std::pow(tau, 3) * sum_of_faces([&](int m) {
                       return m * (m + 1.0) * exponential_integral(1, (m + 0.5) * tau);
                     });
    EXPECT_NEAR(found.curvature, 1 - f, 1e-8);
    EXPECT_NEAR(found.gradient, 1 - g, 1e-8);
    const double from_centre =
        sum_of_faces([&](int m) { return exponential_integral(2, (m + 0.5) * tau); });
    const double from_wall =
        sum_of_faces([&](int m) { return exponential_integral(3, (m + 1.0) * tau); });
    const double e2 = exponential_integral(2, tau / 2);
    const double e3 = exponential_integral(3, tau);
    const double e4 = exponential_integral(4, tau);
    const double square = 1.5 * tau * tau;
    EXPECT_NEAR(found.black_wall, 0.5 - f + 1.5 * e4 + square * (from_centre - e2 / 2), 1e-8);
    EXPECT_NEAR(found.white_wall[diffuse],
                -f + 1.5 * e4 + e3 + square * (from_centre + 2 * e2 * from_wall), 1e-8);
    EXPECT_NEAR(found.white_wall[specular], -f + 3 * e4 + square * (2 * from_centre - e2), 1e-8);
    EXPECT_NEAR(found.wall_flux, 2 / (3 * tau) - 0.5 - 2 * from_wall, 1e-8);
  }
}

TEST(CellFactors, TendToTheirLimits) {
  const double thin = 1e-3;
  const CellFactors of_thin = cell_factors(thin);
  EXPECT_NEAR(of_thin.curvature / (thin * thin), -1.0 / 8, 1e-3);
  EXPECT_NEAR(of_thin.gradient / (thin * thin), 3.0 / 8, 1e-3);
  EXPECT_NEAR(of_thin.black_wall / (thin * thin), -1.0 / 8, 1e-3);
  EXPECT_NEAR(of_thin.white_wall[diffuse] / (thin * thin), -2.0 / 9, 2e-3);
  EXPECT_NEAR(of_thin.white_wall[specular] / (thin * thin), -1.0 / 8, 1e-3);
  EXPECT_NEAR(of_thin.wall_flux / thin, -1.0 / 6, 1e-3);
  // Half the diffusive flux reaches a black wall, none a white one.
  const CellFactors of_thick = cell_factors(200);
  EXPECT_NEAR(of_thick.curvature, 1, 1e-9);
  EXPECT_NEAR(of_thick.gradient, 1, 1e-9);
  EXPECT_NEAR(of_thick.black_wall, 0.5, 1e-9);
  EXPECT_NEAR(of_thick.white_wall[diffuse], 0, 1e-9);
  EXPECT_NEAR(of_thick.white_wall[specular], 0, 1e-9);
}

TEST(CellFactors, TableIsCloseAtAnyThickness) {
  const CellFactorTable& table = CellFactorTable::instance();
  for (double log_tau = -12.03; log_tau < 8; log_tau += 0.37) {
    SCOPED_TRACE(log_tau);
    const double tau = std::exp(log_tau);
    // Thinner than any quadrature resolves, the power laws hold.
    const double scale = std::min(tau * tau, 1.0);
    const CellFactors exact = cell_factors(std::max(tau, 1e-4));
    const double power = std::pow(tau / std::max(tau, 1e-4), 2);
    const CellFactors found = table(log_tau);
    EXPECT_NEAR(found.curvature, power * exact.curvature, 2e-3 * scale);
    EXPECT_NEAR(found.gradient, power * exact.gradient, 2e-3 * scale);
    EXPECT_NEAR(found.black_wall, power * exact.black_wall, 2e-3 * scale);
    EXPECT_NEAR(found.white_wall[diffuse], power * exact.white_wall[diffuse], 2e-3 * scale);
    EXPECT_NEAR(found.white_wall[specular], power * exact.white_wall[specular], 2e-3 * scale);
    EXPECT_NEAR(found.wall_flux, std::sqrt(power) * exact.wall_flux, 2e-3 * std::min(tau, 1.0));
  }
}

TEST(CellFactors, LeaveThinCellsToTheMeanIntensity) {
  // Far thinner than its structures are long: nothing is missing at centres.
  const CellFactors thin = cell_factors(1e-3).for_structures(1e-3, {1e3, 10}, 1e-1);
  EXPECT_NEAR(thin.curvature, 0, 1e-3 * 1e-6 / 8);
  EXPECT_NEAR(thin.gradient, 0, 3e-3 * 1e-6 / 8);
  // Far longer than a mean free path: as if there were no structures.
  const CellFactors thick = cell_factors(2.0);
  EXPECT_NEAR(thick.for_structures(2.0, {1e-2, 2e-3}, 10).curvature, thick.curvature, 1e-6);
}

TEST(CellFactors, OfLongThickCellsKeepWhatTheyHave) {
  // Waves short beside the cell's length but resolved by its width: nothing is missing that could
  // be taken away.
  const CellFactors thick = cell_factors(10.0);
  const CellFactors found = thick.for_structures(10.0, {200, 0.2}, 100);
  EXPECT_NEAR(found.curvature, thick.curvature, 0.04 / 24 * 1.01);
}

}  // namespace
}  // namespace ermine
