#include <ermine/output.hpp>
#include <ermine/version.hpp>

#include "io/write_fields.hpp"

#include <fmt/format.h>

#include <sstream>

namespace ermine {

std::string csv_text(const Case& problem, const Result& result, std::size_t axis) {
  const Profile profile = plane_average(problem.grid, problem.temperature, result, axis);
  std::string text = fmt::format(
      "# {}\n# averages over planes normal to {}; Q > 0 where the gas loses heat; ermine {}\n",
      problem.title, "xyz"[axis], ERMINE_VERSION);
  const NamedComposition composition = named_composition(problem);
  for (const NamedField& fraction : composition.uniform) {
    text += fmt::format("# {}: {:.10g}\n", fraction.long_name, fraction.values.front());
  }
  std::vector<std::vector<double>> means;
  for (const NamedField& fraction : composition.fields) {
    means.push_back(plane_mean(problem.grid, fraction.values, axis));
  }
  std::istringstream lines(problem.text);
  for (std::string line; std::getline(lines, line);) text += "# case: " + line + '\n';
  text += fmt::format(
      "{} [m],temperature [K],Q [W/m3],Q standard error [W/m3],emission [W/m3],absorption "
      "[W/m3]",
      "xyz"[axis]);
  for (const NamedField& fraction : composition.fields) text += "," + fraction.long_name;
  text += '\n';
  for (std::size_t i = 0; i < profile.coordinate.size(); ++i) {
    text += fmt::format("{:.10g},{:.10g},{:.10g},{:.4g},{:.10g},{:.10g}", profile.coordinate[i],
                        profile.temperature[i], profile.flux_divergence[i],
                        profile.standard_error[i], profile.emission[i], profile.absorption[i]);
    for (const std::vector<double>& mean : means) text += fmt::format(",{:.10g}", mean[i]);
    text += '\n';
  }
  return text;
}

}  // namespace ermine
