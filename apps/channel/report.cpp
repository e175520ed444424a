#include "report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace channel {

nlohmann::json report(Simulation& run, double seconds) {
  const Mesh& mesh = run.problem().flow.mesh;
  const Friction friction = run.friction();
  const HeatBalance heat = run.heat();
  const Times& times = run.times();
  nlohmann::json json{{"title", run.problem().title},
                      {"cells", {mesh.nx(), mesh.ny, mesh.nz}},
                      {"backend", run.flow().on_device() ? "cuda" : "cpu"},
                      {"processes", run.flow().ranks().size()},
                      {"steps", run.step()},
                      {"time", run.time()},
                      {"time_step", run.time_step()},
                      {"seconds",
                       {{"total", seconds},
                        {"flow", times.flow},
                        {"radiation", times.radiation},
                        {"statistics", times.statistics},
                        {"output", times.output}}},
                      {"largest_divergence", run.flow().largest_divergence()},
                      {"heat",
                       {{"stored", heat.stored},
                        {"conducted", heat.conducted},
                        {"radiated", heat.radiated},
                        {"residual", heat.residual}}}};
  // Known once averages have begun.
  const bool known = friction.velocity > 0;
  const auto if_known = [&](double value) { return known ? nlohmann::json(value) : nullptr; };
  json["re_tau"] = if_known(friction.reynolds);
  json["friction_velocity"] = if_known(friction.velocity);
  json["friction_coefficient"] = if_known(friction.coefficient);
  json["nusselt"] = {if_known(friction.nusselt_low), if_known(friction.nusselt_high)};
  if (RadiationLink* radiation = run.radiation()) {
    const ermine::CouplingStatistics& done = radiation->statistics();
    json["radiation"] = {{"updates", done.updates},
                         {"relative_error", done.relative_error},
                         {"seconds_solving", done.seconds_solving},
                         {"seconds_waiting", done.seconds_waiting},
                         {"seconds_submitting", done.seconds_submitting},
                         {"hidden_fraction", done.hidden_fraction()}};
    if (done.steps > 0) {
      const RadiationLedger ledger = radiation->ledger();
      auto& books = json["radiation"]["ledger"];
      books = {{"gas", ledger.gas}, {"gas_standard_error", ledger.gas_error}};
      if (ledger.walls_known) {
        books["walls"] = ledger.walls;
        books["walls_standard_error"] = ledger.walls_error;
      }
    }
  }
  return json;
}

std::string summary(const nlohmann::json& r) {
  std::string text =
      fmt::format("step {}, time {:.6g}, {:.1f} s; largest divergence {:.2g}\n",
                  r["steps"].get<int>(), r["time"].get<double>(),
                  r["seconds"]["total"].get<double>(), r["largest_divergence"].get<double>());
  if (r["re_tau"].is_null()) {
    text += "no averages yet, see output.statistics_from\n";
  } else {
    text += fmt::format(
        "friction Reynolds number {:.1f}, Nusselt number {:.3f} and {:.3f}\nheat [K]: stored "
        "{:.4g}, conducted {:.4g}, radiated {:.4g}, left over {:.2g}\n",
        r["re_tau"].get<double>(), r["nusselt"][0].get<double>(), r["nusselt"][1].get<double>(),
        r["heat"]["stored"].get<double>(), r["heat"]["conducted"].get<double>(),
        r["heat"]["radiated"].get<double>(), r["heat"]["residual"].get<double>());
  }
  if (r.contains("radiation")) {
    text += fmt::format(
        "radiation: {} updates, standard error of Q {:.2f} %, {:.1f} % of its time hidden\n",
        r["radiation"]["updates"].get<long>(), 100 * r["radiation"]["relative_error"].get<double>(),
        100 * r["radiation"]["hidden_fraction"].get<double>());
  }
  return text;
}

}  // namespace channel
