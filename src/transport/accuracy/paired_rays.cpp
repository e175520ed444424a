#include "transport/accuracy/paired_rays.hpp"

#include "sampling/ray_stream.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ermine {
namespace {

/// Steps that stand for one level: rays which cross more cells run along the layers of a slab, and
/// a few of them would take longer than all others together.
constexpr int steps_of_one_level = 1024;

}  // namespace

std::vector<int> spread_over(std::size_t first, std::size_t all, std::size_t most,
                             std::uint64_t seed) {
  std::vector<int> some(std::min(all, most));
  if (all <= most) {
    std::iota(some.begin(), some.end(), static_cast<int>(first));
    return some;
  }
  // The golden section leaves no gaps, and a step without common divisor comes to none twice.
  auto step = static_cast<std::size_t>(0.618 * static_cast<double>(all)) + 1;
  while (std::gcd(step, all) > 1) ++step;
  // Of a stream that no ray has.
  RayStream stream({seed, 0, ~0u, ~0u}, 0x80000003u);
  const double u = stream.next().fine_uniform();
  std::size_t number = static_cast<std::size_t>(u * static_cast<double>(all));
  for (int& tile : some) {
    tile = static_cast<int>(first + number);
    number = (number + step) % all;
  }
  return some;
}

Estimate extrapolated(std::span<const Estimate> tiles, std::size_t all) {
  if (tiles.empty()) return {};
  const double count = static_cast<double>(tiles.size());
  const double share = count / static_cast<double>(all);
  double sum = 0.0;
  double squares = 0.0;
  double noise = 0.0;
  for (const auto& [value, error] : tiles) {
    sum += value;
    squares += value * value;
    noise += error * error;
  }
  const double scatter =
      std::max(squares - sum * sum / count, 0.0) * count / std::max(count - 1, 1.0);
  return {sum / share, std::sqrt((1 - share) * scatter + share * noise) / share};
}

PairedRays::PairedRays(ReplicateTracer& rays, Sum sum, std::vector<int> tiles, int levels)
    : rays_(rays), sum_(sum), tiles_(std::move(tiles)) {
  for (const int tile : tiles_) {
    for (int lane = 0; lane < cells_per_tile; ++lane) {
      origin_.push_back(rays.origin(sum, tile, lane));
    }
  }
  one_ = traced({levels, steps_of_one_level}, crossings_of_one_);
  value_ = moments(one_);
}

void PairedRays::follow(const Resolution& resolution) {
  change_ = traced(resolution, crossings_);
  for (std::size_t i = 0; i < change_.size(); ++i) change_[i] -= one_[i];
  changed_ = moments(change_);
}

std::vector<double> PairedRays::traced(const Resolution& resolution, std::int64_t& crossings) {
  const std::int64_t before = rays_.counts().crossings;
  std::vector<double> means = rays_.sample(sum_, resolution, tiles_, nets, rays_of_net);
  crossings = rays_.counts().crossings - before;
  return means;
}

std::vector<Estimate> PairedRays::moments(const std::vector<double>& means) const {
  const std::size_t count = origin_.size();
  std::vector<double> sum(count), squares(count);
  for (std::size_t r = 0; r < nets; ++r) {
    const double* of_net = means.data() + r * count;
    for (std::size_t i = 0; i < count; ++i) sum[i] += of_net[i];
  }
  for (std::size_t r = 0; r < nets; ++r) {
    const double* of_net = means.data() + r * count;
    for (std::size_t i = 0; i < count; ++i) {
      const double deviation = of_net[i] - sum[i] / nets;
      squares[i] += deviation * deviation;
    }
  }
  std::vector<Estimate> found(count);
  for (std::size_t i = 0; i < count; ++i) {
    found[i] = {sum[i] / nets, std::sqrt(squares[i] / (nets * (nets - 1)))};
  }
  return found;
}

}  // namespace ermine
