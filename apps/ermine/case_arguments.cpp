#include "case_arguments.hpp"

#include <ermine/output.hpp>

#include "progress_line.hpp"
#include "terminal.hpp"
#include "transport/accuracy/ray_lengths.hpp"
#include "transport/run/gather.hpp"
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

void print_warnings(const Case& problem, double thickest_cell) {
  for (const std::string& warning : warnings(problem, thickest_cell)) {
    terminal::note("ermine: warning: {}\n", warning);
  }
}

void warn_of_long_rays(const Tracer& tracer, const std::vector<double>& temperature) {
  constexpr double many = 1e5;
  const auto [crossings, lost_share] = ray_lengths(tracer, temperature);
  if (crossings < many || lost_share > hopeless_fraction(tracer.options())) return;  // is refused
  terminal::note(
      "ermine: warning: a ray crosses about {} cells before it ends ({}), expect a long run; {}, "
      "fewer cells or fewer rays shorten it\n",
      human_number(crossings),
      tracer.scattering().empty() ? "the gas is nearly transparent and walls reflect almost all"
                                  : "or is scattered as often",
      tracer.scattering().empty()
          ? "walls that absorb more"
          : "particles that scatter less, such as (1 - asymmetry) times as much with asymmetry 0");
}

}  // namespace ermine::cli
