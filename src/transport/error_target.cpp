#include "sampling/ray_stream.hpp"
#include "transport/error_norm.hpp"
#include "transport/net_solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ermine {
namespace {

/// Rays of the smallest nets, with which a run begins.
constexpr std::uint32_t pilot_rays = 16;
/// Rays of the nets that the bias is estimated with.
constexpr std::uint32_t probe_rays = 64;

/// Adds rays until an error is small enough. Errors fall with the size n of a net as n^-a, a about
/// 0.6 to 0.8, and with the number of replicates R only as R^-1/2: nets grow as long as much is
/// missing; for the rest, tiles with large errors get more replicates.
class Campaign {
 public:
  Campaign(ReplicateTracer& rays, const Options& options, const Stopwatch& clock, int levels)
      : rays_(rays), options_(options), clock_(clock), levels_(levels) {}

  void run(Result& result) {
    const ErrorTarget& target = options_.target;
    Accuracy& accuracy = result.accuracy;
    const double begun = clock_.seconds();
    Nets cells{Sum::cells, 0, 0.0};
    trace_new(cells, pilot_rays);
    rms_ = root_mean_square(rays_.origins(Sum::cells));
    accuracy.target = target.absolute ? target.error : target.error * rms_;
    accuracy.corrected = options_.unbiased && levels_ > 1;
    if (levels_ > 1 && !options_.unbiased) {
      accuracy.bias = probe(accuracy.target);
      accuracy.bias_estimated = true;
      accuracy.corrected = bias_bound(accuracy.bias) > 0.6 * accuracy.target;
      if (accuracy.corrected) accuracy.bias = {};
      rays_.clear(Sum::cell_correction);
    }
    // Squares of errors add up: of the cells, and of the bias or what is left of it.
    const double left = accuracy.corrected ? 0.0 : bias_bound(accuracy.bias);
    const double all = std::sqrt(std::max(accuracy.target * accuracy.target - left * left, 0.0));
    const double walls = static_cast<double>(rays_.tile_count(Sum::walls)) /
                         static_cast<double>(rays_.tile_count(Sum::cells));
    const double wall_share = options_.rays_per_wall_face > 0 ? walls / (1 + walls) : 0.0;
    if (target.time_limit > 0) {
      reserve_ =
          std::max(time_left(), 0.0) * (accuracy.corrected ? 0.3 + 0.7 * wall_share : wall_share);
    }
    bool reached = converge(cells, accuracy.corrected ? 0.8 * all : all);
    if (accuracy.corrected) {
      reserve_ *= wall_share / (0.3 + 0.7 * wall_share);
      Nets correction{Sum::cell_correction, 0, 0.0};
      const std::size_t tiles = rays_.tile_count(Sum::cell_correction);
      const double most = affordable(Sum::cell_correction, tiles) / options_.replicates;
      const auto wanted = std::max<std::uint32_t>(cells.rays / 16, 4);
      trace_new(correction, static_cast<std::uint32_t>(std::clamp<double>(most, 2, wanted)));
      reached = converge(correction, 0.6 * all) && reached;
    }
    reserve_ = 0.0;
    accuracy.stopped_by = reached ? StoppedBy::target : stopped_by_;
    const double done = clock_.seconds();
    result.seconds.gas = done - begun;
    trace_walls(cells.rays, accuracy.corrected);
    result.seconds.walls = clock_.seconds() - done;
  }

  /// Bias of the levels on some tiles, from rays that are followed both with and without them, to
  /// some part of a target.
  Estimate probe(double target);

 private:
  /// All nets of a sum have as many rays.
  struct Nets {
    Sum sum;
    std::uint32_t rays;
    double error;  ///< in the norm of the target [W/m3]
  };

  /// With its own uncertainty.
  static double bias_bound(const Estimate& bias) { return bias.value + bias.standard_error; }

  /// Seconds left of the limit.
  double time_left() const {
    const double limit = options_.target.time_limit;
    return limit > 0 ? limit - reserve_ - clock_.seconds()
                     : std::numeric_limits<double>::infinity();
  }

  /// Traces replicates and learns how long they take.
  void trace(Sum sum, int replicates, std::uint32_t rays, std::span<const int> tiles = {}) {
    const double before = clock_.seconds();
    rays_.trace(sum, {next_replicate_, replicates, rays}, tiles);
    next_replicate_ += static_cast<std::uint32_t>(replicates);
    rays_.counts();  // waits for them
    const auto count = static_cast<double>(tiles.empty() ? rays_.tile_count(sum) : tiles.size());
    seconds_per_ray_[static_cast<std::size_t>(sum)] =
        (clock_.seconds() - before) / (count * replicates * rays);
  }

  /// Rays of each origin of so many tiles that the time left is enough for. Rays of a sum that was
  /// never traced are taken to last as long as those of cells.
  double affordable(Sum sum, std::size_t tiles) const {
    double each = seconds_per_ray_[static_cast<std::size_t>(sum)];
    if (!(each > 0)) each = seconds_per_ray_[static_cast<std::size_t>(Sum::cells)];
    return 0.9 * time_left() / (each * static_cast<double>(tiles));
  }

  /// Replaces all nets by larger ones.
  void trace_new(Nets& nets, std::uint32_t rays) {
    rays_.clear(nets.sum);
    trace(nets.sum, options_.replicates, rays);
    nets.rays = rays;
    measure(nets);
  }

  void measure(Nets& nets) {
    nets.error = norm_of_errors(rays_.origins(nets.sum), options_.target);
    if (rms_ > 0) rays_.report(nets.error / rms_);
  }

  /// Whether the error came down to what is allowed.
  bool converge(Nets& nets, double allowed) {
    double exponent = 0.6;
    while (nets.error > allowed) {
      if (rays_.hopeless()) return false;
      const double missing = nets.error / (0.9 * allowed);
      const double growth = std::pow(missing, 1 / exponent);
      const double now = options_.replicates * static_cast<double>(nets.rays);
      const double most =
          std::min(affordable(nets.sum, rays_.tile_count(nets.sum)) / now, ray_limit() / nets.rays);
      if (growth > 1.8 && most >= 2) {
        // Not too far at once, as the exponent is not known well.
        // Three halves of a power of two are the second best.
        double factor = 2;
        for (const double larger : {3.0, 4.0, 6.0, 8.0, 12.0, 16.0}) {
          if (factor < growth && larger <= most) factor = larger;
        }
        const double before = nets.error;
        trace_new(nets, nets.rays * static_cast<std::uint32_t>(factor));
        const double gain = nets.error > 0 ? std::log(before / nets.error) / std::log(factor) : 1;
        exponent = std::clamp(gain, 0.5, 1.0);
      } else if (!add_replicates(nets, allowed)) {
        return false;
      }
    }
    return true;
  }

  /// Rays of a net up to which all keep numbers of 32 bits.
  double ray_limit() const {
    return static_cast<double>(most_rays) / (next_replicate_ + 2.0 * options_.replicates);
  }

  /// To the tiles with the largest errors, as many as bring these down to a common level. False if
  /// time or numbers are up.
  bool add_replicates(Nets& nets, double allowed);

  void trace_walls(std::uint32_t rays, bool corrected) {
    if (options_.rays_per_wall_face == 0 || rays_.tile_count(Sum::walls) == 0) return;
    if (options_.target.time_limit > 0) {
      trace(Sum::walls, options_.replicates, 2);  // learns how long they take
      rays_.clear(Sum::walls);
    }
    const double per_origin = affordable(Sum::walls, rays_.tile_count(Sum::walls)) /
                              (options_.replicates * (corrected ? 2 : 1));
    const auto most = static_cast<std::uint32_t>(std::clamp(per_origin, 2.0, 4e9));
    const std::uint32_t each = std::min(rays, most);
    trace(Sum::walls, options_.replicates, each);
    if (corrected) {
      trace(Sum::wall_correction, options_.replicates, std::max<std::uint32_t>(each / 16, 4));
    }
  }

  ReplicateTracer& rays_;
  const Options& options_;
  const Stopwatch& clock_;
  int levels_;
  std::uint32_t next_replicate_ = 0;
  double rms_ = 0.0;                        ///< of Q [W/m3]
  double reserve_ = 0.0;                    ///< seconds kept for what comes later
  double seconds_per_ray_[sum_count] = {};  ///< of each ray of all origins of a tile
  StoppedBy stopped_by_ = StoppedBy::time_limit;
};

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

bool Campaign::add_replicates(Nets& nets, double allowed) {
  const auto estimates = rays_.origins(nets.sum);
  std::vector<double> variances(rays_.tile_count(nets.sum));
  for (std::size_t t = 0; t < variances.size(); ++t) {
    const double error = estimates[rays_.first_origin(nets.sum, t)].standard_error;
    variances[t] = error * error;
  }
  const double level = variance_level(variances, options_.target, 0.95 * allowed);
  // The largest may stay as they are where a quantile is asked for.
  double largest = std::numeric_limits<double>::infinity();
  if (options_.target.norm == ErrorNorm::quantile) {
    ErrorTarget most = options_.target;
    most.quantile = 1 - 0.8 * (1 - most.quantile);
    largest = norm_of(variances, most);
  }
  std::vector<int> tiles;
  for (std::size_t t = 0; t < variances.size(); ++t) {
    if (variances[t] > level && variances[t] <= largest) tiles.push_back(static_cast<int>(t));
  }
  const std::size_t count = tiles.empty() ? variances.size() : tiles.size();  // none: all
  const double most = affordable(nets.sum, count) / static_cast<double>(nets.rays);
  const int replicates = static_cast<int>(std::min<double>(options_.replicates, most));
  if (replicates < 1) {
    stopped_by_ = StoppedBy::time_limit;
    return false;
  }
  if (nets.rays > ray_limit()) {
    stopped_by_ = StoppedBy::ray_limit;
    return false;
  }
  trace(nets.sum, replicates, nets.rays, tiles);
  measure(nets);
  return true;
}

Estimate Campaign::probe(double target) {
  const std::size_t tiles = rays_.tile_count(Sum::cells);
  const std::size_t wanted = std::clamp<std::size_t>(tiles / 32, 8, 64);
  std::vector<int> some;
  if (tiles <= wanted) {
    some.resize(tiles);
    std::iota(some.begin(), some.end(), 0);
  } else {
    RayStream stream({options_.seed, 0, 0, 0}, 0xFFFFFFFFu);
    while (some.size() < wanted) {
      const double u = stream.next().fine_uniform();
      const int tile = static_cast<int>(u * static_cast<double>(tiles));
      if (std::find(some.begin(), some.end(), tile) == some.end()) some.push_back(tile);
    }
  }
  constexpr int rounds = 4;
  Estimate bias;
  for (int round = 0; round < rounds; ++round) {
    trace(Sum::cell_correction, options_.replicates << round, probe_rays, some);
    bias = norm_of_values(rays_.origins(Sum::cell_correction), options_.target);
    const bool late = time_left() < 0.5 * options_.target.time_limit;
    if (bias.standard_error < 0.2 * target || late) break;
  }
  return bias;
}

}  // namespace

void trace_to_target(ReplicateTracer& rays, const Options& options, const Stopwatch& clock,
                     Result& result) {
  Campaign(rays, options, clock, result.levels).run(result);
}

Estimate estimate_bias(ReplicateTracer& rays, const Options& options, int levels) {
  if (levels == 1) return {};
  const Stopwatch clock;
  const double rms = root_mean_square(rays.origins(Sum::cells));
  const Estimate bias =
      Campaign(rays, options, clock, levels).probe(std::max(0.01 * rms, options.target.error));
  rays.clear(Sum::cell_correction);
  return bias;
}

}  // namespace ermine
