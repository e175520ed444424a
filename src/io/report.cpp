#include <ermine/output.hpp>
#include <ermine/version.hpp>

#include "core/fp_guard.hpp"
#include "core/memory.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace ermine {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Estimate& estimate) {
  return {{"value", estimate.value}, {"standard_error", estimate.standard_error}};
}

/// Fluxes of one side: mean over its area, which `value` and `standard_error` repeat, total, and
/// that of the face cell where it is largest.
Json to_json(const Grid& grid, Face face, const WallFlux& wall) {
  const Estimate mean = mean_flux(grid, face, wall);
  Json json = to_json(mean);
  json["mean"] = to_json(mean);
  json["total"] = to_json(wall.heat);
  json["largest"] = to_json(largest_flux(wall));
  json["bias"] = to_json(wall.bias);
  return json;
}

/// Energy balance [W].
Json to_json(const Ledger& ledger) {
  Json json = to_json(ledger.total);
  json["unexplained"] = ledger.unexplained;
  json["exchanged"] = ledger.exchanged;
  json["gas"] = to_json(ledger.gas);
  json["gas"]["bias"] = to_json(ledger.gas_bias);
  json["walls"] = to_json(ledger.walls);
  return json;
}

/// One number, or the least and the largest of a field.
Json number_or_range(const std::vector<double>& values) {
  const auto [least, largest] = std::ranges::minmax(values);
  if (values.size() == 1) return least;
  return {{"least", least}, {"largest", largest}};
}

void add_composition(Json& report, const Case& problem) {
  Json& fractions = report["mole_fractions"] = Json::object();
  for (const Particles& particles : problem.particles) {
    report["particles"][particles.name] = {{"absorption", number_or_range(particles.absorption)},
                                           {"scattering", number_or_range(particles.scattering)},
                                           {"asymmetry", particles.asymmetry}};
  }
  const auto* gas = std::get_if<GasMedium>(&problem.medium);
  if (gas == nullptr) return;
  for (const GasMedium::MoleFraction& fraction : gas->mole_fractions()) {
    fractions[std::string(name_of(fraction.species))] = number_or_range(fraction.values);
  }
  if (const auto& soot = gas->soot()) {
    report["soot"] = {{"volume_fraction", number_or_range(soot->volume_fraction)},
                      {"constant", soot->constant}};
  }
}

/// The switches of the solver, and the method they make up.
void add_method(Json& report, const Options& options, const Result& result) {
  const auto method = method_of(options);
  report["method"] = method ? name_of(*method) : "custom";
  constexpr std::array names{"random", "sorted", "net"};
  report["sampler"] = names[static_cast<std::size_t>(options.sampler)];
  if (options.sampler == RaySampler::net) {
    report["replicates"] = result.replicates;
    report["shifts"] = options.shifts == Shifts::cell   ? "cell"
                       : options.shifts == Shifts::tile ? "tile"
                                                        : "mirrored";
    report["temporal"] = name_of(options.temporal);
    report["unbiased"] = result.accuracy.corrected;
    report["thin_starts"] = name_of(result.thin_below > 0 ? ThinStarts::blocks : ThinStarts::cells);
    report["tile_correlation"] = result.tile_correlation;
  }
  report["termination"] = result.termination == Termination::cutoff ? "cutoff" : "roulette";
  report["field_access"] = options.field_access == FieldAccess::global ? "global" : "texture";
  report["levels"] = result.levels;
  report["steps_per_level"] = result.steps_per_level;
  report["levels_chosen"] = options.levels == automatic_levels;
  report["coarse_temperature"] =
      options.coarse_temperature == CoarseTemperature::mean ? "mean" : "mean_fourth_power";
}

/// Error of Q over all cells [W/m3], and what was asked for.
Json to_json(const Accuracy& accuracy) {
  constexpr std::array causes{"rays", "target", "time_limit", "ray_limit"};
  Json json;
  json["stopped_by"] = causes[static_cast<std::size_t>(accuracy.stopped_by)];
  json["error"] = accuracy.error;
  json["standard_error"] = accuracy.standard_error;
  const bool known = accuracy.bias_estimated && !accuracy.corrected;
  json["bias"] = known ? to_json(accuracy.bias) : Json(nullptr);
  json["thin_bias"] = accuracy.thin_bias;
  if (accuracy.target > 0) json["target"] = accuracy.target;
  if (accuracy.wall_target > 0) {
    json["wall_error"] = accuracy.wall_error;
    json["wall_target"] = accuracy.wall_target;
  }
  return json;
}

/// Of the size of cells: null where it was not asked for, or could not be told.
Json to_json(const MeshError& mesh) {
  if (!mesh.estimated) return nullptr;
  Json json = to_json(mesh.error);
  json["order"] = mesh.order;
  return json;
}

}  // namespace

std::string report_json(const Case& problem, const Result& result,
                        const std::vector<std::filesystem::path>& files) {
  const FloatingPointGuard guard;
  const Options& options = problem.options;
  const double tracing = result.seconds.gas + result.seconds.walls;
  Json report;
  report["title"] = problem.title;
  report["ermine_version"] = ERMINE_VERSION;
  report["backend"] = name_of(result.backend);
  report["device"] = result.device;
  report["device_memory"] = result.device_memory;
  report["memory"] = {{"peak", peak_memory()}};
  report["threads"] = result.threads;
  add_method(report, options, result);
  report["start"] = name_of(options.start);
  report["mesh_correction"] = options.mesh_correction;
  report["density"] = options.density == SpectralDensity::emission ? "emission" : "exchange";
  report["precision"] = options.precision == Precision::double_precision ? "double" : "single";
  report["seed"] = options.seed;
  report["medium"] = describe(problem.medium);
  add_composition(report, problem);
  report["cells"] = problem.grid.cell_count();
  report["rays_per_cell"] = result.rays_per_cell;
  report["rays_per_wall_face"] = result.rays_per_wall_face;
  report["batches"] = options.batches;
  report["rays"] = result.rays.traced;
  report["lost_rays"] = result.rays.lost;
  report["crossings"] = result.rays.crossings;
  report["seconds"] = result.seconds.total();
  report["seconds_by_phase"] = {{"setup", result.seconds.setup},
                                {"gas", result.seconds.gas},
                                {"walls", result.seconds.walls}};
  report["rays_per_second"] = static_cast<double>(result.rays.traced) / tracing;
  report["relative_standard_error"] = result.relative_standard_error();
  if (options.sampler == RaySampler::net) report["accuracy"] = to_json(result.accuracy);
  report["mesh_error"] = to_json(result.accuracy.mesh);
  report["thickest_cell"] = result.thickest_cell;
  report["warnings"] = warnings(problem, result.thickest_cell);
  report["ledger"] = to_json(result.ledger);
  report["wall_flux"] = Json::object();
  for (const Face face : all_faces) {
    const WallFlux& wall = result.wall_flux[static_cast<std::size_t>(face)];
    if (!wall.net_flux.empty()) {
      report["wall_flux"][name_of(face)] = to_json(problem.grid, face, wall);
    }
  }
  report["files"] = Json::array();
  for (const auto& file : files) report["files"].push_back(file.string());
  // File names need not be UTF-8; JSON must be.
  return report.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ermine
