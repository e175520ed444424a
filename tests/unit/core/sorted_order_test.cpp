#include "core/sorted_order.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

TEST(SortedOrder, KeepsTheOrderOfEqualKeys) {
  const std::vector<double> keys{2, 1, 3, 1, 2, 1, 0};
  EXPECT_EQ(sorted_order<int>(keys), (std::vector<int>{6, 1, 3, 5, 0, 4, 2}));
  EXPECT_TRUE(sorted_order<int>(std::vector<unsigned>{}).empty());
}

TEST(SortedOrder, KeepsTheOrderOfManyEqualKeys) {
  std::vector<unsigned> keys;
  for (unsigned i = 0; i < 10000; ++i) keys.push_back(i * 7919 % 13);
  const std::vector<int> order = sorted_order<int>(keys);
  for (std::size_t i = 1; i < order.size(); ++i) {
    const unsigned before = keys[static_cast<std::size_t>(order[i - 1])];
    const unsigned here = keys[static_cast<std::size_t>(order[i])];
    ASSERT_TRUE(before < here || (before == here && order[i - 1] < order[i])) << i;
  }
}

}  // namespace
}  // namespace ermine
