#include "transport/spectral_curve.hpp"

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
  unsigned number = 0;
  const unsigned last = (1u << bits) - 1;
  for (unsigned half = 1u << (bits - 1); half > 0; half /= 2) {
    const bool right = (x & half) != 0;
    const bool upper = (y & half) != 0;
    number += half * half * ((right ? 3u : 0u) ^ (upper ? 1u : 0u));
    if (upper) continue;
    if (right) {
      x = last - x;
      y = last - y;
    }
    std::swap(x, y);
  }
  return number;
}

std::vector<int> along_spectral_curve(std::span<const double> share,
                                      std::span<const double> softness) {
  constexpr int bits = 12;
  constexpr double cells = 1 << bits;
  const std::vector<int> by_absorption = numbers(share.size());
  std::vector<int> by_softness = by_absorption;
  std::stable_sort(by_softness.begin(), by_softness.end(), [&](int a, int b) {
    return softness[static_cast<std::size_t>(a)] < softness[static_cast<std::size_t>(b)];
  });
  const std::vector<double> x = ranks(by_absorption, share);
  const std::vector<double> y = ranks(by_softness, share);
  std::vector<unsigned> number;
  for (std::size_t i = 0; i < share.size(); ++i) {
    number.push_back(hilbert_number(static_cast<unsigned>(std::min(x[i] * cells, cells - 1)),
                                    static_cast<unsigned>(std::min(y[i] * cells, cells - 1)),
                                    bits));
  }
  std::vector<int> order = by_absorption;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return number[static_cast<std::size_t>(a)] < number[static_cast<std::size_t>(b)];
  });
  return order;
}

}  // namespace ermine
