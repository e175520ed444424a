#include "error_study.hpp"
#include "machine.hpp"

#include <nlohmann/json.hpp>

namespace ermine::cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const ErrorSetting& setting) {
  return {{"problem", setting.problem},
          {"grid", setting.grid},
          {"backend", ermine::name_of(setting.backend)},
          {"threads", setting.threads},
          {"method", setting.method}};
}

Json target_json(double target) { return target > 0 ? Json(target) : Json(); }

/// With what a setting says before what is special.
Json joined(Json setting, const Json& more) {
  setting.update(more);
  return setting;
}

Json to_json(const ErrorRow& row) {
  const ErrorRun& run = row.run;
  return joined(to_json(row.setting), {{"target", target_json(row.target)},
                                       {"scaled", row.scaled},
                                       {"seconds", row.seconds()},
                                       {"setup_seconds", run.setup_seconds},
                                       {"rays_per_cell", row.rays()},
                                       {"error", row.error()},
                                       {"bias", run.score.bias()},
                                       {"bias_seen", run.score.bias_seen()},
                                       {"standard_error", row.standard_error()},
                                       {"figure_of_merit", row.figure_of_merit()},
                                       {"rays_per_second", run.rays_per_second},
                                       {"levels", run.levels},
                                       {"steps_per_level", run.steps_per_level},
                                       {"unbiased", run.unbiased},
                                       {"rays_used", run.rays},
                                       {"seconds_used", run.seconds},
                                       {"error_used", run.score.error},
                                       {"standard_error_used", run.score.standard_error}});
}

Json to_json(const ErrorReference& reference) {
  return {{"problem", reference.problem},
          {"grid", reference.grid},
          {"cells", reference.cells},
          {"rays_per_cell", reference.rays},
          {"seconds", reference.seconds},
          {"standard_error", reference.standard_error},
          {"smallest_error", reference.smallest_error}};
}

Json to_json(const CalibrationRow& row) {
  return joined(to_json(row.setting), {{"rays_per_cell", row.rays},
                                       {"replicates", row.replicates},
                                       {"seeds", row.seeds},
                                       {"ratio", row.ratio},
                                       {"within_two", row.within_two}});
}

Json to_json(const ErrorFinding& finding) {
  return joined({{"key", finding.key}},
                joined(to_json(finding.setting), {{"target", target_json(finding.target)},
                                                  {"value", finding.value},
                                                  {"scaled", finding.scaled}}));
}

Json to_json(const ErrorGap& gap) {
  return joined(to_json(gap.setting), {{"target", target_json(gap.target)}, {"why", gap.why}});
}

template <class Entries>
Json list(const Entries& entries) {
  Json all = Json::array();
  for (const auto& entry : entries) all.push_back(to_json(entry));
  return all;
}

}  // namespace

Json errors_json(const ErrorRecord& record, const ErrorOptions& options) {
  Json out;
  out["study"] = "error";
  out["machine"] = machine_json(this_machine());
  out["budget"] = options.budget;
  out["references"] = list(record.references);
  out["results"] = list(record.rows);
  out["findings"] = list(findings(record));
  out["calibration"] = list(record.calibrations);
  out["left_out"] = list(record.gaps);
  return out;
}

}  // namespace ermine::cli
