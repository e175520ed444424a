#include "transport/thin/thin_points.hpp"

#include "core/constants.hpp"
#include "core/thread_count.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

/// Along an axis. Fields on fewer cells hardly have structures that nodes see, and take no time.
constexpr std::size_t fewest_cells = 16;

/// Optical thickness of a cell below which points are so few that there is no point.
constexpr double least_thickness = 0.02;

/// Optical thickness of a cell above which points never count as thin, and the bias of Q there,
/// root mean squares: it grows with the thickness to a power of 1.65 or more (docs/decisions/0017).
constexpr double thickest = 0.15;
constexpr double bias_at_thickest = 0.0025;

/// Cubic interpolation (Lagrange) from the two nodes on each side of a cell's centre; at walls from
/// the four next to them.
std::vector<NodeWeights> weights_along(const Grid& grid, std::size_t a) {
  const int nodes = static_cast<int>(grid.cells(a) / 2);
  std::vector<NodeWeights> weights;
  for (std::size_t i = 0; i < grid.cells(a); ++i) {
    int first = static_cast<int>(i / 2) - (i % 2 == 0 ? 2 : 1);
    if (!grid.periodic(a)) first = std::clamp(first, 0, nodes - 4);
    NodeWeights of_cell{};
    double x[4];
    for (int n = 0; n < 4; ++n) {
      const int node = (first + n + nodes) % nodes;
      const double turns = (first + n - node) / nodes;
      x[n] = grid.axis(a).faces[2 * static_cast<std::size_t>(node) + 1] + turns * grid.length(a);
      of_cell.node[n] = node;
    }
    for (int n = 0; n < 4; ++n) {
      double weight = 1.0;
      for (int other = 0; other < 4; ++other) {
        if (other != n) weight *= (grid.centre(a, i) - x[other]) / (x[n] - x[other]);
      }
      of_cell.weight[n] = static_cast<float>(weight);
    }
    weights.push_back(of_cell);
  }
  return weights;
}

}  // namespace

double thin_thickness(const Options& options) {
  const ErrorTarget& target = options.target;
  if (!(target.error > 0)) {
    // Errors of the net fall about as fast.
    const double rays = static_cast<double>(options.rays_per_cell);
    return std::clamp(thickest * std::pow(1024 / rays, 0.4), least_thickness, thickest);
  }
  if (target.absolute) return 0.0;
  const double rms = target.norm == ErrorNorm::rms ? target.error : target.error / 4;
  return std::min(thickest * std::pow(rms / 0.01, 0.6), thickest);
}

std::optional<ThinPoints> ThinPoints::make(const Tracer& tracer, const ThinScene& scene) {
  const Options& options = tracer.options();
  const Grid& grid = tracer.grid();
  if (options.thin_starts == ThinStarts::cells || options.unbiased || scene.levels < 2 ||
      options.start == StartPoint::uniform || options.rays_per_cell > most_rays / (2 * node_rays)) {
    return std::nullopt;
  }
  for (const std::size_t a : {0, 1, 2}) {
    if (grid.cells(a) < fewest_cells || grid.cells(a) % 2 != 0) return std::nullopt;
  }
  // On rougher fields the bias is larger, which a smaller thickness makes up for; beyond that, near
  // fronts of a few cells, what even thin points absorb is no smooth function of space.
  constexpr double resolved = 0.6;
  constexpr double roughest = 0.82;
  const double phase = scene.structures.phase;
  if (phase > roughest) return std::nullopt;
  const double rough = phase > resolved ? std::pow(resolved / phase, 2.5) : 1.0;
  const double thickness = thin_thickness(options) * rough;
  if (thickness < least_thickness) return std::nullopt;
  const double below = thickness / scene.structures.width;
  ThinPoints points(tracer, scene, below);
  points.relative_bias_ = bias_at_thickest * std::pow(thin_thickness(options) / thickest, 1.65);
  if (!points.thin_) return std::nullopt;
  return points;
}

ThinPoints::ThinPoints(const Tracer& tracer, const ThinScene& scene, double below) : below_(below) {
  const int threads = thread_count(tracer.options().threads);
  view_.nodes = scene.level[1];
  view_.first_node = view_.nodes.first_cell;
  view_.nodes.first_cell = 0;
  view_.temperatures = scene.table.nodes;
  const float middle = 0.5f * (scene.low + scene.high);
  const std::size_t count = scene.strengths.size();
  std::vector<char> is_thin(count);
  std::vector<PointStrength> thick(scene.strengths.begin(), scene.strengths.end());
  std::vector<PointStrength> thin = thick;
  bool any_thin = false;
  for (std::size_t s = 0; s < count; ++s) {
    const float k = scene.table.at(PointId{static_cast<int>(s)}, CellId{0}, middle).absorption;
    is_thin[s] = static_cast<double>(k) < below;
    (is_thin[s] ? thick : thin)[s].absorption = 0.0;
    if (!(scene.strengths[s].absorption * scene.strengths[s].intensity > 0)) continue;
    (is_thin[s] ? any_thin : any_thick_) = true;
  }
  if (!any_thin) return;
  for (const std::size_t a : {0, 1, 2}) along_[a] = weights_along(tracer.grid(), a);
  place_temperatures(scene.low, scene.high, scene.table.nodes);
#pragma omp parallel sections num_threads(threads)
  {
#pragma omp section
    thick_.emplace(thick, RayOrigin::gas, RaySampler::net);
#pragma omp section
    thin_.emplace(thin, RayOrigin::gas, RaySampler::net);
  }
  tabulate(scene, is_thin, threads);
}

/// Those of Chebyshev; at least a step of the table apart, for k to be smooth.
void ThinPoints::place_temperatures(float low, float high, int temperatures) {
  const float last = static_cast<float>(temperatures - 1);
  const float half = std::max(0.5f * (high - low), 0.5f);
  const float centre = std::clamp(0.5f * (low + high), half, std::max(half, last - half));
  for (int m = 0; m < thin_parts; ++m) {
    const double angle = (m + 0.5) * constants::pi / thin_parts;
    view_.at[m] = std::clamp(centre + half * static_cast<float>(std::cos(angle)), 0.0f, last);
  }
  for (int m = 0; m < thin_parts; ++m) {
    double scale = 1.0;
    for (int n = 0; n < thin_parts; ++n) {
      if (n != m) scale /= static_cast<double>(view_.at[m]) - static_cast<double>(view_.at[n]);
    }
    view_.scale[m] = static_cast<float>(scale);
  }
}

void ThinPoints::tabulate(const ThinScene& scene, const std::vector<char>& is_thin, int threads) {
  const PointTableView<float>& table = scene.table;
  const std::size_t count = is_thin.size();
  const float* inverse = thin_->view().inverse_probability;
  strength_.resize(count);
  emission_.resize(static_cast<std::size_t>(table.nodes));
  constexpr double four_pi = 4 * constants::pi;
  constexpr int block = 8;                   // neighbouring nodes share cache lines
  std::vector<ThinParts> absorption(count);  // k_s(T_m)
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static)
    for (std::size_t s = 0; s < count; ++s) {
      if (!is_thin[s]) continue;
      for (int m = 0; m < thin_parts; ++m) {
        const PointId point{static_cast<int>(s)};
        const float k = table.at(point, CellId{0}, view_.at[m]).absorption;
        absorption[s].of[m] = k;
        strength_[s].of[m] = static_cast<float>(four_pi * static_cast<double>(k * inverse[s]));
      }
    }
    // Each thread has some temperatures, and adds up the points in their order.
#pragma omp for schedule(static)
    for (int first = 0; first < table.nodes; first += block) {
      const int nodes = std::min(block, table.nodes - first);
      double sum[block][thin_parts] = {};
      for (std::size_t s = 0; s < count; ++s) {
        if (!is_thin[s]) continue;
        const PointNode<float>* node = table.node + static_cast<int>(s) * table.nodes + first;
        for (int t = 0; t < nodes; ++t) {
          const double intensity = static_cast<double>(node[t].intensity);
          for (int m = 0; m < thin_parts; ++m) {
            sum[t][m] += four_pi * static_cast<double>(absorption[s].of[m]) * intensity;
          }
        }
      }
      for (int t = 0; t < nodes; ++t) {
        for (int m = 0; m < thin_parts; ++m) {
          emission_[static_cast<std::size_t>(first + t)].of[m] = static_cast<float>(sum[t][m]);
        }
      }
    }
  }
}

}  // namespace ermine
