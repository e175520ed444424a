#include <ermine/error.hpp>

#include "field_output.hpp"
#include "simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace channel {
namespace {

constexpr double format = 1;

std::vector<char> all_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// All that solutions of the radiation depend on.
std::vector<char> radiation_case(const RadiationOptions& options) {
  std::string text = options.text;
  for (const std::string& change : options.overrides) text += "\n" + change;
  return {text.begin(), text.end()};
}

}  // namespace

void Simulation::write_restart() {
  check_finite(flow_->courant_rate());
  const auto path = output(".restart.h5");
  const auto beside = output(".radiation.part");
  if (radiation_) radiation_->save(beside);
  std::unique_ptr<Hdf5Writer> file;
  const auto walls = flow_->wall_integrals();
  on_first(flow_->ranks(), [&] {
    file = std::make_unique<Hdf5Writer>(path);
    file->numbers("format", {format});
    file->text("case", problem_.text);
    file->numbers("clock", {static_cast<double>(step_), time_, dt_, loss_});
    file->numbers("walls", {walls.begin(), walls.end()});
    std::vector<double> origin{origin_set_ ? 1.0 : 0.0, origin_.time, origin_.temperature};
    origin.insert(origin.end(), origin_.walls.begin(), origin_.walls.end());
    file->numbers("origin", origin);
    statistics_.save(*file);
    if (radiation_) {
      file->bytes("radiation/case", radiation_case(*problem_.radiation));
      file->bytes("radiation/state", all_bytes(beside));
      file->numbers("radiation/count", {static_cast<double>(radiation_->temperatures().size())});
      std::filesystem::remove(beside);
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
  const Hdf5Reader file(path);
  if (file.numbers("format") != std::vector<double>{format}) {
    throw ermine::Error(
        fmt::format("{}: is of another version of this program, start anew", path.string()));
  }
  const auto clock = file.numbers("clock"), walls = file.numbers("walls"),
             origin = file.numbers("origin");
  if (clock.size() != 4 || walls.size() != 5 || origin.size() != 8) {
    throw ermine::Error(fmt::format("{}: is damaged, take an older one", path.string()));
  }
  step_ = first_step_ = static_cast<int>(clock[0]);
  time_ = first_time_ = clock[1];
  dt_ = clock[2];
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
  statistics_.load(file);
  // A flow alone may go on with radiation, and radiation with other rays: it begins anew, and so do
  // averages and the balance of heat.
  const bool anew =
      radiation_ && (!file.has("radiation/case") ||
                     file.bytes("radiation/case") != radiation_case(*problem_.radiation));
  if (anew || (!radiation_ && file.has("radiation/case"))) {
    statistics_ = Statistics(problem_.flow.mesh, problem_.output.planes);
    origin_set_ = false;
  }
  if (!radiation_ || anew) return;
  const int count = static_cast<int>(file.numbers("radiation/count").at(0));
  for (int n = 0; n < count; ++n) {
    radiation_->temperatures().push_back(flow_->allocate());
    read_field(*flow_, file, fmt::format("radiation/temperature_{}", n),
               radiation_->temperatures().back().get());
  }
  const auto beside = output(".radiation.part");
  on_first(flow_->ranks(), [&] {
    const std::vector<char> bytes = file.bytes("radiation/state");
    std::ofstream out(beside, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) {
      throw ermine::Error(fmt::format(
          "{}: writing failed, check permissions and free space on the disk", beside.string()));
    }
  });
  radiation_->load(beside);
  on_first(flow_->ranks(), [&] { std::filesystem::remove(beside); });
}

}  // namespace channel
