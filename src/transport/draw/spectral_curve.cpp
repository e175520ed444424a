#include "transport/draw/spectral_curve.hpp"

#include "core/sorted_order.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace ermine {
namespace {

/// Share of all that comes before the middle of each entry.
std::vector<double> ranks(std::span<const int> order, std::span<const double> share) {
  const double total = std::accumulate(share.begin(), share.end(), 0.0);
  std::vector<double> rank(share.size());
  double before = 0.0;
  for (const int entry : order) {
    const auto i = static_cast<std::size_t>(entry);
    rank[i] = total > 0 ? (before + share[i] / 2) / total : 0.0;
    before += share[i];
  }
  return rank;
}

std::vector<int> numbers(std::size_t count) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace

unsigned hilbert_number(unsigned x, unsigned y, int bits) {
  // Quadrants are as good as random: masks, as branches on them would be guessed wrong.
  const auto mask = [](unsigned bit) { return 0u - bit; };
  unsigned number = 0;
  for (int bit = bits - 1; bit >= 0; --bit) {
    const unsigned right = (x >> bit) & 1u;
    const unsigned upper = (y >> bit) & 1u;
    const unsigned lower = upper ^ 1u;
    number = 4 * number + ((3 * right) ^ upper);
    // The curve within the lower quadrants is mirrored, in the right one turned round as well.
    x ^= mask(right & lower);
    y ^= mask(right & lower);
    const unsigned swapped = (x ^ y) & mask(lower);
    x ^= swapped;
    y ^= swapped;
  }
  return number;
}

std::vector<int> along_spectral_curve(std::span<const double> share,
                                      std::span<const double> softness) {
  constexpr int bits = 12;
  constexpr double cells = 1 << bits;
  const std::vector<double> x = ranks(numbers(share.size()), share);
  const std::vector<double> y = ranks(sorted_order<int>(softness), share);
  std::vector<unsigned> number(share.size());
  for (std::size_t i = 0; i < share.size(); ++i) {
    number[i] = hilbert_number(static_cast<unsigned>(std::min(x[i] * cells, cells - 1)),
                               static_cast<unsigned>(std::min(y[i] * cells, cells - 1)), bits);
  }
  return sorted_order<int>(number);
}

}  // namespace ermine
