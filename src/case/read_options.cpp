#include "case/read_options.hpp"

#include <ermine/device.hpp>

namespace ermine {
namespace {

template <class Enum, std::size_t n>
using Choices = std::array<std::pair<std::string_view, Enum>, n>;

constexpr Choices<Backend, 3> backends{
    {{"auto", Backend::automatic}, {"cpu", Backend::cpu}, {"cuda", Backend::cuda}}};
constexpr Choices<Method, 5> methods{{{"classic", Method::classic},
                                      {"texture", Method::texture},
                                      {"sorted", Method::sorted},
                                      {"multigrid", Method::multigrid},
                                      {"net", Method::net}}};
constexpr Choices<RaySampler, 3> samplers{
    {{"random", RaySampler::random}, {"sorted", RaySampler::sorted}, {"net", RaySampler::net}}};
constexpr Choices<Shifts, 3> shifts{
    {{"cell", Shifts::cell}, {"mirrored", Shifts::mirrored}, {"tile", Shifts::tile}}};
constexpr Choices<Temporal, 3> temporals{{{"independent", Temporal::independent},
                                          {"continued", Temporal::continued},
                                          {"difference", Temporal::difference}}};
constexpr Choices<Termination, 3> terminations{{{"automatic", Termination::automatic},
                                                {"cutoff", Termination::cutoff},
                                                {"roulette", Termination::roulette}}};
constexpr Choices<ErrorNorm, 3> norms{
    {{"rms", ErrorNorm::rms}, {"quantile", ErrorNorm::quantile}, {"maximum", ErrorNorm::maximum}}};
constexpr Choices<FieldAccess, 2> accesses{
    {{"global", FieldAccess::global}, {"texture", FieldAccess::texture}}};
constexpr Choices<CoarseTemperature, 2> coarse_temperatures{
    {{"mean", CoarseTemperature::mean},
     {"mean_fourth_power", CoarseTemperature::mean_fourth_power}}};
constexpr Choices<StartPoint, 3> starts{{{"average", StartPoint::average},
                                         {"point", StartPoint::point},
                                         {"uniform", StartPoint::uniform}}};
constexpr Choices<ThinStarts, 2> thin_starts{
    {{"cells", ThinStarts::cells}, {"blocks", ThinStarts::blocks}}};
constexpr Choices<SpectralDensity, 2> densities{
    {{"emission", SpectralDensity::emission}, {"exchange", SpectralDensity::exchange}}};
constexpr Choices<Precision, 2> precisions{
    {{"double", Precision::double_precision}, {"single", Precision::single_precision}}};

/// The tracer would refuse it too, but does not know the line.
Backend read_backend(const Section& solver, Backend fallback) {
  const Backend backend = solver.choice("backend", fallback, backends);
  ERMINE_REQUIRE(backend != Backend::cuda || device_available(),
                 "{}: solver.backend is \"cuda\" but there is no GPU to use: {}; or choose \"cpu\" "
                 "or \"auto\"",
                 solver.where("backend"), why_no_device());
  return backend;
}

/// A number of levels, or "auto".
int read_levels(const Section& solver, int fallback) {
  if (solver.is_text("levels")) {
    const std::string word = solver.text("levels", "");
    ERMINE_REQUIRE(
        word == "auto",
        "{}: solver.levels = \"{}\" is not known, give \"auto\" or a whole number from 0 "
        "to {}",
        solver.where("levels"), word, most_levels);
    return automatic_levels;
  }
  return static_cast<int>(solver.integer("levels", fallback, {0, most_levels}));
}

/// The method sets the switches, each of which may then be set otherwise.
void read_method(const Section& solver, Options& options) {
  set_method(options, solver.choice("method", Method::net, methods));
  options.sampler = solver.choice("sampler", options.sampler, samplers);
  options.field_access = solver.choice("field_access", options.field_access, accesses);
  options.levels = read_levels(solver, options.levels);
  options.steps_per_level =
      static_cast<int>(solver.integer("steps_per_level", options.steps_per_level, {1, 1'000'000}));
  options.coarse_temperature =
      solver.choice("coarse_temperature", options.coarse_temperature, coarse_temperatures);
}

void read_target(const Section& solver, Options& options) {
  constexpr double most = std::numeric_limits<double>::max();
  ErrorTarget& target = options.target;
  target.absolute = solver.has("target_error_absolute");
  ERMINE_REQUIRE(!target.absolute || !solver.has("target_error"),
                 "{}: solver.target_error_absolute stands beside target_error, give one of them",
                 solver.where("target_error_absolute"));
  target.error = target.absolute ? solver.number("target_error_absolute", 0.0, {0.0, most})
                                 : solver.number("target_error", 0.0, {0.0, most});
  target.wall_error = solver.number("target_wall_error", 0.0, {0.0, most});
  target.norm = solver.choice("target_norm", target.norm, norms);
  target.quantile = solver.number("target_quantile", target.quantile, {1e-9, 1.0});
  target.time_limit = solver.number("time_limit", target.time_limit, {0.0, most});
  options.unbiased = solver.boolean("unbiased", options.unbiased);
  options.estimate_bias = solver.boolean("estimate_bias", options.estimate_bias);
  for (const std::string_view key :
       {"target_error", "target_error_absolute", "target_wall_error", "unbiased"}) {
    ERMINE_REQUIRE(!solver.has(key) || options.sampler == RaySampler::net,
                   "{}: solver.{} needs the net, choose solver.method = \"net\"", solver.where(key),
                   key);
  }
}

/// Values of release 0.1 that have other names now.
void refuse_old_values(const Section& solver) {
  const auto given = [&](std::string_view key) {
    const toml::node* node = solver.find(key);
    return node ? node->value<std::string>().value_or("") : "";
  };
  ERMINE_REQUIRE(given("start") != "centre",
                 "{}: solver.start = \"centre\" is called \"point\" now, change the value",
                 solver.where("start"));
  const std::string correction = given("mesh_correction");
  ERMINE_REQUIRE(correction.empty(),
                 "{}: solver.mesh_correction is true or false now, give {} in place of \"{}\"",
                 solver.where("mesh_correction"), correction == "none" ? "false" : "true",
                 correction);
}

/// Behind the target.
void read_temporal(const Section& solver, Options& options) {
  options.temporal = solver.choice("temporal", options.temporal, temporals);
  options.forgetting = solver.number("forgetting", options.forgetting, {1e-9, 1.0});
  if (options.temporal != Temporal::difference) return;
  ERMINE_REQUIRE(options.sampler == RaySampler::net,
                 "{}: solver.temporal = \"difference\" needs the net, choose solver.method = "
                 "\"net\"",
                 solver.where("temporal"));
  ERMINE_REQUIRE(!options.target.any() && !options.unbiased,
                 "{}: solver.temporal = \"difference\" traces as many rays in each update, without "
                 "corrections; leave out target_error, target_wall_error and unbiased, or choose "
                 "\"continued\"",
                 solver.where("temporal"));
}

void read_rays(const Section& solver, Options& options) {
  options.rays_per_cell = solver.integer("rays_per_cell", options.rays_per_cell, {2, most_rays});
  options.rays_per_wall_face = solver.integer("rays_per_wall_face", automatic_rays, {0, most_rays});
  ERMINE_REQUIRE(
      options.rays_per_wall_face != 0 || options.target.wall_error == 0,
      "{}: solver.rays_per_wall_face is 0 (no wall fluxes) beside target_wall_error, leave "
      "one of them out",
      solver.where("rays_per_wall_face"));
  ERMINE_REQUIRE(options.rays_per_wall_face != 1,
                 "{}: solver.rays_per_wall_face is 1, give 0 (no wall fluxes) or at least 2",
                 solver.where("rays_per_wall_face"));
}

}  // namespace

Options read_options(const Section& top) {
  const Section solver = top.section("solver", {"backend",
                                                "method",
                                                "sampler",
                                                "replicates",
                                                "shifts",
                                                "temporal",
                                                "forgetting",
                                                "termination",
                                                "target_error",
                                                "target_error_absolute",
                                                "target_wall_error",
                                                "target_norm",
                                                "target_quantile",
                                                "time_limit",
                                                "unbiased",
                                                "estimate_bias",
                                                "field_access",
                                                "levels",
                                                "steps_per_level",
                                                "coarse_temperature",
                                                "start",
                                                "mesh_correction",
                                                "estimate_mesh_error",
                                                "density",
                                                "thin_starts",
                                                "rays_per_cell",
                                                "rays_per_wall_face",
                                                "batches",
                                                "seed",
                                                "tolerance",
                                                "max_crossings",
                                                "max_lost_fraction",
                                                "precision",
                                                "threads"});
  Options options;
  options.backend = read_backend(solver, options.backend);
  read_method(solver, options);
  options.replicates =
      static_cast<int>(solver.integer("replicates", options.replicates, {0, 65536}));
  ERMINE_REQUIRE(
      options.replicates != 1,
      "{}: solver.replicates is 1, give 0 (automatic) or at least 2, as one has no error "
      "bar",
      solver.where("replicates"));
  options.shifts = solver.choice("shifts", options.shifts, shifts);
  options.temporal = solver.choice("temporal", options.temporal, temporals);
  options.termination = solver.choice("termination", options.termination, terminations);
  read_target(solver, options);
  read_temporal(solver, options);
  refuse_old_values(solver);
  options.start = solver.choice("start", options.start, starts);
  options.mesh_correction = solver.boolean("mesh_correction", options.mesh_correction);
  options.estimate_mesh_error = solver.boolean("estimate_mesh_error", options.estimate_mesh_error);
  options.density = solver.choice("density", options.density, densities);
  options.thin_starts = solver.choice("thin_starts", options.thin_starts, thin_starts);
  read_rays(solver, options);
  options.batches = static_cast<int>(solver.integer("batches", options.batches, {0, 1'000'000}));
  options.seed = static_cast<std::uint64_t>(
      solver.integer("seed", 1, {0, std::numeric_limits<std::int64_t>::max()}));
  options.tolerance = solver.number("tolerance", options.tolerance, {0.0, 0.5});
  options.max_crossings =
      solver.integer("max_crossings", options.max_crossings, {1, 2'000'000'000});
  options.max_lost_fraction =
      solver.number("max_lost_fraction", options.max_lost_fraction, {0.0, 1.0});
  options.precision = solver.choice("precision", options.precision, precisions);
  options.threads = static_cast<int>(solver.integer("threads", 0, {0, 4096}));
  return options;
}

CouplingOptions read_coupling(const Section& top) {
  constexpr Choices<FieldMode, 2> fields{
      {{"replicated", FieldMode::replicated}, {"distributed", FieldMode::distributed}}};
  constexpr Choices<Handover, 2> handovers{
      {{"fixed_lag", Handover::fixed_lag}, {"when_ready", Handover::when_ready}}};
  const Section coupling =
      top.section("coupling", {"field", "interval", "lag", "handover", "extrapolate"});
  CouplingOptions options;
  options.field = coupling.choice("field", options.field, fields);
  options.interval =
      static_cast<int>(coupling.integer("interval", options.interval, {1, 1'000'000'000}));
  options.lag = static_cast<int>(coupling.integer("lag", options.lag, {0, 1'000'000'000}));
  options.handover = coupling.choice("handover", options.handover, handovers);
  options.extrapolate = coupling.boolean("extrapolate", options.extrapolate);
  return options;
}

}  // namespace ermine
