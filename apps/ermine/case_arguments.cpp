#include "case_arguments.hpp"

#include "verbs.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace ermine::cli {

void CaseArguments::add_to(CLI::App& verb) {
  verb.add_option("case", file, "Case file (TOML)")->required()->type_name("CASE.toml");
  verb.add_option("--set", overrides,
                  "Override a key of the case file, such as solver.rays_per_cell=500; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb.add_option("-o,--output", directory, "Folder for result files")
      ->type_name("DIR")
      ->check(not_empty());
  add_backend(verb, backend);
  verb.add_option("--threads", threads, "CPU threads (default: all)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
}

Case CaseArguments::read() const {
  std::vector<std::string> all = overrides;
  if (!backend.empty()) all.push_back("solver.backend=" + backend);
  if (threads > 0) all.push_back(fmt::format("solver.threads={}", threads));
  Case problem = read_case(file, all);
  if (!directory.empty()) problem.output.directory = directory;
  return problem;
}

void warn_of_thick_cells(const Options& options, double thickest_cell) {
  if (!(thickest_cell > 5) || options.mesh_correction != MeshCorrection::none) return;
  fmt::print(
      stderr,
      "ermine: warning: cells are up to {:.3g} mean free paths wide (few rays leave them, so "
      "Q is too small and its error bars too), use a finer grid or solver.mesh_correction\n",
      thickest_cell);
}

}  // namespace ermine::cli
