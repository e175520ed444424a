#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace ermine {

/// Sum of term(i), i below count, by so many threads. Blocks of one size are summed up, then their
/// sums in order: the same to the last bit whatever the number of threads.
template <class Term>
double block_sum(std::size_t count, int threads, const Term& term) {
  constexpr std::size_t block = 4096;
  std::vector<double> sums((count + block - 1) / block);
#pragma omp parallel for schedule(static) num_threads(threads) if (sums.size() > 1)
  for (std::size_t b = 0; b < sums.size(); ++b) {
    const std::size_t end = std::min((b + 1) * block, count);
    double sum = 0.0;
    for (std::size_t i = b * block; i < end; ++i) sum += term(i);
    sums[b] = sum;
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace ermine
