#include "coupling/client_array.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace ermine {
namespace {

/// Value of a cell that tells where it is.
double number(std::int64_t i, std::int64_t j, std::int64_t k) {
  return static_cast<double>(i + 100 * j + 10000 * k);
}

TEST(ClientArray, ReadsAndWritesAnyOrderAndHalo) {
  for (const std::array<int, 3> order : {std::array{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}) {
    Block block{{2, 3, 4}, {5, 5, 8}, {1, 0, 2}, {0, 3, 1}, order};
    const ClientArray array(block);
    ASSERT_EQ(array.size(), 4u * 5u * 7u);
    std::vector<float> theirs(array.size(), -1);
    // Filled as a client would, with loops over its own indices, halo included.
    std::array<std::int64_t, 3> extent{4, 5, 7};
    std::array<std::int64_t, 3> stride{};
    stride[static_cast<std::size_t>(order[0])] = 1;
    stride[static_cast<std::size_t>(order[1])] = extent[static_cast<std::size_t>(order[0])];
    stride[static_cast<std::size_t>(order[2])] =
        extent[static_cast<std::size_t>(order[0])] * extent[static_cast<std::size_t>(order[1])];
    const auto place = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
      return static_cast<std::size_t>((i - 2 + 1) * stride[0] + (j - 3) * stride[1] +
                                      (k - 4 + 2) * stride[2]);
    };
    for (std::int64_t k = 4; k < 8; ++k) {
      for (std::int64_t j = 3; j < 5; ++j) {
        for (std::int64_t i = 2; i < 5; ++i) {
          theirs[place(i, j, k)] = static_cast<float>(number(i, j, k));
        }
      }
    }
    std::vector<double> values;
    array.read(theirs.data(), values, 10.0, 2.0);
    ASSERT_EQ(values.size(), 3u * 2u * 4u);
    EXPECT_EQ(values[0], 10 + 2 * number(2, 3, 4));
    EXPECT_EQ(values[1], 10 + 2 * number(3, 3, 4));
    EXPECT_EQ(values[3], 10 + 2 * number(2, 4, 4));
    EXPECT_EQ(values[23], 10 + 2 * number(4, 4, 7));

    std::vector<float> written(array.size(), -1);
    array.write(std::span<const double>(values), 0.5, written.data());
    for (std::size_t i = 0; i < written.size(); ++i) {
      EXPECT_EQ(written[i], theirs[i] == -1 ? -1 : 5 + theirs[i]) << i;
    }
  }
}

}  // namespace
}  // namespace ermine
