#include "cpu_guess.hpp"

#include "bench_problems.hpp"
#include "solve_shown.hpp"

#include <cmath>

namespace ermine::cli {
namespace {

constexpr int probe_grid = 8;
constexpr std::int64_t probe_rays = 256;

}  // namespace

double CpuGuess::seconds(int threads, int grid, std::int64_t rays) {
  auto [rate, unknown] = seconds_per_ray_.try_emplace(threads, 0.0);
  if (unknown) {
    const Case probe = slab_problem(probe_grid, "cpu");
    Options options = probe.options;
    options.threads = threads;
    options.rays_per_cell = probe_rays;
    for (int repeat = 0; repeat < 2; ++repeat) {  // the first one wakes the threads up
      const Result result = solve_shown(probe, options, "probe", verbosity_);
      rate->second = result.seconds.gas / static_cast<double>(result.rays.traced);
    }
  }
  // On one grid a ray crosses cells in proportion to their number along an axis.
  return rate->second * grid / probe_grid * static_cast<double>(rays) * std::pow(grid, 3);
}

}  // namespace ermine::cli
