#include "solve_shown.hpp"

#include <functional>

namespace ermine::cli {

Result solve_shown(const Case& problem, const Options& options, const std::string& label,
                   Verbosity verbosity) {
  const Tracer tracer = problem.tracer(options);
  ProgressLine progress(label, verbosity);
  return tracer.solve(problem.temperature, 0, std::ref(progress));
}

}  // namespace ermine::cli
