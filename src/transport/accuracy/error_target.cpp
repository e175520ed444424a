#include "transport/accuracy/error_norm.hpp"
#include "transport/net/net_solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ermine {
namespace {

/// Rays of a cell with which a run begins.
constexpr std::uint32_t pilot_rays = 64;

/// Level of the variance to which those above it must come down for the norm to be as allowed.
double variance_level(std::vector<double> variances, const ErrorTarget& target, double allowed) {
  const double wanted = allowed * allowed;
  if (target.norm != ErrorNorm::rms) return wanted;
  // With the n smallest left as they are and all others at the level: the mean is as wanted.
  std::sort(variances.begin(), variances.end());
  double kept = 0.0;
  for (std::size_t n = 0; n < variances.size(); ++n) {
    const double level = (wanted * static_cast<double>(variances.size()) - kept) /
                         static_cast<double>(variances.size() - n);
    if (level <= variances[n]) return level;
    kept += variances[n];
  }
  return wanted;
}

/// Adds rays until an error is small enough. Errors fall with the size n of a net as n^-a, a about
/// 0.6 to 0.8, and with the number of replicates R only as R^-1/2: nets grow as long as much is
/// missing; for the rest, tiles with large errors get more replicates.
class Campaign {
 public:
  Campaign(ReplicateTracer& rays, const Tracer& tracer, const Stopwatch& clock,
           const Result& result)
      : rays_(rays),
        grid_(tracer.grid()),
        options_(tracer.options()),
        clock_(clock),
        levels_(result.levels),
        thin_bias_(thin_bias(result, options_.target)) {}

  void run(Result& result) {
    const double begun = clock_.seconds();
    const std::uint32_t net = options_.target.error > 0 ? trace_cells(result) : trace_all_cells();
    const double done = clock_.seconds();
    result.seconds.gas = done - begun;
    trace_walls(net, result.accuracy);
    result.seconds.walls = clock_.seconds() - done;
  }

 private:
  /// To the target. Returns the rays of a net.
  std::uint32_t trace_cells(Result& result) {
    Accuracy& accuracy = result.accuracy;
    Nets cells{Sum::cells, 0, 0.0};
    trace_new(cells, first_rays(options_));
    bias_ = accuracy.bias.value;
    corrected_ = levels_ > 1 && (options_.unbiased || bias_ > 0.6 * target());
    if (corrected_) forget_bias(result);
    const bool reached = converge(cells);
    accuracy.corrected = corrected_;
    accuracy.target = target();
    accuracy.stopped_by = reached ? StoppedBy::target : stopped_by_;
    return cells.rays;
  }

  /// Those that the options ask for.
  std::uint32_t trace_all_cells() {
    const std::uint32_t each = rays_per_replicate(options_.rays_per_cell, options_.replicates);
    trace(Sum::cells, options_.replicates, each);
    corrected_ = options_.unbiased && levels_ > 1;
    if (corrected_) trace(Sum::cell_correction, options_.replicates, correction_rays(each));
    return each;
  }

  /// It is removed.
  void forget_bias(Result& result) {
    bias_ = 0.0;
    result.accuracy.bias = {};
    result.accuracy.bias_by_temperature.clear();
    result.ledger.gas_bias = {};
    for (WallFlux& wall : result.wall_flux) wall.bias = {};
  }

  /// All nets of a sum have as many rays.
  struct Nets {
    Sum sum;
    std::uint32_t rays;
    double error;  ///< in the norm of the target, with the margin for its uncertainty [W/m3]
  };

  double target() const {
    return options_.target.absolute ? options_.target.error : options_.target.error * rms_;
  }

  /// Squares of errors add up: what the bias leaves of the target is for the noise of the cells,
  /// or of cells and corrections.
  double allowed(Sum sum) const {
    const double bias = std::hypot(bias_, unseen_bias());
    const double noise = std::sqrt(std::max(target() * target() - bias * bias, 0.0));
    if (!corrected_) return noise;
    return (is_correction(sum) ? 0.6 : 0.8) * noise;
  }

  /// Cells, then corrections, then both together.
  bool converge(Nets& cells) {
    const double walls = static_cast<double>(rays_.tile_count(Sum::walls)) /
                         static_cast<double>(rays_.tile_count(Sum::cells));
    const double wall_share = options_.rays_per_wall_face != 0 ? walls / (1 + walls) : 0.0;
    if (options_.target.time_limit > 0) {
      reserve_ = std::max(time_left(), 0.0) * (corrected_ ? 0.3 + 0.7 * wall_share : wall_share);
    }
    bool reached = converge(cells, 1.0);
    Nets correction{Sum::cell_correction, 0, 0.0};
    if (corrected_) {
      reserve_ *= wall_share / (0.3 + 0.7 * wall_share);
      const std::size_t tiles = rays_.tile_count(correction.sum);
      const double most = affordable(correction.sum, tiles) / options_.replicates;
      const auto wanted = correction_rays(cells.rays);
      trace_new(correction, static_cast<std::uint32_t>(std::clamp<double>(most, 2, wanted)));
      reached = converge(correction, 1.0) && reached;
    }
    for (double tighter = 0.9; reached && error_of_all() > target(); tighter *= 0.9) {
      reached = converge(cells, tighter);
      if (corrected_) reached = converge(correction, tighter) && reached;
    }
    reserve_ = 0.0;
    return reached;
  }

  double error_of_all() {
    std::vector<double> errors;
    for (const Estimate& cell : rays_.origins(Sum::cells)) errors.push_back(cell.standard_error);
    if (corrected_) {
      const auto corrections = rays_.origins(Sum::cell_correction);
      for (std::size_t i = 0; i < errors.size(); ++i) {
        errors[i] = std::hypot(errors[i], corrections[i].standard_error);
      }
    }
    const double noise = margin(Sum::cells) * norm_of(errors, options_.target);
    return std::hypot(noise, bias_, unseen_bias());
  }

  /// What thin points that start in blocks may be off by, see ThinPoints.
  double unseen_bias() const { return thin_bias_ * rms_; }

  /// Seconds left of the limit.
  double time_left() {
    const double limit = options_.target.time_limit;
    return limit > 0 ? limit - reserve_ - rays_.latest(clock_.seconds())
                     : std::numeric_limits<double>::infinity();
  }

  /// Traces replicates and learns how long they take.
  void trace(Sum sum, int count, std::uint32_t rays, std::span<const int> tiles = {}) {
    const double before = clock_.seconds();
    rays_.trace(sum, count, rays, tiles);
    rays_.counts();  // waits for them
    const auto of_tiles = static_cast<double>(tiles.empty() ? rays_.tile_count(sum) : tiles.size());
    const double seconds = rays_.latest(clock_.seconds() - before);
    seconds_per_ray_[static_cast<std::size_t>(sum)] = seconds / (of_tiles * count * rays);
  }

  /// Rays of each origin of so many tiles that the time left is enough for. Rays of a sum that was
  /// never traced are taken to last as long as those of cells.
  double affordable(Sum sum, std::size_t tiles) {
    double each = seconds_per_ray_[static_cast<std::size_t>(sum)];
    if (!(each > 0)) each = seconds_per_ray_[static_cast<std::size_t>(Sum::cells)];
    return std::max(0.9 * time_left() / (each * static_cast<double>(tiles)), 0.0);
  }

  /// Replaces all nets by larger ones.
  void trace_new(Nets& nets, std::uint32_t rays) {
    rays_.clear(nets.sum);
    trace(nets.sum, options_.replicates, rays);
    nets.rays = rays;
    measure(nets);
  }

  void measure(Nets& nets) {
    const auto estimates = rays_.origins(nets.sum);
    nets.error = margin(nets.sum) * norm_of_errors(estimates, options_.target);
    if (nets.sum == Sum::cells) {
      // Where noise hides Q, a part of the noise stands for it until it is seen.
      rms_ = std::max(root_mean_square(estimates), 0.1 * norm_of_errors(estimates, {}));
    }
    if (rms_ > 0) rays_.report(nets.error / rms_);
  }

  /// Largest ratio of the true error to its estimate that is likely.
  double margin(Sum sum) {
    if (options_.target.norm != ErrorNorm::rms) return 1.0;
    // Where there are many groups, some of them tell how peaked the errors are.
    constexpr std::size_t enough = 256;
    const std::size_t step = rays_.group_count(sum) / enough + 1;
    std::vector<double> variances;
    const auto estimates = rays_.origins(sum);
    for (std::size_t g = 0; g < rays_.group_count(sum); g += step) {
      double& variance = variances.emplace_back();
      rays_.each_of_group(sum, g, [&](int origin) {
        const double error = estimates[static_cast<std::size_t>(origin)].standard_error;
        variance += error * error;
      });
    }
    return rms_margin(variances, options_.replicates);
  }

  /// Whether the error came down to a part of what is allowed.
  bool converge(Nets& nets, double part) {
    double exponent = 0.6;
    while (nets.error > part * allowed(nets.sum)) {
      if (rays_.hopeless()) return false;
      const double missing = nets.error / (0.9 * part * allowed(nets.sum));
      const double now = options_.replicates * static_cast<double>(nets.rays);
      const double most = std::min(affordable(nets.sum, rays_.tile_count(nets.sum)),
                                   static_cast<double>(rays_.rays_left(nets.sum))) /
                          now;
      if (const double factor = net_growth(missing, exponent, most); factor > 1) {
        const double before = nets.error;
        trace_new(nets, nets.rays * static_cast<std::uint32_t>(factor));
        const double gain = nets.error > 0 ? std::log(before / nets.error) / std::log(factor) : 1;
        exponent = std::clamp(gain, 0.5, 1.0);
      } else if (!add_replicates(nets, part * allowed(nets.sum) / margin(nets.sum))) {
        return false;
      }
    }
    return true;
  }

  /// To the tiles with the largest errors, until these are down at a common level. False if time
  /// or numbers are up.
  bool add_replicates(Nets& nets, double allowed);

  /// With as many rays as nets of so many of the cells have, or as the options ask for if these are
  /// more, and with what a target of walls takes.
  void trace_walls(std::uint32_t rays, Accuracy& accuracy) {
    if (options_.rays_per_wall_face == 0 || rays_.tile_count(Sum::walls) == 0) return;
    const int count = wall_replicates(options_);
    if (options_.target.time_limit > 0) {
      trace(Sum::walls, count, 2);  // learns how long they take
      rays_.clear(Sum::walls);
    }
    const double per_origin =
        affordable(Sum::walls, rays_.tile_count(Sum::walls)) / (count * (corrected_ ? 2 : 1));
    const std::int64_t of_cells = std::int64_t{rays} * options_.replicates;
    const std::int64_t wanted =
        std::max(options_.rays_per_wall_face, rays_of_wall_faces(grid_, of_cells));
    // What is asked for is traced, however long it takes.
    const double asked =
        static_cast<double>(std::max<std::int64_t>(options_.rays_per_wall_face, 0));
    const double affordable_rays =
        std::max(std::min(static_cast<double>(wanted) / count, per_origin), asked / count);
    const auto each = static_cast<std::uint32_t>(std::clamp(affordable_rays, 2.0, 4e9 / count));
    trace(Sum::walls, count, each);
    if (options_.target.wall_error > 0) converge_walls(each, accuracy);
    const bool corrects = corrected_ && !(options_.target.wall_error > 0);
    if (corrects) trace(Sum::wall_correction, count, correction_rays(each));
  }

  /// Larger nets until the error of fluxes is as asked for, or time or numbers are up.
  void converge_walls(std::uint32_t rays, Accuracy& accuracy) {
    const int count = wall_replicates(options_);
    for (;;) {
      const auto fluxes = rays_.origins(Sum::walls);
      accuracy.wall_error = norm_of_errors(fluxes, {});
      accuracy.wall_target = options_.target.wall_error * root_mean_square(fluxes);
      if (accuracy.wall_error <= accuracy.wall_target) {
        if (!(options_.target.error > 0)) accuracy.stopped_by = StoppedBy::target;
        return;
      }
      if (rays_.hopeless()) return;
      const double missing = accuracy.wall_error / (0.9 * accuracy.wall_target);
      const double time = affordable(Sum::walls, rays_.tile_count(Sum::walls));
      const auto numbers = static_cast<double>(rays_.rays_left(Sum::walls));
      const double most = std::min(time, numbers) / (static_cast<double>(rays) * count);
      if (!(most >= 2)) {
        accuracy.stopped_by = time < numbers ? StoppedBy::time_limit : StoppedBy::ray_limit;
        return;
      }
      const double wanted = std::pow(std::min(missing, 1e3), 1 / 0.6);
      rays *= static_cast<std::uint32_t>(std::clamp(std::ceil(wanted), 2.0, std::min(most, 16.0)));
      rays_.clear(Sum::walls);
      trace(Sum::walls, count, rays);
    }
  }

  ReplicateTracer& rays_;
  const Grid& grid_;
  const Options& options_;
  const Stopwatch& clock_;
  int levels_;
  double thin_bias_;  ///< over the root mean square of Q
  bool corrected_ = false;
  double bias_ = 0.0;                       ///< that stays [W/m3]
  double rms_ = 0.0;                        ///< of Q [W/m3]
  double reserve_ = 0.0;                    ///< seconds kept for what comes later
  double seconds_per_ray_[sum_count] = {};  ///< of each ray of all origins of a tile
  StoppedBy stopped_by_ = StoppedBy::time_limit;
};

bool Campaign::add_replicates(Nets& nets, double allowed) {
  const auto estimates = rays_.origins(nets.sum);
  std::vector<double> variances(rays_.tile_count(nets.sum));
  for (std::size_t t = 0; t < variances.size(); ++t) {
    const auto of_tile = rays_.of_tile(nets.sum, t);
    for (const Estimate& cell : of_tile) {
      variances[t] += cell.standard_error * cell.standard_error;
    }
    variances[t] /= static_cast<double>(of_tile.size());
  }
  const double level = variance_level(variances, options_.target, 0.95 * allowed);
  // The largest may stay as they are where a quantile is asked for.
  double largest = std::numeric_limits<double>::infinity();
  if (options_.target.norm == ErrorNorm::quantile) {
    ErrorTarget most = options_.target;
    most.quantile = 1 - 0.8 * (1 - most.quantile);
    largest = std::pow(norm_of_errors(estimates, most), 2) * (1 + 1e-12);
  }
  std::vector<int> tiles;
  for (std::size_t t = 0; t < variances.size(); ++t) {
    if (variances[t] > level && variances[t] <= largest) tiles.push_back(static_cast<int>(t));
  }
  const std::size_t count = tiles.empty() ? variances.size() : tiles.size();  // none: all
  const double numbers = static_cast<double>(rays_.rays_left(nets.sum)) / nets.rays;
  const double time = affordable(nets.sum, count) / nets.rays;
  const int replicates =
      static_cast<int>(std::clamp<double>(std::min(time, numbers), 0, options_.replicates));
  if (replicates < 1) {
    stopped_by_ = numbers < 1 ? StoppedBy::ray_limit : StoppedBy::time_limit;
    return false;
  }
  trace(nets.sum, replicates, nets.rays, tiles);
  measure(nets);
  return true;
}

}  // namespace

void trace_to_target(ReplicateTracer& rays, const Tracer& tracer, const Stopwatch& clock,
                     Result& result) {
  Campaign(rays, tracer, clock, result).run(result);
}

std::uint32_t first_rays(const Options& options) {
  return std::clamp<std::uint32_t>(pilot_rays / static_cast<std::uint32_t>(options.replicates), 2,
                                   16);
}

double net_growth(double missing, double exponent, double affordable) {
  const double growth = std::pow(missing, 1 / exponent);
  if (growth <= 1.8 || affordable < 2) return 1;
  // Not too far at once, as the exponent is not known well. Three halves of a power of two are the
  // second best.
  double factor = 2;
  for (const double larger : {3.0, 4.0, 6.0, 8.0, 12.0, 16.0}) {
    if (factor < growth && larger <= affordable) factor = larger;
  }
  return factor;
}

}  // namespace ermine
