#include "case.hpp"

#include "case_reader.hpp"
#include "sums.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <sstream>

namespace channel {
namespace {

std::string as_text(const toml::table& table) {
  std::ostringstream out;
  out << table;
  return out.str();
}

/// All keys of a table and of those in it.
void add_settings(const toml::table& table, const std::string& name, Settings& settings) {
  for (const auto& [key, node] : table) {
    const std::string path =
        name.empty() ? std::string(key.str()) : name + "." + std::string(key.str());
    if (const toml::table* below = node.as_table()) {
      add_settings(*below, path, settings);
      continue;
    }
    std::ostringstream value;
    node.visit([&](const auto& of_kind) { value << of_kind; });
    settings.emplace_back(path, value.str());
  }
}

Mesh read_mesh(const Section& grid) {
  const auto cells = grid.numbers("cells", {32, 32, 32}, 3);
  for (const double n : cells) {
    if (n != std::floor(n) || n < 1 || n > 1e5) {
      grid.refuse("cells", fmt::format("{} is not a number of cells, give 1 to 100000", n));
    }
  }
  if (cells[0] < 2) grid.refuse("cells", "there must be 2 cells or more between the walls");
  const double pi = std::numbers::pi;
  const auto length = grid.numbers("length", {2, 2 * pi, 4 * pi}, 3);
  for (const double one : length) {
    if (!(one > 0) || one > 1e6) {
      grid.refuse("length", fmt::format("{} is out of range, give 0 to 1e6 half heights", one));
    }
  }
  const double stretching = grid.number("stretching", 1.5, {0, 10});
  const int nx = static_cast<int>(cells[0]);
  Mesh mesh;
  mesh.x_faces = stretching > 0 ? ermine::Axis::stretched(nx, 0, length[0], stretching).faces
                                : ermine::Axis::uniform(nx, 0, length[0]).faces;
  mesh.ny = static_cast<int>(cells[1]);
  mesh.nz = static_cast<int>(cells[2]);
  mesh.length_y = length[1];
  mesh.length_z = length[2];
  return mesh;
}

Section flow_section(const Section& top) {
  return top.section(
      "flow", {"reynolds", "walls", "drive", "force", "start", "disturbance", "seed", "plans"});
}

FlowOptions read_flow(const Section& top) {
  const Section flow = flow_section(top);
  const Section temperature = top.section("temperature", {"walls", "prandtl"});
  FlowOptions o;
  o.mesh = read_mesh(top.section("grid", {"cells", "length", "stretching"}));
  if (!flow.has("reynolds")) {
    flow.refuse("reynolds", "is missing, give U h / nu of bulk velocity and half height");
  }
  o.viscosity = 1 / flow.number("reynolds", 1, {1e-6, 1e12});
  o.diffusivity = o.viscosity / temperature.number("prandtl", 1, {1e-6, 1e6});
  o.walls = flow.choice("walls", Walls::no_slip,
                        {{"no_slip", Walls::no_slip}, {"free_slip", Walls::free_slip}});
  o.drive = flow.choice(
      "drive", Drive::bulk_velocity,
      {{"bulk_velocity", Drive::bulk_velocity}, {"pressure_gradient", Drive::pressure_gradient}});
  if (flow.has("force") && o.drive == Drive::bulk_velocity) {
    flow.refuse("force", "is found by the program, or give drive = \"pressure_gradient\"");
  }
  o.force = flow.number("force", 0, {-1e6, 1e6});
  o.plans = flow.choice("plans", Plans::estimated,
                        {{"estimated", Plans::estimated}, {"measured", Plans::measured}});
  const auto walls = temperature.numbers("walls", {955, 573}, 2);
  for (const double kelvin : walls) {
    if (!(kelvin >= 0 && kelvin <= 1e5)) {
      temperature.refuse("walls", fmt::format("{} K is out of range, give 0 to 1e5", kelvin));
    }
  }
  o.t_low = walls[0];
  o.t_high = walls[1];
  return o;
}

StartOptions read_start(const Section& top) {
  const Section flow = flow_section(top);
  StartOptions start;
  start.kind = flow.choice("start", Start::turbulent,
                           {{"rest", Start::rest},
                            {"laminar", Start::laminar},
                            {"turbulent", Start::turbulent},
                            {"taylor_green", Start::taylor_green}});
  if (start.kind == Start::rest && flow.text("drive", "bulk_velocity") == "bulk_velocity") {
    flow.refuse("start",
                "a bulk velocity of zero would be held for ever, give drive = "
                "\"pressure_gradient\" with a force");
  }
  start.amplitude = flow.number("disturbance", start.amplitude, {0, 10});
  start.seed = static_cast<std::uint64_t>(flow.integer("seed", 1, {0, 2e9}));
  return start;
}

TimeOptions read_time(const Section& top) {
  const Section time =
      top.section("time", {"step", "courant", "diffusion", "every", "steps", "until"});
  TimeOptions o;
  o.step = time.number("step", 0, {0, 1e6});
  o.courant = time.number("courant", o.courant, {1e-6, 1.7});
  o.diffusion = time.number("diffusion", o.diffusion, {1e-6, 2.5});
  o.every = time.integer("every", o.every, {1, 1e6});
  o.steps = time.integer("steps", 0, {0, 2e9});
  o.until = time.number("until", 0, {0, 1e9});
  if (o.steps == 0 && o.until == 0) {
    time.refuse("steps", "there is no end, give steps or until");
  }
  return o;
}

/// Of the conduction-radiation parameter N = lambda / (4 sigma Tm^3 h), with Tm the mean of the
/// walls: rho cp U/h = lambda Re Pr / h^2.
double capacity_of(double planck, const FlowOptions& flow, double half_height) {
  const double mean = 0.5 * (flow.t_low + flow.t_high);
  return planck * 4 * stefan_boltzmann * mean * mean * mean / (half_height * flow.diffusivity);
}

std::optional<RadiationOptions> read_radiation(const Section& top, const FlowOptions& flow,
                                               const std::filesystem::path& file) {
  if (!top.table("radiation")) return std::nullopt;
  const Section radiation = top.section(
      "radiation", {"file", "case", "set", "emission", "capacity", "planck", "half_height"});
  RadiationOptions o;
  if (radiation.has("file") == radiation.has("case")) {
    radiation.refuse("file", "name a case file of ermine, or write it as [radiation.case]");
  }
  if (radiation.has("file")) {
    o.name = file.parent_path() / radiation.text("file", "");
    const CaseText text = read_case_text(o.name.string(), {});
    o.text = as_text(text.table);
  } else {
    o.name = file;
    o.text = as_text(*radiation.table("case"));
  }
  o.overrides = radiation.texts("set");
  o.overrides.push_back(fmt::format("walls.x_low.temperature={}", flow.t_low));
  o.overrides.push_back(fmt::format("walls.x_high.temperature={}", flow.t_high));
  o.emission =
      radiation.choice("emission", Emission::implicit,
                       {{"explicit", Emission::explicit_}, {"implicit", Emission::implicit}});
  o.half_height = radiation.number("half_height", 1, {1e-9, 1e9});
  if (radiation.has("capacity") == radiation.has("planck")) {
    radiation.refuse("capacity",
                     "give rho cp U/h [W/(m3 K)], or planck = lambda / (4 sigma Tm^3 h)");
  }
  if (radiation.has("planck") && !(flow.t_low + flow.t_high > 0)) {
    radiation.refuse("planck", "means nothing between walls of 0 K, give capacity");
  }
  o.capacity = radiation.has("capacity")
                   ? radiation.number("capacity", 0, {1e-12, 1e15})
                   : capacity_of(radiation.number("planck", 0, {1e-15, 1e15}), flow, o.half_height);
  return o;
}

OutputOptions read_output(const Section& top, const std::filesystem::path& file,
                          const FlowOptions& flow) {
  const Section output =
      top.section("output", {"directory", "name", "restart", "restart_every", "statistics_every",
                             "statistics_from", "slices_every", "planes", "fields_every"});
  OutputOptions o;
  o.directory = output.text("directory", ".");
  o.name = output.text("name", file.stem().string());
  if (o.name.empty() || o.name.find('/') != std::string::npos) {
    output.refuse("name", "must be the name of a file without a folder, see output.directory");
  }
  o.restart = output.flag("restart", true);
  o.restart_every = output.integer("restart_every", 0, {0, 2e9});
  o.statistics_every = output.integer("statistics_every", 0, {0, 2e9});
  o.statistics_from = output.number("statistics_from", 0, {0, 1e9});
  o.slices_every = output.integer("slices_every", 0, {0, 2e9});
  const double half = 0.5 * flow.mesh.height();
  o.planes = output.numbers("planes", {1.1 * half, 1.97 * half});
  if (o.planes.empty() && o.slices_every > 0) {
    output.refuse("planes", "there are none to write slices of, give some or slices_every = 0");
  }
  for (const double x : o.planes) {
    if (!(x >= 0 && x <= flow.mesh.height())) {
      output.refuse("planes", fmt::format("{} is not within the channel, give 0 to {}", x,
                                          flow.mesh.height()));
    }
  }
  o.fields_every = output.integer("fields_every", 0, {-1, 2e9});
  return o;
}

}  // namespace

ChannelCase read_channel_case(const std::filesystem::path& file,
                              const std::vector<std::string>& overrides) {
  const CaseText text = read_case_text(file.string(), overrides);
  const Section top(text, &text.table, "",
                    {"title", "grid", "flow", "temperature", "time", "radiation", "output"});
  ChannelCase problem;
  problem.title = top.text("title", file.stem().string());
  problem.text = as_text(text.table);
  add_settings(text.table, "", problem.settings);
  problem.flow = read_flow(top);
  problem.start = read_start(top);
  problem.time = read_time(top);
  problem.radiation = read_radiation(top, problem.flow, file);
  problem.output = read_output(top, file, problem.flow);
  return problem;
}

}  // namespace channel
