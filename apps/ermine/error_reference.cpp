#include <ermine/error.hpp>

#include "error_runs.hpp"
#include "solve_shown.hpp"
#include "time_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace ermine::cli {
namespace {

constexpr int reference_replicates = 16;
constexpr std::uint64_t reference_seed = 20190605;  // no run under test has it

/// The largest power of two not above it, with which a net is at its best; 0 for 0.
std::int64_t power_of_two(std::int64_t rays) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(rays)));
}

/// More rays than this are not worth their time: 16384 per cell, or the few cells of a profile as
/// many as those of 32^3.
std::int64_t planned_rays(std::size_t cells) {
  constexpr std::int64_t full = 16384;
  return std::max(full, power_of_two(full * 32 * 32 * 32 / static_cast<std::int64_t>(cells)));
}

Result solve_reference(const Case& problem, const std::string& name, std::int64_t rays,
                       Verbosity verbosity) {
  Options options = problem.options;
  set_method(options, Method::net);
  options.mesh_correction = false;
  options.levels = 1;
  options.replicates = reference_replicates;
  options.seed = reference_seed;
  options.threads = 0;
  options.rays_per_cell = rays;
  return solve_shown(problem, options, fmt::format("{}, {} rays per cell", name, rays), verbosity);
}

}  // namespace

ReferenceSolution converged(const BenchProblem& problem, int grid, const Case& made, double seconds,
                            Verbosity verbosity) {
  const Case reduced =
      problem.profile ? problem.make_profile(grid, name_of(made.options.backend)) : made;
  const std::string name = fmt::format("reference: {} on {}", problem.name, cells_text(reduced));
  const auto cells = reduced.grid.cell_count();
  const Stopwatch watch;
  std::int64_t rays = least_reference_rays;
  Result result = solve_reference(reduced, name, rays, verbosity);
  while (const std::int64_t more =
             power_of_two(more_rays({rays, result.seconds.gas, result.seconds.total()},
                                    planned_rays(cells), seconds - watch.seconds()))) {
    if (more <= rays) break;
    rays = more;
    result = solve_reference(reduced, name, rays, verbosity);
  }
  Reference reference = average_periods(result, problem.profile ? reduced.grid.cells(0) : cells,
                                        problem.cell_count(grid));
  const ErrorReference about{.problem = problem.name,
                             .grid = grid,
                             .cells = static_cast<std::int64_t>(cells),
                             .rays = rays,
                             .seconds = result.seconds.total(),
                             .standard_error = reference.relative_standard_error(),
                             .smallest_error = reference.smallest_error()};
  return {std::move(reference), about};
}

}  // namespace ermine::cli
