#include "transport/ray/sample_start.hpp"

#include "sampling/net.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ermine {
namespace {

/// k times the mean of share(k) over all lines along a direction: of those that leave through the
/// face across a,
///   int_0^m k exp(-k s) (1 - s / through_b) (1 - s / through_c) ds / through_a,
/// m being the shortest way through the cell. Here by Simpson's rule.
double exact(const Vec3<double>& through, double k) {
  const double m = std::min({through[0], through[1], through[2]});
  constexpr int steps = 2000;
  double sum = 0.0;
  for (int i = 0; i <= steps; ++i) {
    const double s = m * i / steps;
    double faces = 0.0;
    for (int a = 0; a < 3; ++a) {
      faces += (1 - s / through[(a + 1) % 3]) * (1 - s / through[(a + 2) % 3]) / through[a];
    }
    const double weight = i == 0 || i == steps ? 1 : (i % 2 == 1 ? 4 : 2);
    sum += weight * k * std::exp(-k * s) * faces;
  }
  return sum * m / steps / 3;
}

/// The mean of it over lines as they are drawn.
template <class Real>
double drawn(const Vec3<double>& through, double k, double usual) {
  constexpr std::uint32_t lines = 1 << 16;
  const Vec3<Real> ways{{static_cast<Real>(through[0]), static_cast<Real>(through[1]),
                         static_cast<Real>(through[2])}};
  double sum = 0.0;
  for (std::uint32_t r = 0; r < lines; ++r) {
    const CrossingWords words = crossing_words(r, 0x4CCCCCCC);
    Vec3<Real> fraction;
    for (int a = 0; a < 3; ++a) {
      fraction[a] = static_cast<Real>((words.of_axis[a] + 0.5) * 0x1p-32);
    }
    sum += static_cast<double>(
        leave_cell(ways, fraction, static_cast<Real>(usual)).share(static_cast<Real>(k)));
  }
  return k * sum / lines;
}

/// Whatever thickness the choice of lines is made for, the mean is that of the cell.
TEST(CellExit, AveragesOverTheCell) {
  for (const Vec3<double>& through : {Vec3<double>{{1.0, 1.3, 2.0}}, Vec3<double>{{0.2, 5.0, 40.0}},
                                      Vec3<double>{{3.0, 3.0, 3.0}}}) {
    for (const double k : {1e-3, 0.3, 4.0, 60.0}) {
      for (const double usual : {0.0, 1.0, 100.0}) {
        SCOPED_TRACE(testing::Message() << k << " " << usual);
        const double mean = exact(through, k);
        // Where thick cells are taken for thin ones, few lines tell of their skin.
        const double tolerance = k > 10 && usual < 10 ? 0.03 : 0.005;
        EXPECT_NEAR(drawn<double>(through, k, usual), mean, tolerance * mean);
        EXPECT_NEAR(drawn<float>(through, k, usual), mean, tolerance * mean);
      }
    }
  }
}

/// A ray leaves through one face, and the others lie ahead.
TEST(CellExit, LiesOnAFace) {
  for (const double usual : {0.0, 2.0, 1e6}) {
    for (std::uint32_t r = 0; r < 1000; ++r) {
      const CrossingWords words = crossing_words(r, 0xB3333333);
      Vec3<double> fraction;
      for (int a = 0; a < 3; ++a) fraction[a] = (words.of_axis[a] + 0.5) * 0x1p-32;
      const Vec3<double> through{{1.0, 1.5, 0.7}};
      const CellExit<double> exit = leave_cell(through, fraction, usual);
      EXPECT_EQ(std::min({exit.ahead[0], exit.ahead[1], exit.ahead[2]}), 0.0);
      for (int a = 0; a < 3; ++a) EXPECT_LE(exit.ahead[a] + exit.length, through[a] * (1 + 1e-12));
      EXPECT_GT(exit.length, 0.0);
    }
  }
}

}  // namespace
}  // namespace ermine
