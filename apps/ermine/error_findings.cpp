#include "error_study.hpp"

#include <algorithm>
#include <cmath>

namespace ermine::cli {

bool ErrorOptions::wants(const std::string& method) const {
  return std::find(methods.begin(), methods.end(), method) != methods.end();
}

double ErrorRow::factor() const {
  return scaled ? std::pow(run.score.standard_error / target, 2) : 1.0;
}

double ErrorRow::standard_error() const { return scaled ? target : run.score.standard_error; }

double ErrorRow::error() const {
  if (!scaled) return run.score.error;
  // A bias that drowns in the noise of the shorter run is left out.
  return run.score.bias_seen() ? std::hypot(run.score.bias(), target) : target;
}

double ErrorRow::figure_of_merit() const {
  const double work = std::pow(error(), 2) * seconds();
  return work > 0 ? 1 / work : 0.0;
}

const ErrorRow* ErrorRecord::beside(const ErrorRow& row, const std::string& method) const {
  ErrorSetting wanted = row.setting;
  wanted.method = method;
  for (const ErrorRow& other : rows) {
    if (other.setting == wanted && other.target == row.target) return &other;
  }
  return nullptr;
}

std::vector<ErrorFinding> findings(const ErrorRecord& record) {
  std::vector<ErrorFinding> found;
  for (const ErrorRow& row : record.rows) {
    if (row.setting.method == "net" || row.target == 0) continue;
    const ErrorRow* net = record.beside(row, "net");
    if (!net) continue;
    found.push_back({"time_over_net", row.setting, row.target, row.seconds() / net->seconds(),
                     row.scaled || net->scaled});
  }
  for (const ErrorRow& classic : record.rows) {
    if (classic.setting.method != "classic-levels") continue;
    // Of the longest run, the one least disturbed by what comes before and after the rays.
    const ErrorRow* net = nullptr;
    for (const ErrorRow& row : record.rows) {
      ErrorSetting setting = row.setting;
      setting.method = classic.setting.method;
      const bool same_levels = row.run.steps_per_level == classic.run.steps_per_level &&
                               row.run.levels == classic.run.levels && !row.run.unbiased;
      if (row.setting.method != "net" || setting != classic.setting || !same_levels) continue;
      if (!net || row.run.rays > net->run.rays) net = &row;
    }
    // The time of a run that is over at once says little.
    constexpr double long_enough = 0.2;  // [s]
    if (!net || classic.run.seconds < long_enough || net->run.seconds < long_enough) continue;
    found.push_back({"net_rays_per_second_over_classic_levels", net->setting, 0.0,
                     net->run.rays_per_second / classic.run.rays_per_second, false});
  }
  return found;
}

}  // namespace ermine::cli
