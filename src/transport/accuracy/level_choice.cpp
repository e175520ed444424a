#include "transport/accuracy/level_choice.hpp"

#include "transport/accuracy/error_norm.hpp"
#include "transport/accuracy/paired_rays.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace ermine {
namespace {

/// Tiles whose rays are followed at several resolutions.
constexpr std::size_t most_cell_tiles = 256;
constexpr std::size_t fewest_cell_tiles = 16;
constexpr std::size_t most_wall_tiles = 16;  ///< of each side

/// Rays of a resolution, as a share of those of the run: they cross more cells.
constexpr double share_of_run = 0.1;

/// Along the longest axis. One level takes hardly longer there than many.
constexpr std::size_t small_grid = 24;

/// A resolution that may be tried.
struct Candidate {
  int levels;          ///< 0: as many as there are
  int times;           ///< its steps over Options::steps_per_level
  double least_share;  ///< smallest share of the first candidate's bias that any field has shown
};

/// In the order of usual costs. More steps see the field near a ray's origin more sharply. Fewer
/// levels do not blur any of it beyond recognition: behind a front, a coarse cell of one
/// temperature is wrong however far away it is, and fewer levels then cross fewer cells to the same
/// bias.
constexpr std::array cell_candidates{
    Candidate{0, 1, 1.0},  Candidate{0, 2, 0.25}, Candidate{4, 2, 0.2},  Candidate{3, 2, 0.1},
    Candidate{0, 4, 0.08}, Candidate{3, 4, 0.05}, Candidate{0, 8, 0.03}, Candidate{2, 2, 0.03},
    Candidate{3, 8, 0.02}, Candidate{2, 4, 0.0}};

/// Rays of walls are few, and totals of walls are known better than Q.
constexpr std::array wall_candidates{
    Candidate{0, 1, 1.0},  Candidate{0, 2, 0.3},  Candidate{3, 1, 0.06},
    Candidate{0, 4, 0.08}, Candidate{3, 4, 0.05}, Candidate{2, 1, 0.015},
    Candidate{0, 8, 0.03}, Candidate{2, 8, 0.01}, Candidate{0, 16, 0.0}};

/// A resolution is worth its bias only if it crosses less than this share of what one level does.
constexpr double worthwhile = 0.85;

/// Shares of what is allowed to errors: of the target, or 1 % if that is less. Totals of runs that
/// have no target need not be worse than their noise.
constexpr double source_share = 0.5;
constexpr double gas_share = 0.55;
constexpr double wall_share = 0.4;
constexpr double class_share = 1.0;
constexpr double most_relative = 0.01;
constexpr double relative_default = 0.005;
/// Without a target: of the root mean square of Q.
constexpr double source_default = 0.004;

/// Tiles of cells that are looked at.
std::size_t cell_tiles(const LevelScene& scene) {
  const double run = static_cast<double>(scene.grid.cell_count()) *
                     static_cast<double>(scene.options.rays_per_cell);
  const double tiles =
      share_of_run * run / (cells_per_tile * PairedRays::nets * PairedRays::rays_of_net);
  return static_cast<std::size_t>(std::clamp<double>(tiles, fewest_cell_tiles, most_cell_tiles));
}

/// A bias with its error over what is allowed.
double over(const Estimate& bias, double allowed) {
  const double found = std::abs(bias.value) + bias.standard_error;
  if (found == 0.0) return 0.0;
  const double ratio = found / allowed;
  return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
}

/// The cells of a choice.
class CellBias {
 public:
  CellBias(ReplicateTracer& rays, const LevelScene& scene)
      : rays_(rays),
        scene_(scene),
        pairs_(rays, Sum::cells,
               spread_over(0, rays.tile_count(Sum::cells), cell_tiles(scene), scene.options.seed),
               scene.all.levels) {}

  /// Measures the bias of a resolution.
  void follow(const Resolution& resolution, LevelBias& bias) {
    pairs_.follow(resolution);
    std::vector<std::vector<Estimate>> all;
    std::array<std::vector<std::vector<Estimate>>, class_count> of_class;
    std::array<std::vector<Estimate>, class_count> change_of_class;
    absorbed_ = {};
    exchanged_ = 0.0;
    double lost = 0.0;
    std::vector<Estimate> values;
    double noise = 0.0;
    const auto volume = [&](std::size_t i) { return scene_.grid.volume(i); };
    for (std::size_t tile = 0; tile < pairs_.tiles(); ++tile) {
      std::vector<Estimate> changes;
      std::array<std::vector<Estimate>, class_count> classes;
      std::array<double, class_count> sums{};
      pairs_.each(tile, [&](std::size_t i, std::size_t number) {
        const Estimate& one = pairs_.value(number);
        const Estimate& change = pairs_.change(number);
        const std::size_t c =
            temperature_class(scene_.temperature[i], scene_.coldest, scene_.hottest);
        changes.push_back(change);
        classes[c].push_back(change);
        values.push_back(one);
        sums[c] += volume(i) * change.value;
        absorbed_[c] += volume(i) * (scene_.emission[i] - one.value);
        exchanged_ += 0.5 * volume(i) * std::abs(one.value);
        lost += volume(i) * one.value;
        noise += one.standard_error * one.standard_error;
      });
      for (std::size_t c = 0; c < class_count; ++c) {
        change_of_class[c].push_back({sums[c], 0.0});
        if (!classes[c].empty()) of_class[c].push_back(std::move(classes[c]));
      }
      all.push_back(std::move(changes));
    }
    const std::vector<Estimate> gas = pairs_.changes(volume, {0, pairs_.tiles()});
    const double left_out =
        static_cast<double>(rays_.tile_count(Sum::cells)) / static_cast<double>(gas.size());
    bias.source = norm_of_values(all, scene_.options.target);
    bias.gas = extrapolated(gas, rays_.tile_count(Sum::cells));
    for (std::size_t c = 0; c < class_count; ++c) {
      bias.classes[c] = norm_of_values(of_class[c], {});
      change_[c] = extrapolated(change_of_class[c], rays_.tile_count(Sum::cells));
      absorbed_[c] *= left_out;
    }
    exchanged_ = left_out * std::max(exchanged_, std::abs(lost));
    bias.rms = root_mean_square(values);
    // The variance of one net of so many rays, of which there were several.
    noise_of_net_ = std::sqrt(PairedRays::nets * noise /
                              static_cast<double>(std::max<std::size_t>(values.size(), 1)));
  }

  double cost() const { return pairs_.cost(); }

  /// The bias just measured over what is allowed, where it is worst: at most 1 is small enough.
  double excess(const LevelBias& bias) const {
    const Options& options = scene_.options;
    const ErrorTarget& target = options.target;
    double allowed = 0.0;
    double relative = relative_default;
    if (target.error > 0) {
      const double error = target.absolute ? target.error : target.error * bias.rms;
      allowed = source_share * error;
      relative = std::min(most_relative, bias.rms > 0 ? error / bias.rms : 0.0);
    } else {
      allowed = std::min(source_default * bias.rms, noise_of_run());
    }
    double worst =
        std::max(over(bias.source, allowed), over(bias.gas, gas_share * relative * exchanged_));
    const double all = std::accumulate(absorbed_.begin(), absorbed_.end(), 0.0);
    for (std::size_t c = 0; c < class_count; ++c) {
      constexpr double counts = 0.01;  // of all that is absorbed
      if (!(absorbed_[c] > counts * all)) continue;
      worst = std::max(worst, over(change_[c], class_share * relative * absorbed_[c]));
    }
    return worst;
  }

 private:
  /// Standard error of Q that the rays of the options will have. Errors of nets fall with their
  /// size to a power of about 0.65.
  double noise_of_run() const {
    const Options& options = scene_.options;
    const double net = rays_per_replicate(options.rays_per_cell, options.replicates);
    return noise_of_net_ * std::pow(PairedRays::rays_of_net / net, 0.65) /
           std::sqrt(options.replicates);
  }

  ReplicateTracer& rays_;
  const LevelScene& scene_;
  PairedRays pairs_;
  std::array<double, class_count> absorbed_{};  ///< by all cells of a class [W]
  std::array<Estimate, class_count> change_;    ///< of it
  double exchanged_ = 0.0;                      ///< heat, among gas and walls [W]
  double noise_of_net_ = 0.0;
};

/// The walls of a choice.
class WallBias {
 public:
  WallBias(ReplicateTracer& rays, const LevelScene& scene)
      : rays_(rays),
        scene_(scene),
        pairs_(rays, Sum::walls, some_of_all_sides(rays, scene), scene.all.levels) {
    for (const Face face : all_faces) {
      if (scene.grid.walled(face)) area_[static_cast<std::size_t>(face)] = area_of(face);
    }
  }

  /// Measures the bias of the heat lost by each side.
  void follow(const Resolution& resolution, LevelBias& bias) {
    pairs_.follow(resolution);
    std::size_t first_tile = 0;
    std::size_t first_origin = 0;
    for (const Face face : all_faces) {
      const auto side = static_cast<std::size_t>(face);
      const std::size_t all = rays_.wall_tiles_of(face);
      if (all == 0) continue;
      const auto area = [&](std::size_t origin) {
        return scene_.grid.face_cell_area(face, origin - first_origin);
      };
      const IndexRange tiles{first_tile, first_tile + std::min(all, most_wall_tiles)};
      first_tile = tiles.end;
      bias.walls[side] = extrapolated(pairs_.changes(area, tiles), all);
      heat_[side] = extrapolated(pairs_.values(area, tiles), all).value;
      std::vector<Estimate> fluxes;
      for (std::size_t tile = tiles.begin; tile < tiles.end; ++tile) {
        pairs_.each(
            tile, [&](std::size_t, std::size_t number) { fluxes.push_back(pairs_.value(number)); });
      }
      flux_[side] = root_mean_square(fluxes);
      first_origin += scene_.grid.face_cell_count(face);
    }
  }

  double cost() const { return pairs_.cost(); }

  double excess(const LevelBias& bias) const {
    double largest = 0.0;  // mean flux
    for (std::size_t side = 0; side < 6; ++side) {
      if (area_[side] > 0) largest = std::max(largest, std::abs(heat_[side]) / area_[side]);
    }
    const ErrorTarget& target = scene_.options.target;
    double relative = target.error > 0 ? most_relative : relative_default;
    if (target.error > 0 && !target.absolute) relative = std::min(relative, target.error);
    double worst = 0.0;
    for (std::size_t side = 0; side < 6; ++side) {
      // A side that hardly loses or gains heat, or as much here as there, need not be known to a
      // part of that.
      constexpr double counts = 0.1;
      constexpr double counts_locally = 0.7;
      const double least = std::max(counts * largest, counts_locally * flux_[side]) * area_[side];
      const double flux = std::max(std::abs(heat_[side]), least);
      worst = std::max(worst, over(bias.walls[side], wall_share * relative * flux));
    }
    return worst;
  }

 private:
  double area_of(Face face) const {
    double area = 1.0;
    for (const std::size_t a : {0, 1, 2}) {
      if (a != axis_of(face)) area *= scene_.grid.length(a);
    }
    return area;
  }

  static std::vector<int> some_of_all_sides(const ReplicateTracer& rays, const LevelScene& scene) {
    std::vector<int> tiles;
    std::size_t first = 0;
    for (const Face face : all_faces) {
      const std::size_t count = rays.wall_tiles_of(face);
      const auto some = spread_over(first, count, most_wall_tiles, scene.options.seed);
      tiles.insert(tiles.end(), some.begin(), some.end());
      first += count;
    }
    return tiles;
  }

  ReplicateTracer& rays_;
  const LevelScene& scene_;
  PairedRays pairs_;
  std::array<double, 6> heat_{};  ///< lost by each side [W]
  std::array<double, 6> area_{};  ///< [m2]
  std::array<double, 6> flux_{};  ///< of its face cells, root mean square [W/m2]
};

bool has_wall_rays(const ReplicateTracer& rays, const Options& options) {
  return options.rays_per_wall_face != 0 && rays.tile_count(Sum::walls) > 0;
}

/// Whether rays of walls are so many that levels may save more time than their choice takes. They
/// save a third of all crossings or so; the choice follows its own rays two or three times.
bool worth_choosing_for_walls(const ReplicateTracer& rays, const LevelScene& scene) {
  constexpr double enough = 8.0;                // times those of the choice
  if (scene.options.target.any()) return true;  // their number is not known yet
  std::size_t tiles = 0;
  std::size_t faces = 0;
  for (const Face face : all_faces) {
    tiles += std::min(rays.wall_tiles_of(face), most_wall_tiles);
    if (scene.grid.walled(face)) faces += scene.grid.face_cell_count(face);
  }
  const double looked_at =
      static_cast<double>(tiles) * cells_per_tile * PairedRays::nets * PairedRays::rays_of_net;
  return static_cast<double>(faces) * static_cast<double>(scene.options.rays_per_wall_face) >
         enough * looked_at;
}

LevelChoice chosen(ReplicateTracer& rays, const LevelScene& scene) {
  LevelChoice choice{one_level, one_level, LevelBias{}};
  std::size_t longest = 0;
  for (const std::size_t a : {0, 1, 2}) longest = std::max(longest, scene.grid.cells(a));
  if (longest <= small_grid || scene.all.levels == 1) return choice;
  const auto cheapest = [&](auto& origins, const auto& candidates, Resolution& resolution) {
    double first_excess = 0.0;
    std::vector<Resolution> too_long;
    for (const auto& [levels, times, least_share] : candidates) {
      if (levels >= scene.all.levels) continue;
      if (least_share * first_excess > 1.0) continue;
      const Resolution tried{levels == 0 ? scene.all.levels : levels,
                             times * scene.options.steps_per_level};
      // More steps on fewer levels cross more cells.
      const auto longer = [&](const Resolution& other) {
        return tried.levels <= other.levels && tried.steps >= other.steps;
      };
      if (std::ranges::any_of(too_long, longer)) continue;
      LevelBias bias = *choice.bias;
      origins.follow(tried, bias);
      const double excess = origins.excess(bias);
      if (first_excess == 0.0) first_excess = excess;
      if (origins.cost() > worthwhile) {
        too_long.push_back(tried);
        continue;
      }
      if (excess > 1.0) continue;
      resolution = tried;
      *choice.bias = bias;
      return;
    }
  };
  CellBias cells(rays, scene);
  cheapest(cells, cell_candidates, choice.cells);
  if (has_wall_rays(rays, scene.options) && worth_choosing_for_walls(rays, scene)) {
    WallBias walls(rays, scene);
    cheapest(walls, wall_candidates, choice.walls);
  }
  return choice;
}

}  // namespace

std::size_t temperature_class(double kelvin, double coldest, double hottest) {
  std::size_t c = 0;
  while (c + 1 < class_count && kelvin > coldest + class_ends[c] * (hottest - coldest)) ++c;
  return c;
}

LevelChoice choose_levels(ReplicateTracer& rays, const LevelScene& scene) {
  const Options& options = scene.options;
  if (options.levels == automatic_levels && !options.unbiased) return chosen(rays, scene);
  const Resolution asked = options.levels == 1 ? one_level : scene.all;
  LevelChoice choice{asked, asked, std::nullopt};
  measure_bias(rays, scene, choice);
  return choice;
}

void measure_bias(ReplicateTracer& rays, const LevelScene& scene, LevelChoice& choice) {
  const Options& options = scene.options;
  const bool cells = choice.cells.levels > 1;
  const bool walls = choice.walls.levels > 1 && has_wall_rays(rays, options);
  // A target is of all errors, whether these were asked for or not.
  const bool wanted =
      options.estimate_bias || options.levels == automatic_levels || options.target.error > 0;
  if ((cells || walls) && (options.unbiased || !wanted)) return;
  choice.bias = LevelBias{};
  if (cells) CellBias(rays, scene).follow(choice.cells, *choice.bias);
  if (walls) WallBias(rays, scene).follow(choice.walls, *choice.bias);
}

}  // namespace ermine
