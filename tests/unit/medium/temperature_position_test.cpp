#include "medium/temperature_position.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ermine {
namespace {

std::vector<std::vector<double>> many_nodes() {
  std::vector<double> even, geometric, uneven{0.0};
  for (int i = 0; i < 25; ++i) even.push_back(300 + 100 * i);
  for (int i = 0; i < 200; ++i) geometric.push_back(300 * std::pow(1.01, i));
  // A few far apart, as those down to 0 K, then many close together.
  for (int i = 0; i < 90; ++i) uneven.push_back(i < 3 ? 100.0 * (i + 1) : 300 + 0.01 * i);
  return {even, geometric, uneven, {100, 200}, {100, 250, 251}};
}

TEST(NodePositions, AreThoseOfASearch) {
  std::mt19937 generator(3);
  for (const std::vector<double>& nodes : many_nodes()) {
    const NodePositions position(nodes);
    const double length = nodes.back() - nodes.front();
    std::uniform_real_distribution<double> anywhere(nodes.front() - 0.1 * length,
                                                    nodes.back() + 0.1 * length);
    for (int trial = 0; trial < 20000; ++trial) {
      const double value = anywhere(generator);
      ASSERT_EQ(position(value), position_among(nodes, value)) << value;
    }
    for (const double node : nodes) {
      for (const double value : {std::nextafter(node, 0.0), node, std::nextafter(node, 1e9)}) {
        ASSERT_EQ(position(value), position_among(nodes, value)) << value;
      }
    }
    // Ends of bins, where rounding takes values for those of the next.
    const double bins = 4.0 * static_cast<double>(nodes.size());
    for (double bin = 0; bin <= bins; ++bin) {
      const double end = nodes.front() + length * bin / bins;
      for (const double value : {std::nextafter(end, 0.0), end, std::nextafter(end, 1e9)}) {
        ASSERT_EQ(position(value), position_among(nodes, value)) << value;
      }
    }
  }
}

}  // namespace
}  // namespace ermine
