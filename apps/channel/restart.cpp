#include <ermine/error.hpp>
#include <ermine/files.hpp>

#include "field_output.hpp"
#include "simulation.hpp"
#include "terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace channel {
namespace {

constexpr ermine::Seal restart_seal{
    "channel restart", 2,
    "give a restart file that this version of ermine channel wrote, or start anew"};

/// What the box is, and what is simulated in it.
std::vector<double> box_of(const FlowOptions& o) {
  std::vector<double> all = o.mesh.x_faces;
  all.insert(all.end(), {o.mesh.length_y, o.mesh.length_z});
  return all;
}
std::vector<double> physics_of(const ChannelCase& problem) {
  const FlowOptions& o = problem.flow;
  std::vector<double> all{o.viscosity,
                          o.diffusivity,
                          static_cast<double>(o.walls),
                          static_cast<double>(o.drive),
                          o.force,
                          o.t_low,
                          o.t_high};
  if (const auto& radiation = problem.radiation) {
    all.insert(all.end(), {radiation->capacity, static_cast<double>(radiation->emission)});
  }
  return all;
}

/// All that solutions of the radiation depend on.
std::string radiation_case(const RadiationOptions& options) {
  std::string text = options.text;
  for (const std::string& change : options.overrides) text += "\n" + change;
  return text + fmt::format("\n{:.17g}", options.half_height);
}

std::string text_of(const std::vector<char>& bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace

void Simulation::write_restart() {
  check_finite(flow_->courant_rate());
  const auto path = output(".restart.h5");
  const std::string radiation = radiation_ ? radiation_->save() : std::string();
  std::unique_ptr<Hdf5Writer> file;
  const auto walls = flow_->wall_integrals();
  on_first(flow_->ranks(), [&] {
    file = std::make_unique<Hdf5Writer>(path, restart_seal);
    file->text("case", problem_.text);
    file->numbers("box", box_of(problem_.flow));
    file->numbers("physics", physics_of(problem_));
    file->numbers("clock", {static_cast<double>(step_), time_, dt_, loss_});
    file->numbers("walls", {walls.begin(), walls.end()});
    std::vector<double> origin{origin_set_ ? 1.0 : 0.0, origin_.time, origin_.temperature};
    origin.insert(origin.end(), origin_.walls.begin(), origin_.walls.end());
    file->numbers("origin", origin);
    statistics_.save(*file);
    if (radiation_) {
      file->bytes("radiation/case", radiation_case(*problem_.radiation));
      file->bytes("radiation/state", radiation);
      file->numbers("radiation/count", {static_cast<double>(radiation_->temperatures().size())});
    }
  });
  const Fields<double> f = flow_->fields();
  write_field(*flow_, file.get(), "fields/u", f.u);
  write_field(*flow_, file.get(), "fields/v", f.v);
  write_field(*flow_, file.get(), "fields/w", f.w);
  write_field(*flow_, file.get(), "fields/temperature", f.t);
  if (radiation_) {
    int number = 0;
    for (const auto& temperature : radiation_->temperatures()) {
      write_field(*flow_, file.get(), fmt::format("radiation/temperature_{}", number++),
                  temperature.get());
    }
  }
  on_first(flow_->ranks(), [&] { file->commit(); });
}

void Simulation::restart(const std::filesystem::path& path) {
  on_first(flow_->ranks(), [&] { ermine::check_seal(path, restart_seal); });
  const Hdf5Reader file(path);
  const auto clock = file.numbers("clock"), walls = file.numbers("walls"),
             origin = file.numbers("origin");
  if (clock.size() != 4 || walls.size() != 5 || origin.size() != 8) {
    throw ermine::Error(fmt::format("{}: is damaged, take an older one", path.string()));
  }
  if (file.numbers("box") != box_of(problem_.flow)) {
    throw ermine::Error(fmt::format(
        "{}: is of a channel of another size or stretching, give grid.cells, length and "
        "stretching of the run it comes from",
        path.string()));
  }
  step_ = first_step_ = static_cast<int>(clock[0]);
  time_ = first_time_ = clock[1];
  dt_ = problem_.time.step > 0 ? problem_.time.step : clock[2];
  loss_ = clock[3];
  origin_set_ = origin[0] != 0;
  origin_.time = origin[1];
  origin_.temperature = origin[2];
  std::copy_n(origin.begin() + 3, 5, origin_.walls.begin());
  const Fields<double> f = flow_->fields();
  read_field(*flow_, file, "fields/u", f.u);
  read_field(*flow_, file, "fields/v", f.v);
  read_field(*flow_, file, "fields/w", f.w);
  read_field(*flow_, file, "fields/temperature", f.t);
  flow_->fill_halos();
  std::array<double, 5> integrals;
  std::copy_n(walls.begin(), 5, integrals.begin());
  flow_->set_wall_integrals(integrals);
  // Other physics, radiation that joins a flow or has other rays: averages and the balance of heat
  // begin anew.
  const bool anew =
      radiation_ && (!file.has("radiation/case") ||
                     text_of(file.bytes("radiation/case")) != radiation_case(*problem_.radiation));
  const bool other = anew || (!radiation_ && file.has("radiation/case")) ||
                     file.numbers("physics") != physics_of(problem_);
  if (other || !statistics_.load(file)) {
    statistics_ = Statistics(problem_.flow.mesh, problem_.output.planes);
    origin_set_ = false;
    if (flow_->ranks().first()) {
      ermine::terminal::note("ermine-channel: averages begin anew, the case is not that of {}\n",
                             path.string());
    }
  }
  if (!radiation_ || anew) return;
  const int count = static_cast<int>(file.numbers("radiation/count").at(0));
  for (int n = 0; n < count; ++n) {
    radiation_->temperatures().push_back(flow_->allocate());
    read_field(*flow_, file, fmt::format("radiation/temperature_{}", n),
               radiation_->temperatures().back().get());
  }
  radiation_->load(file.bytes("radiation/state"));
}

}  // namespace channel
