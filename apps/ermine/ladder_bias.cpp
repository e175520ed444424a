#include "ladder_bias.hpp"

#include <algorithm>
#include <cmath>

namespace ermine::cli {
namespace {

using Values = std::vector<double>;

Values difference(const Values& a, const Values& b) {
  Values result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] - b[i];
  return result;
}

/// Sums over what lies in one block, of cells along x (planes) or of everything (cells).
struct Block {
  Values a;
  Values b;
  double product = 0.0;
  double cells = 0.0;
};

/// Blocks are interleaved, so that each is a small picture of the whole: neighbours along x stay
/// together in planes, which are averaged before they are multiplied.
std::vector<Block> split(const Grid& grid, const Values& a, const Values& b, Comparing comparing) {
  const std::size_t along = grid.cells(0);
  const std::size_t columns = a.size() / along;
  const bool planes = comparing == Comparing::planes;
  const std::size_t most = planes ? std::min<std::size_t>(16, columns)
                                  : std::min<std::size_t>(61, a.size());  // a prime: no pattern
  std::vector<Block> blocks(most);
  for (Block& block : blocks) {
    block.a.assign(planes ? along : 0, 0.0);
    block.b.assign(planes ? along : 0, 0.0);
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    Block& block = blocks[(planes ? i / along : i) % most];
    block.cells += 1;
    block.product += a[i] * b[i];
    if (!planes) continue;
    block.a[i % along] += a[i];
    block.b[i % along] += b[i];
  }
  return blocks;
}

void add(Block& sum, const Block& block, double sign) {
  sum.cells += sign * block.cells;
  sum.product += sign * block.product;
  for (std::size_t i = 0; i < sum.a.size(); ++i) {
    sum.a[i] += sign * block.a[i];
    sum.b[i] += sign * block.b[i];
  }
}

/// Mean product of cells, or of averages over planes.
double mean_product(const Block& sum) {
  if (sum.a.empty()) return sum.product / sum.cells;
  const double along = static_cast<double>(sum.a.size());
  const double columns = sum.cells / along;
  double product = 0.0;
  for (std::size_t i = 0; i < sum.a.size(); ++i) product += sum.a[i] * sum.b[i];
  return product / (along * columns * columns);
}

Estimate mean_product(const Grid& grid, const Values& a, const Values& b, Comparing comparing) {
  const std::vector<Block> blocks = split(grid, a, b, comparing);
  Block sum = blocks.front();
  for (std::size_t j = 1; j < blocks.size(); ++j) add(sum, blocks[j], 1);
  Estimate estimate{mean_product(sum), 0.0};
  if (blocks.size() < 2) return estimate;
  const double count = static_cast<double>(blocks.size());
  double mean = 0.0;
  Values without;
  for (const Block& block : blocks) {
    Block rest = sum;
    add(rest, block, -1);
    without.push_back(mean_product(rest));
    mean += without.back() / count;
  }
  double scatter = 0.0;
  for (const double value : without) scatter += (value - mean) * (value - mean);
  estimate.standard_error = std::sqrt((count - 1) / count * scatter);
  return estimate;
}

}  // namespace

Estimate squared_difference(const Grid& grid, const TwinFields& twin, const TwinFields& reference,
                            Comparing comparing) {
  return mean_product(grid, difference(twin.a, reference.a), difference(twin.b, reference.b),
                      comparing);
}

double largest(const Grid& grid, const TwinFields& field, Comparing comparing) {
  const std::size_t along = grid.cells(0);
  const std::size_t columns = field.a.size() / along;
  double result = 0.0;
  if (comparing == Comparing::cells) {
    for (std::size_t i = 0; i < field.a.size(); ++i) {
      result = std::max(result, std::abs(field.a[i] + field.b[i]) / 2);
    }
    return result;
  }
  for (std::size_t x = 0; x < along; ++x) {
    double sum = 0.0;
    for (std::size_t i = x; i < field.a.size(); i += along) sum += field.a[i] + field.b[i];
    result = std::max(result, std::abs(sum) / (2 * static_cast<double>(columns)));
  }
  return result;
}

double root_mean_square(const Grid& grid, const TwinFields& field, Comparing comparing) {
  return std::sqrt(std::max(0.0, mean_product(grid, field.a, field.b, comparing).value));
}

}  // namespace ermine::cli
