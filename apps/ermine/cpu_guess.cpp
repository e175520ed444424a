#include "cpu_guess.hpp"

#include "bench_problems.hpp"
#include "solve_shown.hpp"

namespace ermine::cli {
namespace {

constexpr int probe_grid = 8;
constexpr std::int64_t probe_rays = 256;

}  // namespace

double CpuGuess::seconds(const std::string& problem, int threads, int grid, std::int64_t rays) {
  const BenchProblem& known = bench_problem(problem);
  auto [rate, unknown] = seconds_per_ray_.try_emplace({problem, threads}, 0.0);
  if (unknown) {
    const Case probe = known.make(probe_grid, "cpu");
    Options options = probe.options;
    options.threads = threads;
    options.rays_per_cell = probe_rays;
    for (int repeat = 0; repeat < 2; ++repeat) {  // the first one wakes the threads up
      const Result result = solve_shown(probe, options, "probe", verbosity_);
      rate->second = result.seconds.gas / static_cast<double>(result.rays.traced);
    }
  }
  // On one grid a ray crosses cells in proportion to their number along an axis.
  return rate->second * grid / probe_grid * static_cast<double>(rays) *
         static_cast<double>(known.cell_count(grid));
}

}  // namespace ermine::cli
