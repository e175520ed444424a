#include "transport/accuracy/pilot.hpp"

#include "core/thread_count.hpp"
#include "transport/net/net_solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace ermine {
namespace {

/// Tiles that are traced as one block.
constexpr std::size_t few_tiles = 64;

/// So many of all, spread evenly over them; empty: all, where these are many.
std::vector<int> spread_out(std::size_t count, std::size_t all) {
  std::vector<int> some;
  if (count >= all && all > few_tiles) return some;
  count = std::min(count, all);
  auto step = static_cast<std::size_t>(0.618 * static_cast<double>(all)) + 1;
  while (std::gcd(step, all) > 1) ++step;
  for (std::size_t i = 0; i < count; ++i) some.push_back(static_cast<int>(i * step % all));
  return some;
}

/// Shortest time that tells something, on a machine where threads have to wait for other programs
/// [s].
constexpr double telling_seconds = 0.1;

Cost smaller(const Cost& a, const Cost& b) {
  return {std::min(a.wall, b.wall), std::min(a.processor, b.processor)};
}

std::uint32_t whole(double rays) { return static_cast<std::uint32_t>(rays); }

}  // namespace

Cost Pilot::now() const {
  if (!speed_.given()) return meter_.cost();
  return speed_.of(static_cast<double>(rays_->counts().crossings) - choice_crossings);
}

double Pilot::Found::error_of(double net) const { return error * std::pow(net / rays, -exponent); }

/// Of rays of some groups, or of all if there are none.
Cost Pilot::measured(Sum sum, int replicates, std::uint32_t rays, const std::vector<int>& groups) {
  std::vector<int> tiles;
  for (const int group : groups) {
    tiles.push_back(rays_->tile_of_group(sum, static_cast<std::size_t>(group)));
  }
  const Cost before = now();
  rays_->trace(sum, replicates, rays, tiles);
  rays_->counts();  // waits for them
  return now() - before;
}

void Pilot::look_at(Sum sum, const std::vector<int>& groups, Found& found) {
  const auto all = rays_->origins(sum);
  std::vector<Estimate> some;
  for (const int group : groups) {
    rays_->each_of_group(sum, static_cast<std::size_t>(group), [&](int origin) {
      some.push_back(all[static_cast<std::size_t>(origin)]);
    });
  }
  const std::span<const Estimate> seen = groups.empty() ? all : some;
  const ErrorTarget norm = options_.target.error > 0 ? options_.target : ErrorTarget{};
  found.error = norm_of_errors(seen, norm);
  found.rms = std::max(root_mean_square(seen), 0.1 * norm_of_errors(seen, {}));
}

/// Larger and larger nets up to `most` rays, then more and more cells, for so many seconds or a
/// tenth of what all rays take.
Pilot::Found Pilot::climb(Sum sum, int replicates, double most, double seconds,
                          const Enough& enough) {
  constexpr std::size_t few_groups = 8;  // of eight tiles each, and those around them
  const std::size_t all = rays_->group_count(sum);
  const auto threads = static_cast<std::size_t>(thread_count(options_.threads));
  std::size_t count = rays_->grouped(sum) ? few_groups : std::max(few_tiles, 8 * threads);
  if (size_ == SampleSize::all || count > all) count = all;
  double net = std::min<double>(most, first_rays(options_));
  Found found;
  Cost last;
  const Cost begin = now();
  for (double growth = 1;;) {
    const std::vector<int> groups = spread_out(count, all);
    rays_->clear(sum);
    const Found before = found;
    const Cost shorter = std::exchange(last, {});
    last = measured(sum, replicates, whole(net), groups);
    look_at(sum, groups, found);
    found.rays = net;
    const double per_ray = 1 / (replicates * net);
    found.each = static_cast<double>(all) / static_cast<double>(count) * per_ray * last;
    if (net > before.rays && before.error > 0 && found.error > 0) {
      const double gain = std::log(before.error / found.error) / std::log(net / before.rays);
      found.exponent = std::clamp(gain, 0.5, 1.0);
    }
    if (enough && enough(found)) break;
    if (net < most) {
      growth = std::min(4.0, most / net);
      net = std::floor(growth * net);
    } else if (count < all) {
      growth = std::min(4.0, static_cast<double>(all) / static_cast<double>(count));
      count = std::min(4 * count, all);
    } else {
      break;
    }
    const double of_run = 0.1 * found.each.wall * replicates * most;
    const double allowed =
        enough ? seconds : std::min(seconds, std::max(of_run, 3 * telling_seconds));
    // Threads wait for each other, whatever the rays: only what is added to it grows.
    const double rise = std::clamp(last.wall - shorter.wall, 0.1 * last.wall, last.wall);
    const double next = last.wall + (growth - 1) * 4 / 3 * rise;
    const bool slope_known = before.rays > 0 || found.rays == most;
    if (slope_known && (now() - begin).wall + next > allowed) break;
  }
  if (rays_->grouped(sum) && count < all) {
    found.each = cost_of_halves(replicates, found.rays, most);
  } else {
    // Others may have been busy on this machine: not all the time, it is hoped.
    const double for_all = found.each.wall / last.wall;
    const Cost first = now();
    for (int repeat = 0; repeat < 4 && (now() - first).wall + last.wall < 3 * telling_seconds;
         ++repeat) {
      const Cost again = measured(sum, replicates, whole(found.rays), spread_out(count, all));
      found.each = smaller(found.each, for_all * again);
    }
  }
  return found;
}

/// Nodes around a few groups are many, those of all groups are as many as these: times of their
/// own, of one ray of all.
Cost Pilot::cost_of_halves(int replicates, double rays, double most) {
  const std::size_t all = rays_->group_count(Sum::cells);
  const std::vector<int> groups = spread_out(std::min<std::size_t>(32, all - 1), all);
  const double part = static_cast<double>(groups.size()) / static_cast<double>(all);
  Cost both;
  for (const auto starts : {ReplicateTracer::Starts::cells, ReplicateTracer::Starts::nodes}) {
    Cost each{HUGE_VAL, HUGE_VAL};
    double net = rays;
    for (int repeat = 0; repeat < 2;) {
      const Cost before = now();
      rays_->trace_only(starts, replicates, whole(net), groups);
      const Cost cost = now() - before;
      const bool long_enough = cost.wall >= telling_seconds || net == most;
      if (long_enough) {
        each = smaller(each, 1 / (part * replicates * net) * cost);
        ++repeat;
      } else {
        net = std::min(std::floor(4 * net), most);
      }
    }
    both = both + each;
  }
  return both;
}

/// As a run to a target goes on, where errors fall as found, up to `most` rays of an origin.
Pilot::Plan Pilot::planned(const Found& found, double first, double allowed, double most) {
  const int replicates = options_.replicates;
  Plan plan{first, replicates * first, found.error_of(first)};
  while (plan.error > allowed) {
    const double missing = plan.error / (0.9 * allowed);
    const double growth =
        net_growth(missing, found.exponent, std::numeric_limits<double>::infinity());
    if (plan.rays * growth > most) {
      stopped_by = StoppedBy::ray_limit;
      break;
    }
    if (growth == 1) {
      plan.rays += replicates * plan.net * (missing * missing - 1);
      plan.error = allowed;
      break;
    }
    plan.net *= growth;
    plan.rays += replicates * plan.net;
    plan.error = found.error_of(plan.net);
  }
  return plan;
}

/// Rays that remove the bias of the levels, beside those of nets. `allowed`: error of theirs; 0:
/// any.
void Pilot::add_correction(double net, double allowed, double& error) {
  const double first = correction_rays(whole(net));
  const Found found = climb(Sum::cell_correction, options_.replicates, first, 0.2 * seconds_);
  Plan plan{first, options_.replicates * first, found.error_of(first)};
  if (allowed > 0) plan = planned(found, first, allowed, static_cast<double>(most_rays));
  gas = gas + plan.rays * found.each;
  rays_per_cell += 2 * plan.rays;
  error = std::hypot(error, plan.error);
}

/// With so many rays per wall face.
void Pilot::add_walls(double rays) {
  if (options_.rays_per_wall_face == 0 || rays_->tile_count(Sum::walls) == 0) return;
  const int replicates = wall_replicates(options_);
  const double net = std::max(std::ceil(rays / replicates), 1.0);
  walls = replicates * net * climb(Sum::walls, replicates, net, 0.2 * seconds_).each;
  rays_per_wall_face = replicates * net;
  if (!corrected) return;
  const double twice = correction_rays(whole(net));
  walls = walls +
          replicates * twice * climb(Sum::wall_correction, replicates, twice, 0.1 * seconds_).each;
  rays_per_wall_face += 2 * replicates * twice;
}

void Pilot::all_rays() {
  const int replicates = options_.replicates;
  const double net = rays_per_replicate(options_.rays_per_cell, replicates);
  const Found cells = climb(Sum::cells, replicates, net, 0.5 * seconds_);
  gas = replicates * net * cells.each;
  rays_per_cell = replicates * net * rays_->rays_for_one(Sum::cells);
  exponent = cells.exponent;
  double error = cells.error_of(net);
  corrected = options_.unbiased && levels_ > 1;
  if (corrected) {
    add_correction(net, 0.0, error);
  }
  const std::int64_t of_face = options_.rays_per_wall_face;
  add_walls(static_cast<double>(
      of_face == automatic_rays ? rays_of_wall_faces(grid_, options_.rays_per_cell) : of_face));
  error = std::hypot(error, corrected ? 0.0 : bias_, thin_bias_ * cells.rms);
  // Q as it will be found has its noise in it.
  relative_error = error > 0 ? error / std::hypot(cells.rms, error) : 0.0;
}

void Pilot::to_target() {
  const ErrorTarget& target = options_.target;
  const int replicates = options_.replicates;
  const auto wanted = [&](const Found& found) {
    return target.absolute ? target.error : target.error * found.rms;
  };
  const auto left = static_cast<double>(rays_->rays_left(Sum::cells));
  const double most = std::floor(left / replicates);
  const Found cells = climb(Sum::cells, replicates, most, 0.5 * seconds_,
                            [&](const Found& found) { return found.error <= wanted(found); });
  exponent = cells.exponent;
  stopped_by = StoppedBy::target;
  // As in trace_to_target().
  corrected = levels_ > 1 && (options_.unbiased || bias_ > 0.6 * wanted(cells));
  const double bias = corrected ? 0.0 : bias_;
  const double unseen = thin_bias_ * cells.rms;
  const double noise =
      std::sqrt(std::max(std::pow(wanted(cells), 2) - bias * bias - unseen * unseen, 0.0));
  const Plan plan = planned(cells, first_rays(options_), (corrected ? 0.8 : 1.0) * noise, left);
  gas = gas + plan.rays * cells.each;
  rays_per_cell = plan.rays * rays_->rays_for_one(Sum::cells);
  double error = plan.error;
  if (corrected) add_correction(plan.net, 0.6 * noise, error);
  const auto of_cells = static_cast<std::int64_t>(plan.net * replicates);
  add_walls(static_cast<double>(
      std::max(options_.rays_per_wall_face, rays_of_wall_faces(grid_, of_cells))));
  relative_error = cells.rms > 0 ? std::hypot(error, bias, unseen) / cells.rms : 0.0;
}

void Pilot::run(ReplicateTracer& rays, const Result& result, SampleSize size) {
  rays_ = &rays;
  choice_rays = static_cast<double>(rays.counts().traced);
  levels_ = result.levels;
  bias_ = result.accuracy.bias.value;
  thin_bias_ = thin_bias(result, options_.target);
  size_ = size;
  grouped = rays.grouped(Sum::cells);
  choice_crossings = static_cast<double>(rays.counts().crossings);
  meter_ = {};
  if (options_.target.error > 0) {
    to_target();
  } else {
    all_rays();
  }
  spent = meter_.cost();
}

}  // namespace ermine
