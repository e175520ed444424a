#include "ladder.hpp"
#include "machine.hpp"
#include "published.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace ermine::cli {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(CoarseTemperature temperature) {
  return temperature == CoarseTemperature::mean ? "mean" : "mean_fourth_power";
}

Json to_json(const LadderRow& row) {
  return {{"part", row.setting.part},
          {"problem", row.setting.problem},
          {"method", row.setting.method},
          {"grid", row.setting.grid},
          {"backend", ermine::name_of(row.backend)},
          {"device", row.device},
          {"threads", row.threads},
          {"levels", row.levels},
          {"steps_per_level", row.steps_per_level},
          {"coarse_temperature", name_of(row.coarse_temperature)},
          {"rays", row.setting.rays},
          {"rays_used", row.rays_used},
          {"scaled", row.scaled()},
          {"seconds", row.seconds},
          {"seconds_scaled", row.seconds_scaled()},
          {"total_seconds", row.total_seconds},
          {"rays_per_second", row.rays_per_second},
          {"crossings_per_ray", row.crossings_per_ray},
          {"standard_error", row.standard_error},
          {"device_memory", row.device_memory}};
}

Json to_json(const LadderBias& bias) {
  const double root = std::sqrt(std::max(0.0, bias.squared.value));
  const auto percent = [&](double scale) { return scale > 0 ? Json(100 * root / scale) : Json(); };
  return {{"part", bias.row.setting.part},
          {"problem", bias.row.setting.problem},
          {"grid", bias.row.setting.grid},
          {"levels", bias.row.levels},
          {"steps_per_level", bias.row.steps_per_level},
          {"coarse_temperature", name_of(bias.row.coarse_temperature)},
          {"rays_used", bias.row.rays_used},
          {"squared_bias", bias.squared.value},
          {"squared_bias_standard_error", bias.squared.standard_error},
          {"largest_q", bias.largest},
          {"rms_q", bias.rms},
          {"percent_of_largest", percent(bias.largest)},
          {"percent_of_rms", percent(bias.rms)}};
}

Json to_json(const LadderFinding& finding) {
  const auto figure = find_published(finding.key);
  return {{"key", finding.key},
          {"text", finding.text},
          {"value", finding.value},
          {"scaled", finding.scaled},
          {"published", figure ? Json(figure->value) : Json()},
          {"published_conditions", figure ? figure->conditions : ""}};
}

Json to_json(const LadderGap& gap) {
  return {{"part", gap.setting.part},     {"problem", gap.setting.problem},
          {"method", gap.setting.method}, {"grid", gap.setting.grid},
          {"rays", gap.setting.rays},     {"why", gap.why}};
}

template <class Entries>
Json list(const Entries& entries) {
  Json all = Json::array();
  for (const auto& entry : entries) all.push_back(to_json(entry));
  return all;
}

}  // namespace

Json ladder_json(const LadderRecord& record, const LadderOptions& options) {
  Json out;
  out["study"] = "ladder";
  out["machine"] = machine_json(this_machine());
  out["budget"] = options.budget;
  out["published_in"] = published_in;
  out["results"] = list(record.rows);
  out["bias"] = list(record.biases);
  out["findings"] = list(findings(record));
  out["left_out"] = list(record.gaps);
  return out;
}

}  // namespace ermine::cli
