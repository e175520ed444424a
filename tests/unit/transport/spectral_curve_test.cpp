#include "transport/draw/spectral_curve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <set>

namespace ermine {
namespace {

TEST(SpectralCurve, HilbertCurveGoesFromNeighbourToNeighbourThroughAllCells) {
  constexpr int bits = 4;
  constexpr int side = 1 << bits;
  std::vector<std::pair<int, int>> at(side * side, {-1, -1});
  for (int x = 0; x < side; ++x) {
    for (int y = 0; y < side; ++y) {
      const unsigned number =
          hilbert_number(static_cast<unsigned>(x), static_cast<unsigned>(y), bits);
      ASSERT_LT(number, at.size());
      EXPECT_EQ(at[number].first, -1);
      at[number] = {x, y};
    }
  }
  for (std::size_t i = 1; i < at.size(); ++i) {
    const int distance =
        std::abs(at[i].first - at[i - 1].first) + std::abs(at[i].second - at[i - 1].second);
    EXPECT_EQ(distance, 1) << i;
  }
}

/// Any 64 equal parts of the curve lie in as many different squares of the plane.
TEST(SpectralCurve, SpreadsOverBothProperties) {
  constexpr int count = 4096;
  std::vector<double> share(count, 1.0);
  std::vector<double> softness;
  for (int i = 0; i < count; ++i) softness.push_back(std::fmod(i * 0.6180339887, 1.0));
  const std::vector<int> order = along_spectral_curve(share, softness);
  std::vector<int> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (int i = 0; i < count; ++i) ASSERT_EQ(sorted[static_cast<std::size_t>(i)], i);
  std::set<std::pair<int, int>> squares;
  for (std::size_t part = 0; part < 64; ++part) {
    const int point = order[part * 64 + 32];
    squares.insert(
        {point * 8 / count, static_cast<int>(softness[static_cast<std::size_t>(point)] * 8)});
  }
  EXPECT_GE(squares.size(), 60u);
}

TEST(SpectralCurve, TakesWhatShinesNotAtAll) {
  const std::vector<double> dark(5, 0.0);
  EXPECT_EQ(along_spectral_curve(dark, dark).size(), 5u);
  EXPECT_EQ(along_spectral_curve({}, {}).size(), 0u);
}

}  // namespace
}  // namespace ermine
