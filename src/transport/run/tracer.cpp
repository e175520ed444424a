#include <ermine/device.hpp>
#include <ermine/mesh_error.hpp>
#include <ermine/tracer.hpp>

#include "backend/client_memory.hpp"
#include "core/block_sum.hpp"
#include "core/check.hpp"
#include "core/constants.hpp"
#include "core/fp_guard.hpp"
#include "core/thread_count.hpp"
#include "geometry/tiles.hpp"
#include "transport/accuracy/check_result.hpp"
#include "transport/accuracy/ray_lengths.hpp"
#include "transport/cuda/tracer_device.hpp"
#include "transport/mesh/mesh_correction.hpp"
#include "transport/run/advance.hpp"
#include "transport/run/fingerprint.hpp"
#include "transport/run/solving.hpp"
#include "transport/run/submission.hpp"
#include "transport/run/tracer_host.hpp"
#include "transport/scene/scene_cache.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <future>

namespace ermine {
namespace {

void check_options(const Options& options) {
  ERMINE_REQUIRE(options.rays_per_cell >= 2 && options.rays_per_cell <= most_rays,
                 "rays_per_cell is {}, give at least 2 (one ray has no error bar) and at most 2^32",
                 options.rays_per_cell);
  ERMINE_REQUIRE(options.rays_per_wall_face != 1 && options.rays_per_wall_face >= automatic_rays &&
                     options.rays_per_wall_face <= most_rays,
                 "rays_per_wall_face is {}, give automatic_rays, 0 (no wall fluxes), or at least 2 "
                 "and at most "
                 "2^32",
                 options.rays_per_wall_face);
  ERMINE_REQUIRE(options.batches >= 0, "batches is {}, give 0 (automatic) or more",
                 options.batches);
  ERMINE_REQUIRE(options.tolerance >= 0 && options.tolerance < 1,
                 "tolerance is {}, give a transmissivity from 0 up to, but not including, 1",
                 options.tolerance);
  ERMINE_REQUIRE(options.max_crossings >= 1, "max_crossings is {}, give at least 1",
                 options.max_crossings);
  ERMINE_REQUIRE(options.max_lost_fraction >= 0 && options.max_lost_fraction <= 1,
                 "max_lost_fraction is {}, give a value from 0 to 1", options.max_lost_fraction);
  ERMINE_REQUIRE(options.levels >= automatic_levels && options.levels <= most_levels,
                 "levels is {}, give automatic_levels, or 0 (as many as there are) to {}",
                 options.levels, most_levels);
  ERMINE_REQUIRE(options.steps_per_level >= 1 && options.steps_per_level <= 1'000'000,
                 "steps_per_level is {}, give 1 to 1000000", options.steps_per_level);
  ERMINE_REQUIRE(options.replicates != 1 && options.replicates >= 0 && options.replicates <= 65536,
                 "replicates is {}, give 0 (automatic), or 2 (one has no error bar) to 65536",
                 options.replicates);
  const ErrorTarget& target = options.target;
  ERMINE_REQUIRE(target.error >= 0 && std::isfinite(target.error),
                 "target error is {}, give 0 (none) or more", target.error);
  ERMINE_REQUIRE(target.wall_error >= 0 && std::isfinite(target.wall_error),
                 "target error of walls is {}, give 0 (none) or more", target.wall_error);
  ERMINE_REQUIRE(target.wall_error == 0 || options.rays_per_wall_face != 0,
                 "there is a target for wall fluxes, but rays_per_wall_face is 0 (no wall fluxes), "
                 "leave one of them out");
  ERMINE_REQUIRE(target.quantile > 0 && target.quantile <= 1,
                 "target quantile is {}, give a share of the cells above 0 and up to 1",
                 target.quantile);
  ERMINE_REQUIRE(target.time_limit >= 0, "time limit is {} s, give 0 (none) or more",
                 target.time_limit);
  const bool net = options.sampler == RaySampler::net;
  ERMINE_REQUIRE(net || !target.any(),
                 "a target error needs the net, choose sampler (or method) \"net\"");
  ERMINE_REQUIRE(net || !options.unbiased, "unbiased needs the net, choose sampler \"net\"");
  ERMINE_REQUIRE(options.forgetting > 0 && options.forgetting <= 1,
                 "forgetting is {}, give a share of the past above 0 and up to 1",
                 options.forgetting);
  if (options.temporal == Temporal::difference) {
    ERMINE_REQUIRE(net, "temporal \"difference\" needs the net, choose sampler \"net\"");
    ERMINE_REQUIRE(
        !target.any() && !options.unbiased,
        "temporal \"difference\" traces as many rays in each update, without corrections; "
        "leave out the target error and unbiased, or choose \"continued\"");
  }
  ERMINE_REQUIRE(options.threads >= 0 && options.threads <= 4096,
                 "threads is {}, give 0 (all) to 4096", options.threads);
}

void check_temperature(const Tracer& tracer, const TemperatureField& field) {
  if (!field.complete()) return;  // whoever has shared it out has looked
  const std::span<const double> temperature = field.finest();
  const Grid& grid = tracer.grid();
  ERMINE_REQUIRE(temperature.size() == grid.cell_count(),
                 "temperature has {} values but the grid has {} cells, give one per cell",
                 temperature.size(), grid.cell_count());
  const int threads = thread_count(tracer.options().threads);
  std::size_t refused = temperature.size();
#pragma omp parallel for num_threads(threads) reduction(min : refused)
  for (std::size_t i = 0; i < temperature.size(); ++i) {
    if (!(temperature[i] >= 0 && temperature[i] <= 1e5)) refused = std::min(refused, i);
  }
  if (refused == temperature.size()) return;
  const auto at = grid.centre(refused);
  fail(
      "temperature is {} K at x = {:.6g}, y = {:.6g}, z = {:.6g} (cell {}), give kelvin from 0 to "
      "1e5",
      temperature[refused], at[0], at[1], at[2], refused);
}

double thickest_cell(const Tracer& tracer, const TemperatureField& temperature,
                     const std::vector<double>& emission, Ranks& ranks) {
  const Grid& grid = tracer.grid();
  const int threads = thread_count(tracer.options().threads);
  double thickest = 0.0;
  const Box all = all_cells(grid);
  const Box own = temperature.own(grid);
#pragma omp parallel for collapse(2) num_threads(threads) reduction(max : thickest)
  for (std::int64_t k = own.begin[2]; k < own.end[2]; ++k) {
    for (std::int64_t j = own.begin[1]; j < own.end[1]; ++j) {
      const double across = std::min(grid.width(1, static_cast<std::size_t>(j)),
                                     grid.width(2, static_cast<std::size_t>(k)));
      for (std::int64_t i = own.begin[0]; i < own.end[0]; ++i) {
        const std::size_t cell = all.at(i, j, k);
        if (!(emission[cell] > 0)) continue;
        const double kelvin = temperature[cell];
        const double planck_mean = emission[cell] / (4 * constants::stefan_boltzmann *
                                                     (kelvin * kelvin) * (kelvin * kelvin));
        thickest = std::max(
            thickest, planck_mean * std::min(grid.width(0, static_cast<std::size_t>(i)), across));
      }
    }
  }
  if (temperature.complete()) return thickest;
  for (const double of_rank : gather_one(ranks, thickest)) thickest = std::max(thickest, of_rank);
  return thickest;
}

/// What is known once the rays are traced.
void complete(const Tracer& tracer, const TemperatureField& temperature, CorrectionField correction,
              const Solving& how, Result& result) {
  Ranks& ranks = how.team();
  share(correction, tracer.grid(), temperature, ranks);
  apply(correction, tracer, result);
  explain_balance(tracer, result);
  result.thickest_cell = thickest_cell(tracer, temperature, result.emission, ranks);
  if (tracer.options().estimate_mesh_error) {
    result.accuracy.mesh =
        estimate_mesh_error(tracer, temperature.finest(), result.rays_per_cell, ranks);
  }
  if (how.pilot) return;  // has traced some of the cells, and is no answer
  check_result(tracer.grid(), result, thread_count(tracer.options().threads));
}

/// A solution on the GPU's streams or on CPU threads, with a copy of the temperature. What goes
/// wrong is kept for wait().
class Deferred : public Submission::State {
 public:
  /// `history`: may be null.
  Deferred(const Tracer& tracer, std::span<const double> temperature, std::uint32_t update,
           History* history)
      : tracer_(tracer),
        temperature_(temperature.begin(), temperature.end()),
        advance_(tracer, update, history),
        solving_(advance_.solving()) {
    solving_.cancelled = &cancelled_;
    const Solving& how = solving_;
    if (tracer.backend() == Backend::cuda && tracer.options().target.any()) {
      // How many rays it takes shows on the way: a thread looks after it.
      host_ = std::async(std::launch::async, [this, &how, device = current_device()] {
        const FloatingPointGuard guard;
        use_device(device);
        return completed(submit_on_device(tracer_, temperature_, how, {})->wait({}));
      });
    } else if (tracer.backend() == Backend::cuda) {
      try {
        device_ = submit_on_device(tracer, temperature_, how, {});
      } catch (...) {
        std::promise<Result> failed;
        failed.set_exception(std::current_exception());
        host_ = failed.get_future();
      }
    } else {
      host_ = std::async(std::launch::async, [this, &how] {
        const FloatingPointGuard guard;
        return completed(solve_on_host(tracer_, temperature_, how));
      });
    }
  }

  /// Leaves undone what nobody waits for.
  ~Deferred() override { cancelled_ = true; }
  Deferred(const Deferred&) = delete;
  Deferred& operator=(const Deferred&) = delete;

  bool ready() const override {
    if (device_) return device_->ready();
    return host_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }

  Result wait(const ProgressCallback& progress) override {
    Result result = device_ ? from_device(progress) : host_.get();
    advance_.finish(temperature_, result);
    return result;
  }

 private:
  Result from_device(const ProgressCallback& progress) {
    const CorrectionField correction = mesh_correction(tracer_, temperature_);  // GPU still traces
    Result result = device_->wait(progress);
    complete(tracer_, temperature_, correction, Solving(), result);
    return result;
  }
  Result completed(Result result) const {
    complete(tracer_, temperature_, mesh_correction(tracer_, temperature_), Solving(), result);
    return result;
  }

  const Tracer& tracer_;
  std::vector<double> temperature_;
  Advance advance_;
  Solving solving_;
  std::atomic<bool> cancelled_{false};
  std::unique_ptr<Submission::State> device_;
  std::future<Result> host_;  ///< last: waits for the thread that uses all the others
};

/// Where many cells share what they know of errors, two differ enough: not in few of them, nor
/// where tiles are thin.
int automatic_replicates(const Grid& grid) {
  constexpr std::size_t many_cells = 64 * cells_per_tile;
  std::size_t of_tile = 1;
  for (const std::size_t a : {0, 1, 2}) {
    of_tile *= std::min<std::size_t>(tile_cells[a], grid.cells(a));
  }
  return of_tile < cells_per_tile || grid.cell_count() < many_cells ? 8 : 2;
}

/// Collective.
void require_same_field(Ranks& ranks, std::span<const double> temperature, std::uint32_t update,
                        const History* history = nullptr) {
  if (ranks.alone()) return;
  ranks.enter("solve");
  Fingerprint parts;
  parts.add("temperature", temperature).add("update", update);
  // Ranks have each a part of what it holds.
  if (history) parts.add("updates of the history", history->updates);
  require_same(ranks, parts);
}

void check_scattering(std::span<const Scattering> classes, const Grid& grid) {
  ERMINE_REQUIRE(classes.size() <= most_scattering,
                 "there are {} classes of particles that scatter, give at most {}", classes.size(),
                 most_scattering);
  for (const Scattering& one : classes) {
    const std::size_t count = one.coefficient.size();
    ERMINE_REQUIRE(count == 1 || count == grid.cell_count(),
                   "scattering coefficient has {} values but the grid has {} cells, give one value "
                   "or one per cell",
                   count, grid.cell_count());
    constexpr double largest = 1e6;
    for (std::size_t cell = 0; cell < count; ++cell) {
      ERMINE_REQUIRE(one.coefficient[cell] >= 0 && one.coefficient[cell] <= largest,
                     "scattering coefficient is {} 1/m in cell {}, give 0 to {:g}",
                     one.coefficient[cell], cell, largest);
    }
    constexpr double most = 0.999;
    ERMINE_REQUIRE(one.asymmetry >= -most && one.asymmetry <= most,
                   "asymmetry of scattering is {}, give -{} (back) to {} (ahead)", one.asymmetry,
                   most, most);
  }
}

Backend choose(Backend wanted) {
  if (wanted == Backend::automatic) return device_available() ? Backend::cuda : Backend::cpu;
  ERMINE_REQUIRE(wanted != Backend::cuda || device_available(),
                 "backend is \"cuda\" but there is no GPU to use: {}; or choose backend = \"cpu\"",
                 why_no_device());
  return wanted;
}

}  // namespace

double Result::relative_standard_error() const {
  const FloatingPointGuard guard;
  const int all = thread_count(backend == Backend::cpu ? threads : 0);
  const auto squares = [&](const std::vector<double>& values) {
    return block_sum(values.size(), all, [&](std::size_t i) { return values[i] * values[i]; });
  };
  const double error = squares(standard_error);
  const double value = squares(flux_divergence);
  return value > 0 ? std::sqrt(error / value) : 0.0;
}

Tracer::Tracer(Grid grid, Walls walls, Medium medium, Options options, Communicator communicator)
    : Tracer(std::move(grid), std::move(walls), std::move(medium), std::vector<Scattering>(),
             options, std::move(communicator)) {}

Tracer::Tracer(Grid grid, Walls walls, Medium medium, std::vector<Scattering> scattering,
               Options options, Communicator communicator)
    : grid_(std::move(grid)),
      walls_(std::move(walls)),
      medium_(std::move(medium)),
      scattering_(std::move(scattering)),
      options_(options),
      communicator_(std::move(communicator)),
      scenes_(std::make_shared<SceneCache>()) {
  const FloatingPointGuard guard;
  if (Ranks& ranks = *communicator_.ranks(); !ranks.alone()) {
    // Before anything is refused: what is wrong on one rank must be wrong on all.
    ranks.enter("Tracer");
    require_same(ranks, Fingerprint()
                            .add(fingerprint(grid_))
                            .add(fingerprint(walls_.sides()))
                            .add(fingerprint(medium_))
                            .add(fingerprint(scattering_))
                            .add(fingerprint(options_)));
  }
  check_options(options_);
  if (options_.replicates == 0) options_.replicates = automatic_replicates(grid_);
  backend_ = choose(options_.backend);
  walls_ = Walls(grid_, walls_.sides());  // they may have been made for another grid
  if (const auto* grey = std::get_if<GreyMedium>(&medium_); grey && !grey->uniform()) {
    ERMINE_REQUIRE(grey->absorption_coefficient().size() == grid_.cell_count(),
                   "absorption coefficient has {} values but the grid has {} cells, give one "
                   "value or one per cell",
                   grey->absorption_coefficient().size(), grid_.cell_count());
  }
  if (const auto* gas = std::get_if<GasMedium>(&medium_)) {
    ERMINE_REQUIRE(gas->cell_count() == 1 || gas->cell_count() == grid_.cell_count(),
                   "the composition has {} values but the grid has {} cells, give one value or one "
                   "per cell",
                   gas->cell_count(), grid_.cell_count());
  }
  check_scattering(scattering_, grid_);
  ERMINE_REQUIRE(options_.target.wall_error == 0 || wall_cell_count(grid_) > 0,
                 "there is a target for wall fluxes, but the box has no walls: leave it out");
  if (options_.rays_per_wall_face == automatic_rays && !options_.target.any()) {
    options_.rays_per_wall_face = rays_of_wall_faces(grid_, options_.rays_per_cell);
  }
}

SceneCache& scene_cache(const Tracer& tracer) { return *tracer.scenes_; }

void check_distributed(const Tracer& tracer) {
  const auto refuse = [](bool refused, const char* what, const char* why) {
    ERMINE_REQUIRE(!refused,
                   "{}: {}, which processes do not have with distributed levels; choose "
                   "coupling.field = \"replicated\"",
                   what, why);
  };
  const Options& options = tracer.options();
  const char* everywhere = "rays need the finest level everywhere";
  refuse(options.sampler != RaySampler::net, "sampler is not the net",
         "processes trace any of the cells, and need the field around them");
  refuse(options.temporal == Temporal::difference, "temporal is \"difference\"",
         "rays are followed in the field of the update before as well, which is kept as a whole");
  refuse(options.target.any(), "there is a target error", everywhere);
  refuse(options.unbiased, "unbiased is true", everywhere);
  ERMINE_REQUIRE(
      options.levels != automatic_levels && options.levels != 1,
      "levels of detail are {}, for which rays need the finest level everywhere, which "
      "processes do not have with distributed levels; set solver.levels = 0 (all levels, "
      "with a bias that nobody measures) or choose coupling.field = \"replicated\"",
      options.levels == 1 ? "1" : "chosen (solver.levels = \"auto\")");
  refuse(options.estimate_mesh_error, "estimate_mesh_error is true",
         "coarser grids are made of the whole field");
  const char* composition = "the composition of cells is looked up anywhere in the field";
  if (const auto* grey = std::get_if<GreyMedium>(&tracer.medium())) {
    refuse(!grey->uniform(), "the absorption coefficient differs from cell to cell", composition);
  }
  if (const auto* gas = std::get_if<GasMedium>(&tracer.medium())) {
    refuse(gas->cell_count() != 1, "the composition differs from cell to cell", composition);
  }
  for (const Scattering& one : tracer.scattering()) {
    refuse(one.coefficient.size() != 1, "scattering differs from cell to cell", composition);
  }
}

Result solve(const Tracer& tracer, const TemperatureField& temperature, const Solving& how) {
  check_temperature(tracer, temperature);
  check_rays_end(tracer, temperature);
  Ranks& ranks = how.team();
  if (tracer.backend() == Backend::cuda) {
    if (!ranks.alone()) use_device(ranks.local_rank() % device_count());
    const auto submitted = submit_on_device(tracer, temperature, how, {});
    CorrectionField correction = mesh_correction(tracer, temperature, ranks);  // GPU traces
    Result result = submitted->wait(how.progress);
    complete(tracer, temperature, std::move(correction), how, result);
    return result;
  }
  // Ranks do all that they need not wait for each other for, then the rest.
  CorrectionField correction;
  if (!ranks.alone()) correction = mesh_correction(tracer, temperature, ranks);
  Result result = solve_on_host(tracer, temperature, how);  // refuses bad temperatures
  if (ranks.alone()) correction = mesh_correction(tracer, temperature);
  complete(tracer, temperature, std::move(correction), how, result);
  return result;
}

Result Tracer::solve(std::span<const double> temperature, std::uint32_t update,
                     const ProgressCallback& progress) const {
  const FloatingPointGuard guard;
  require_same_field(*communicator_.ranks(), temperature, update);
  return ermine::solve(
      *this, temperature,
      {.update = update, .progress = progress, .ranks = communicator_.ranks().get()});
}

Result Tracer::solve(std::span<const double> temperature, std::uint32_t update, History& history,
                     const ProgressCallback& progress) const {
  const FloatingPointGuard guard;
  require_same_field(*communicator_.ranks(), temperature, update, &history);
  Advance advance(*this, update, &history);
  Solving how = advance.solving();
  how.progress = progress;
  how.ranks = communicator_.ranks().get();
  Result result = ermine::solve(*this, temperature, how);
  advance.finish(temperature, result);
  return result;
}

Submission Tracer::submit(std::span<const double> temperature, std::uint32_t update) const {
  const FloatingPointGuard guard;
  check_temperature(*this, temperature);
  check_rays_end(*this, temperature);
  return Submission(std::make_unique<Deferred>(*this, temperature, update, nullptr));
}

Submission Tracer::submit(std::span<const double> temperature, std::uint32_t update,
                          History& history) const {
  const FloatingPointGuard guard;
  check_temperature(*this, temperature);
  check_rays_end(*this, temperature);
  return Submission(std::make_unique<Deferred>(*this, temperature, update, &history));
}

}  // namespace ermine
