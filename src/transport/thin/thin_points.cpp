#include "transport/thin/thin_points.hpp"

#include "core/constants.hpp"
#include "core/thread_count.hpp"
#include "transport/scene/scene_cache.hpp"
#include "transport/thin/thin_basis.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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

/// Temperatures between which k is a polynomial, those of Chebyshev; at least a step of the table
/// apart, for k to be smooth.
class Polynomials {
 public:
  Polynomials(float low, float high, int temperatures, int count) : at_(count) {
    const double last = temperatures - 1;
    const double half = std::max(0.5 * static_cast<double>(high - low), 0.5);
    const double middle = 0.5 * static_cast<double>(low + high);
    const double centre = std::clamp(middle, half, std::max(half, last - half));
    for (std::size_t t = 0; t < at_.size(); ++t) {
      const double angle = (static_cast<double>(t) + 0.5) * constants::pi / count;
      at_[t] = std::clamp(centre + half * std::cos(angle), 0.0, last);
    }
  }

  int count() const { return static_cast<int>(at_.size()); }
  float at(int t) const { return static_cast<float>(at_[static_cast<std::size_t>(t)]); }

  /// Of that which is 1 at the t-th temperature and 0 at the others.
  double operator()(int t, double position) const {
    double value = 1.0;
    for (int other = 0; other < count(); ++other) {
      if (other == t) continue;
      const double zero = at_[static_cast<std::size_t>(other)];
      value *= (position - zero) / (at_[static_cast<std::size_t>(t)] - zero);
    }
    return value;
  }

 private:
  std::vector<double> at_;
};

/// Light that may arrive in a cell: from gas or walls of some temperatures, through gas of some.
constexpr int light_temperatures = 4;
constexpr int light_lengths = 3;
constexpr int examples_of_light = light_temperatures * (1 + light_temperatures * light_lengths);

/// The k of the densest gas at a position, lines neither wide nor narrow.
float densest(const ThinRows& rows, std::size_t point, float position) {
  float k = 0;
  for (int c = 0; c < rows.components; ++c) {
    k += rows.absorption(point, c, rows.intervals[c] / 2, position);
  }
  return k;
}

void fill_light(const ThinScene& scene, std::size_t point, float* light) {
  for (int from = 0; from < light_temperatures; ++from) {
    const auto position = [&](int number) {
      const float share = static_cast<float>(number) / (light_temperatures - 1);
      return scene.low + share * (scene.high - scene.low);
    };
    const float emitted = scene.rows.intensity(point).at(static_cast<int>(position(from)));
    *light++ = emitted;
    for (int through = 0; through < light_temperatures; ++through) {
      const float k = densest(scene.rows, point, position(through));
      for (const double length : {0.03, 0.2, 1.0}) {
        *light++ = emitted * std::exp(-k * static_cast<float>(length * scene.size));
      }
    }
  }
}

/// All that thin points depend on besides the tracer's problem.
struct ThinKey {
  SceneKey scene;
  float low, high;
  double below;

  bool operator==(const ThinKey&) const = default;
};

/// Down to a power of 2^(1/16): successive fields of a flow, whose structures differ a little, have
/// the same thin points.
double rounded(double below) { return std::exp2(std::floor(16 * std::log2(below)) / 16); }

}  // namespace

ThinRows thin_rows(const PointTableView<float>& table, std::size_t points) {
  return {points,
          table.nodes,
          1,
          {},
          0.0f,
          1.0f,
          [table](std::size_t s, int, int, float position) {
            return table.at(PointId{static_cast<int>(s)}, CellId{0}, position).absorption;
          },
          [table](std::size_t s) {
            const PointNode<float>* row = table.node + s * static_cast<std::size_t>(table.nodes);
            return ThinRows::Intensity{&row->intensity, sizeof(*row) / sizeof(float), 1.0f};
          }};
}

template <int most>
ThinRows thin_rows(const GasView<float, most>& medium, std::size_t points) {
  const PackedGasView gas = medium.packed;
  ThinRows rows{points, gas.nodes, gas.components, {}, gas.first, gas.steps, {}, {}};
  for (int c = 0; c < gas.components; ++c) {
    rows.intervals[c] = medium.component[c].layers > 1 ? gas.intervals[c] : 0;
  }
  rows.absorption = [gas](std::size_t s, int c, int width, float position) {
    const int interval = std::min(width, gas.intervals[c] - 1);
    const float of_gas = position * gas.gas_nodes_per_node;
    const int node = std::min(static_cast<int>(of_gas), gas.gas_nodes - 1);
    const GasNode k = gas.node[c][gas.point[s].row[c] + interval * gas.gas_nodes + node];
    return absorption_at(k, of_gas - static_cast<float>(node),
                         static_cast<float>(width - interval)) *
           gas.scale;
  };
  rows.intensity = [gas](std::size_t s) {
    const IntensityNode* row = gas.intensity + gas.point[s].band;
    return ThinRows::Intensity{&row->intensity, sizeof(*row) / sizeof(float), gas.point[s].weight};
  };
  return rows;
}
template ThinRows thin_rows(const GasView<float, most_gas_components>&, std::size_t);

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

std::shared_ptr<const ThinPoints> ThinPoints::make(const Tracer& tracer, const ThinScene& scene) {
  const Options& options = tracer.options();
  const Grid& grid = tracer.grid();
  if (options.thin_starts == ThinStarts::cells || options.unbiased || scene.levels < 2 ||
      options.rays_per_cell > most_rays / (2 * node_rays)) {
    return nullptr;
  }
  for (const std::size_t a : {0, 1, 2}) {
    if (grid.cells(a) < fewest_cells || grid.cells(a) % 2 != 0) return nullptr;
  }
  // On rougher fields the bias is larger, which a smaller thickness makes up for; beyond that, near
  // fronts of a few cells, what even thin points absorb is no smooth function of space.
  constexpr double resolved = 0.6;
  constexpr double roughest = 0.82;
  const double phase = scene.structures.phase;
  if (phase > roughest) return nullptr;
  const double rough = phase > resolved ? std::pow(resolved / phase, 2.5) : 1.0;
  const double thickness = thin_thickness(options) * rough;
  if (thickness < least_thickness) return nullptr;
  const ThinKey key{scene.key, scene.low, scene.high, rounded(thickness / scene.structures.width)};
  return scene_cache(tracer).get<ThinPoints>(key, [&]() -> std::shared_ptr<const ThinPoints> {
    ThinPoints points(tracer, scene, key.below);
    if (!points.thin_) return nullptr;
    // Many components of different temperatures may be too much for so few numbers.
    constexpr double largest_basis_error = 0.01;
    if (points.basis_error_ > largest_basis_error) return nullptr;
    const double bias = bias_at_thickest * std::pow(thin_thickness(options) / thickest, 1.65);
    points.relative_bias_ = std::hypot(bias, points.basis_error_);
    return std::make_shared<const ThinPoints>(std::move(points));
  });
}

std::size_t ThinPoints::bytes() const {
  std::size_t parts = strength_.size() + emission_.size();
  for (const auto& basis : basis_) parts += basis.size();
  return parts * sizeof(ThinParts) + thick_->bytes() + thin_->bytes();
}

ThinPoints::ThinPoints(const Tracer& tracer, const ThinScene& scene, double below) : below_(below) {
  const int threads = thread_count(tracer.options().threads);
  view_.nodes = scene.level[1];
  view_.first_node = view_.nodes.first_cell;
  view_.nodes.first_cell = 0;
  const ThinRows& rows = scene.rows;
  view_.temperatures = rows.temperatures;
  view_.components = rows.components;
  view_.first = rows.first;
  view_.steps = rows.steps;
  for (int c = 0; c < rows.components; ++c) view_.intervals[c] = rows.intervals[c];
  const float middle = 0.5f * (scene.low + scene.high);
  std::vector<std::size_t> is_thin;
  std::vector<PointStrength> thick(scene.strengths.begin(), scene.strengths.end());
  std::vector<PointStrength> thin = thick;
  bool any_thin = false;
  for (std::size_t s = 0; s < rows.points; ++s) {
    double k = 0.0;  // the largest of any composition
    for (int c = 0; c < rows.components; ++c) {
      float largest = 0;
      for (int width = 0; width <= rows.intervals[c]; ++width) {
        largest = std::max(largest, rows.absorption(s, c, width, middle));
      }
      k += static_cast<double>(largest);
    }
    if (k < below) is_thin.push_back(s);
    (k < below ? thick : thin)[s].absorption = 0.0;
    if (!(scene.strengths[s].absorption * scene.strengths[s].intensity > 0)) continue;
    (k < below ? any_thin : any_thick_) = true;
  }
  if (!any_thin) return;
  for (const std::size_t a : {0, 1, 2}) along_[a] = weights_along(tracer.grid(), a);
#pragma omp parallel sections num_threads(threads)
  {
#pragma omp section
    thick_.emplace(thick, RayOrigin::gas, RaySampler::net);
#pragma omp section
    thin_.emplace(thin, RayOrigin::gas, RaySampler::net);
  }
  tabulate(scene, is_thin, threads);
}

void ThinPoints::tabulate(const ThinScene& scene, const std::vector<std::size_t>& thin,
                          int threads) {
  const ThinRows& rows = scene.rows;
  const bool one = rows.components == 1 && rows.intervals[0] == 0;
  const Polynomials polynomials(scene.low, scene.high, rows.temperatures, one ? thin_parts : 6);

  // Samples: temperature fastest, then line width, then component.
  std::size_t count = 0;
  for (int c = 0; c < rows.components; ++c) {
    count += static_cast<std::size_t>((rows.intervals[c] + 1) * polynomials.count());
  }
  std::vector<float> samples(thin.size() * count);
  std::vector<float> light(thin.size() * examples_of_light);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t i = 0; i < thin.size(); ++i) {
    float* sample = samples.data() + i * count;
    for (int c = 0; c < rows.components; ++c) {
      for (int width = 0; width <= rows.intervals[c]; ++width) {
        for (int t = 0; t < polynomials.count(); ++t) {
          *sample++ = rows.absorption(thin[i], c, width, polynomials.at(t));
        }
      }
    }
    fill_light(scene, thin[i], light.data() + i * examples_of_light);
  }
  const ThinBasis basis(samples, count, light, thin.size(), threads);
  basis_error_ = basis.relative_error;

  constexpr double four_pi = 4 * constants::pi;
  const float* inverse = thin_->view().inverse_probability;
  strength_.resize(rows.points);
  for (std::size_t i = 0; i < thin.size(); ++i) {
    const float weight = rows.intensity(thin[i]).weight;
    const double factor = four_pi * static_cast<double>(inverse[thin[i]] * weight);
    for (std::size_t m = 0; m < thin_parts; ++m) {
      strength_[thin[i]].of[m] = static_cast<float>(factor * basis.of_point[i][m]);
    }
  }
  emission_.resize(static_cast<std::size_t>(rows.temperatures));
  constexpr int block = 8;  // neighbours share cache lines
  // Each thread has some temperatures, and adds up the points in their order.
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int from = 0; from < rows.temperatures; from += block) {
    const int end = std::min(from + block, rows.temperatures);
    double sum[block][thin_parts] = {};
    for (std::size_t i = 0; i < thin.size(); ++i) {
      const ThinRows::Intensity row = rows.intensity(thin[i]);
      for (int t = from; t < end; ++t) {
        const double intensity = four_pi * static_cast<double>(row.at(t));
        for (std::size_t m = 0; m < thin_parts; ++m) {
          sum[t - from][m] += basis.of_point[i][m] * intensity;
        }
      }
    }
    for (int t = from; t < end; ++t) {
      for (std::size_t m = 0; m < thin_parts; ++m) {
        emission_[static_cast<std::size_t>(t)].of[m] = static_cast<float>(sum[t - from][m]);
      }
    }
  }
  std::size_t first = 0;
  for (int c = 0; c < rows.components; ++c) {
    auto& of_component = basis_[static_cast<std::size_t>(c)];
    for (int width = 0; width <= rows.intervals[c]; ++width) {
      for (int t = 0; t < rows.temperatures; ++t) {
        ThinParts& parts = of_component.emplace_back();
        for (std::size_t m = 0; m < thin_parts; ++m) {
          double sum = 0.0;
          for (int p = 0; p < polynomials.count(); ++p) {
            sum += polynomials(p, t) * basis.of_sample[first + static_cast<std::size_t>(p)][m];
          }
          parts.of[m] = static_cast<float>(sum);
        }
      }
      first += static_cast<std::size_t>(polynomials.count());
    }
  }
}

}  // namespace ermine
