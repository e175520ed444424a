#include "simulation.hpp"

#include <ermine/device.hpp>
#include <ermine/error.hpp>

#include "field_output.hpp"
#include "output_folder.hpp"
#include "planes.hpp"
#include "sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

namespace channel {
namespace {

/// Adds the seconds of its life.
class Timer {
 public:
  explicit Timer(double& total) : total_(total) {}
  ~Timer() {
    total_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  double& total_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::unique_ptr<Flow> make_flow(const FlowOptions& options, const Ranks& ranks,
                                const std::string& backend) {
  if (ranks.size() > options.mesh.nz) {
    throw ermine::Error(fmt::format(
        "{} processes cannot share {} cells along z, start at most as many as grid.cells has there",
        ranks.size(), options.mesh.nz));
  }
  const bool device =
      backend == "cuda" || (backend == "auto" && ranks.size() == 1 && ermine::device_available());
  if (!device) return make_host_flow(options, ranks);
  if (ranks.size() > 1) {
    throw ermine::Error("the flow runs on one GPU only, start one process or take --backend cpu");
  }
  if (!ermine::device_available()) throw ermine::Error(ermine::why_no_device());
  return make_device_flow(options);
}

}  // namespace

Simulation::Simulation(ChannelCase problem, const Ranks& ranks, const std::string& backend)
    : problem_(std::move(problem)),
      flow_(make_flow(problem_.flow, ranks, backend)),
      statistics_(problem_.flow.mesh, problem_.output.planes) {
  on_first(ranks, [&] {
    check_output();
    lock_.emplace(ermine::FileLock::of_run(output("")));
    ermine::remove_left_over(output(""));
  });
  if (problem_.radiation) {
    radiation_ = std::make_unique<RadiationLink>(*problem_.radiation, *flow_,
                                                 backend == "auto" ? "" : backend);
  }
}

void Simulation::start() {
  set_start(*flow_, problem_.start);
  if (problem_.output.statistics_from <= 0) set_origin();
}

bool Simulation::done() const {
  const TimeOptions& t = problem_.time;
  return (t.steps > 0 && step_ >= t.steps) || (t.until > 0 && time_ >= t.until * (1 - 1e-12));
}

double Simulation::progress() const {
  const TimeOptions& t = problem_.time;
  double share = 0;
  if (t.steps > first_step_) {
    share = static_cast<double>(step_ - first_step_) / (t.steps - first_step_);
  }
  if (t.until > first_time_)
    share = std::max(share, (time_ - first_time_) / (t.until - first_time_));
  return std::min(share, 1.0);
}

void Simulation::choose_time_step() {
  const double rate = flow_->courant_rate();
  check_finite(rate);
  const TimeOptions& t = problem_.time;
  if (t.step > 0) {
    dt_ = t.step;
    return;
  }
  const FlowOptions& o = problem_.flow;
  double thinnest = o.mesh.width(0);
  for (int i = 1; i < o.mesh.nx(); ++i) thinnest = std::min(thinnest, o.mesh.width(i));
  const double largest = std::max(o.viscosity, o.diffusivity);
  const double diffusion = 4 * largest *
                           (1 / (thinnest * thinnest) + 1 / (o.mesh.dy() * o.mesh.dy()) +
                            1 / (o.mesh.dz() * o.mesh.dz()));
  dt_ = t.diffusion / diffusion;
  if (rate > 0) dt_ = std::min(dt_, t.courant / rate);
}

void Simulation::check_finite(double rate) {
  if (!std::isfinite(rate)) report_not_finite();
}

void Simulation::report_not_finite() {
  const Layout layout = flow_->layout();
  const int first = flow_->ranks().begin(problem_.flow.mesh.nz);
  const Fields<double> f = flow_->fields();
  const std::array<std::pair<const char*, const double*>, 4> all{
      {{"u", f.u}, {"v", f.v}, {"w", f.w}, {"the temperature", f.t}}};
  const auto found = [&]() -> std::string {
    std::vector<double> host(static_cast<std::size_t>(layout.size()));
    for (const auto& [name, field] : all) {
      flow_->read(host.data(), field, 0, layout.size());
      for (int i = 0; i < layout.nx; ++i) {
        for (int k = 0; k < layout.nz; ++k) {
          for (int j = 0; j < layout.ny; ++j) {
            const double value = host[static_cast<std::size_t>(layout.at(i, j, k))];
            if (std::isfinite(value)) continue;
            return fmt::format(
                "step {}, time {:.6g}: {} is {} in cell ({}, {}, {}) of x, y, z, counted from 0; "
                "give a smaller time.step, or time.courant and time.diffusion",
                step_, time_, name, value, i, j, k + first);
          }
        }
      }
    }
    return {};
  };
  flow_->ranks().agree(found());
  throw ermine::Error(
      fmt::format("step {}, time {:.6g}: velocities are beyond all bounds, give a "
                  "smaller time.step, or time.courant and time.diffusion",
                  step_, time_));
}

double Simulation::mean_temperature() {
  const PlaneSums sums = flow_->velocity_sums();
  const Mesh& mesh = problem_.flow.mesh;
  const auto nx = static_cast<std::size_t>(mesh.nx());
  double sum = 0;
  for (std::size_t i = 0; i < nx; ++i) {
    sum += sums[VelocitySums::t * nx + i] * mesh.width(static_cast<int>(i));
  }
  return sum / (mesh.height() * mesh.ny * mesh.nz);
}

void Simulation::set_origin() {
  origin_ = {time_, mean_temperature(), flow_->wall_integrals()};
  loss_ = 0;
  origin_set_ = true;
}

void Simulation::advance() {
  if (step_ % problem_.time.every == 0) choose_time_step();
  if (radiation_) {
    const Timer timer(times_.radiation);
    try {
      radiation_->advance();
    } catch (const ermine::Error& error) {
      check_finite(flow_->courant_rate());  // knows better what is wrong with the temperature
      throw ermine::Error(fmt::format("step {}, time {:.6g}: {}", step_, time_, error.what()));
    }
  }
  {
    const Timer timer(times_.flow);
    flow_->step(dt_);
    flow_->wait();
  }
  ++step_;
  time_ += dt_;
  if (radiation_) loss_ += radiation_->lost(dt_);
  sample();
  write_due();
}

void Simulation::sample() {
  const OutputOptions& o = problem_.output;
  if (!origin_set_ && time_ >= o.statistics_from) set_origin();
  if (o.statistics_every == 0 || time_ < o.statistics_from) return;
  const Timer timer(times_.statistics);
  if (step_ % o.statistics_every == 0) {
    statistics_.sample_flow(*flow_, radiation_ ? radiation_->source() : nullptr);
  }
  if (radiation_ && radiation_->updated()) statistics_.sample_radiation(*radiation_);
}

void Simulation::write_due() {
  const OutputOptions& o = problem_.output;
  const auto due = [&](int every) { return every > 0 && step_ % every == 0; };
  const Timer timer(times_.output);
  const Fields<double> f = flow_->fields();
  std::vector<NamedField> fields{{"u", f.u}, {"v", f.v}, {"w", f.w}, {"temperature", f.t}};
  if (radiation_) fields.push_back({"source", radiation_->source()});
  // First, so that nothing is lost where another file cannot be written.
  if (due(o.restart_every)) {
    write_restart();
    write_statistics();
  }
  try {
    if (due(o.slices_every)) {
      write_slices(*flow_, output(fmt::format(".slices.{:08}.h5", step_)), o.planes, time_, fields);
    }
    if (due(o.fields_every) || (o.fields_every < 0 && done())) {
      write_fields(*flow_, output(fmt::format(".fields.{:08}.h5", step_)), time_, fields);
    }
  } catch (const ermine::Error&) {
    if (!due(o.restart_every)) finish();
    throw;
  }
}

void Simulation::finish() {
  const Timer timer(times_.output);
  check_finite(flow_->courant_rate());
  if (problem_.output.restart) write_restart();
  write_statistics();
}

void Simulation::check_output() const {
  const OutputOptions& o = problem_.output;
  const Mesh& mesh = problem_.flow.mesh;
  constexpr double bytes_of_cell = 4 * sizeof(double);  // three velocities and the temperature
  const double fields = bytes_of_cell * mesh.nx() * mesh.ny * mesh.nz;
  try {
    ermine::create_folder(o.directory, o.restart || o.fields_every != 0 ? fields : 0.0);
  } catch (const ermine::Error& error) {
    throw ermine::Error(
        fmt::format("output.directory = \"{}\": {}", o.directory.string(), error.what()));
  }
  for (const char* suffix : {".restart.h5", ".statistics.h5"}) {
    ermine::require_replaceable(output(suffix));
  }
}

std::filesystem::path Simulation::output(const std::string& suffix) const {
  return problem_.output.directory / (problem_.output.name + suffix);
}

HeatBalance Simulation::heat() {
  const FlowOptions& o = problem_.flow;
  const auto walls = flow_->wall_integrals();
  HeatBalance balance;
  if (!origin_set_) return balance;
  balance.stored = mean_temperature() - origin_.temperature;
  const double gradients = walls[2] - origin_.walls[2] + walls[3] - origin_.walls[3];
  balance.conducted = -o.diffusivity * gradients / o.mesh.height();
  balance.radiated = loss_;
  balance.residual = balance.stored - balance.conducted + balance.radiated;
  return balance;
}

Friction Simulation::friction() {
  const FlowOptions& o = problem_.flow;
  auto walls = flow_->wall_integrals();
  const double time = time_ - origin_.time;
  Friction friction;
  if (!origin_set_ || !(time > 0)) return friction;
  for (std::size_t n = 0; n < walls.size(); ++n) walls[n] = (walls[n] - origin_.walls[n]) / time;
  const double shear = 0.5 * o.viscosity * (walls[0] + walls[1]);
  friction.velocity = std::sqrt(std::max(shear, 0.0));
  friction.reynolds = friction.velocity * 0.5 * o.mesh.height() / o.viscosity;
  friction.coefficient = 2 * shear;
  if (o.t_low != o.t_high) {
    const double scale = o.mesh.height() / (o.t_high - o.t_low);
    friction.nusselt_low = walls[2] * scale;
    friction.nusselt_high = -walls[3] * scale;
  }
  return friction;
}

void Simulation::write_statistics() {
  if (problem_.output.statistics_every == 0) return;
  const Friction f = friction();
  const HeatBalance h = heat();
  on_first(flow_->ranks(), [&] {
    Hdf5Writer file(output(".statistics.h5"));
    file.text("case", problem_.text);
    file.numbers("time", {time_});
    file.numbers("from", {origin_.time});
    file.numbers("bulk_reynolds", {problem_.flow.mesh.height() / problem_.flow.viscosity});
    file.numbers("friction/velocity", {f.velocity});
    file.numbers("friction/reynolds", {f.reynolds});
    file.numbers("friction/coefficient", {f.coefficient});
    file.numbers("nusselt", {f.nusselt_low, f.nusselt_high});
    file.numbers("heat/stored", {h.stored});
    file.numbers("heat/conducted", {h.conducted});
    file.numbers("heat/radiated", {h.radiated});
    file.numbers("heat/residual", {h.residual});
    statistics_.write(file, problem_.flow.mesh);
    file.commit();
  });
}

}  // namespace channel
