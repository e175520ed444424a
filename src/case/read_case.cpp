#include <ermine/case.hpp>

#include "case/case_file.hpp"
#include "case/read_field.hpp"
#include "case/read_medium.hpp"
#include "case/read_options.hpp"
#include "case/section.hpp"
#include "core/fp_guard.hpp"
#include "core/memory.hpp"
#include "files/csv.hpp"

namespace ermine {
namespace {

constexpr FieldLimits temperature_limits{0.0, 1e5, "give kelvin from 0 to 1e5"};
constexpr FieldLimits emissivity_limits{0.0, 1.0, "give a value from 0 to 1"};

std::vector<double> read_faces(const Section& axis, const std::filesystem::path& folder) {
  const toml::node& node = *axis.find("faces");
  if (node.is_string()) {
    const std::filesystem::path file = folder / axis.text("faces", "");
    return axis.located("faces", [&] { return read_csv(file, 1).columns[0]; });
  }
  if (!node.is_array()) axis.wrong_type("faces", "an array of numbers or the name of a CSV file");
  std::vector<double> faces;
  for (const toml::node& entry : *node.as_array()) {
    if (!entry.is_number()) axis.wrong_type("faces", "numbers only in the array");
    faces.push_back(as_double(entry));
  }
  return faces;
}

Axis read_axis(const Section& grid, std::string_view key, const std::filesystem::path& folder) {
  grid.required(key, fmt::format("{} = {{ cells = 32, to = 1.0 }}", key));
  const Section axis =
      grid.section(key, {"cells", "from", "to", "stretching", "faces", "periodic"});
  const Boundary boundary = axis.boolean("periodic", false) ? Boundary::periodic : Boundary::walled;
  const auto checked = [&](Axis made) {
    grid.located(key, [&] { made.check(); });
    return made;
  };
  if (axis.has("faces")) {
    for (const std::string_view other : {"cells", "from", "to", "stretching"}) {
      ERMINE_REQUIRE(!axis.has(other), "{}: {} cannot stand beside faces, remove one of the two",
                     axis.where(other), axis.path_of(other));
    }
    return checked(Axis{read_faces(axis, folder), boundary});
  }
  axis.required("cells", "the number of cells, such as cells = 32 (or give faces)");
  axis.required("to", "the end of the axis in metres, such as to = 1.0 (or give faces)");
  const int cells = static_cast<int>(axis.integer("cells", 1, {1, 1'000'000}));
  const double from = axis.number("from", 0.0, {-1e12, 1e12});
  const double to = axis.number("to", 1.0, {-1e12, 1e12});
  ERMINE_REQUIRE(to > from, "{}: {} runs from {} to {}, give an end beyond the start",
                 axis.where("to"), axis.name(), from, to);
  const double stretching = axis.number("stretching", 0.0, {0.0, 10.0});
  return checked(stretching > 0 ? Axis::stretched(cells, from, to, stretching, boundary)
                                : Axis::uniform(cells, from, to, boundary));
}

/// Refuses a grid that this machine cannot hold, before the system kills the run without a word.
void check_memory(const Grid& grid) {
  const double needed = 200.0 * static_cast<double>(grid.cell_count());
  const double present = physical_memory();
  ERMINE_REQUIRE(needed <= present,
                 "{} cells need about {:.0f} GB of memory (this machine has {:.0f} GB), use a "
                 "coarser grid",
                 grid.cell_count(), needed / 1e9, present / 1e9);
}

Grid read_grid(const Section& top, const std::filesystem::path& folder) {
  top.required("grid", "a table [grid] with x, y and z");
  const Section grid = top.section("grid", {"x", "y", "z"});
  std::array<Axis, 3> axes{read_axis(grid, "x", folder), read_axis(grid, "y", folder),
                           read_axis(grid, "z", folder)};
  return top.located("grid", [&] {
    Grid built(std::move(axes));
    check_memory(built);
    return built;
  });
}

const std::initializer_list<std::string_view> top_keys{
    "title", "grid", "temperature", "medium", "walls", "solver", "output", "coupling"};
constexpr OtherProgram channel_flow{"ermine channel", {"flow", "radiation"}};

/// Without a grid: those sides that there are, each uniform.
std::array<Wall, 6> read_sides(const Section& top, const Grid* grid,
                               const std::filesystem::path& folder) {
  constexpr std::array<std::pair<std::string_view, Reflection>, 2> reflections{
      {{"diffuse", Reflection::diffuse}, {"specular", Reflection::specular}}};
  const Section walls =
      top.section("walls", {"x_low", "x_high", "y_low", "y_high", "z_low", "z_high"});
  std::array<Wall, 6> sides;
  for (const Face face : all_faces) {
    const std::string_view key = name_of(face);
    if (!grid && !walls.has(key)) continue;
    if (grid && !grid->walled(face)) {
      ERMINE_REQUIRE(!walls.has(key), "{}: {} is a wall on a periodic axis, remove one of the two",
                     walls.where(key), walls.path_of(key));
      continue;
    }
    ERMINE_REQUIRE(walls.has(key),
                   "{}: missing key 'walls.{}', add {} = {{ temperature = 500 }} below [walls], or "
                   "make the axis periodic",
                   walls.where(key), key, key);
    const Section side = walls.section(key, {"temperature", "emissivity", "reflection"});
    side.required("temperature", "temperature = 500 (in kelvin)");
    Wall& wall = sides[static_cast<std::size_t>(face)];
    const FieldSites sites = grid ? face_sites(*grid, face) : FieldSites{};
    wall.temperature = read_field(side, "temperature", sites, temperature_limits, folder);
    if (side.has("emissivity")) {
      wall.emissivity = read_field(side, "emissivity", sites, emissivity_limits, folder);
    }
    wall.reflection = side.choice("reflection", Reflection::diffuse, reflections);
  }
  return sides;
}

std::vector<double> read_temperature(const Section& top, const Grid& grid,
                                     const std::filesystem::path& folder) {
  top.required("temperature", "temperature = \"500 + 1000*x\" (in kelvin)");
  auto values = read_field(top, "temperature", cell_sites(grid), temperature_limits, folder);
  if (values.size() == 1) values.resize(grid.cell_count(), values.front());
  return values;
}

/// What to do about a temperature that spectral data do not cover: no table can contain soot.
std::string_view advice_on_coverage(const GasMedium& gas) {
  const bool soot_alone = gas.soot() && gas.mole_fractions().empty();
  return soot_alone ? "change it" : "change it, or give a table that covers it";
}

/// A gas is tabulated for some temperatures only; says where the case leaves them.
void check_covered(const Section& top, const GasMedium& gas, const Grid& grid, const Walls& walls,
                   const std::vector<double>& temperature) {
  for (std::size_t i = 0; i < temperature.size(); ++i) {
    if (temperature[i] >= gas.coldest() && temperature[i] <= gas.hottest()) continue;
    const auto at = cell_sites(grid).position(i);
    fail(
        "{}: temperature is {} K at x = {:.6g}, y = {:.6g}, z = {:.6g}, outside the spectral data "
        "({} to {} K), {}",
        top.where("temperature"), temperature[i], at[0], at[1], at[2], gas.coldest(), gas.hottest(),
        advice_on_coverage(gas));
  }
  const Section sides =
      top.section("walls", {"x_low", "x_high", "y_low", "y_high", "z_low", "z_high"});
  for (const Face face : all_faces) {
    if (!grid.walled(face)) continue;
    for (std::size_t i = 0; i < grid.face_cell_count(face); ++i) {
      ERMINE_REQUIRE(walls.temperature(face, i) <= gas.hottest(),
                     "{}: {}.temperature is {} K, above the spectral data (up to {} K), {}",
                     sides.where(name_of(face)), sides.path_of(name_of(face)),
                     walls.temperature(face, i), gas.hottest(), advice_on_coverage(gas));
    }
  }
}

OutputOptions read_output(const Section& top, const std::filesystem::path& file) {
  const Section output = top.section("output", {"directory", "name", "hdf5", "vtr", "csv", "time"});
  OutputOptions options;
  options.directory = output.text("directory", ".");
  ERMINE_REQUIRE(!options.directory.empty(),
                 "{}: output.directory is \"\", give a folder, \".\" for this one",
                 output.where("directory"));
  options.name = output.text("name", file.stem().string());
  ERMINE_REQUIRE(!options.name.empty() && options.name.find('/') == std::string::npos &&
                     options.name != "." && options.name != "..",
                 "{}: output.name is \"{}\", give a plain file name without folder",
                 output.where("name"), options.name);
  // Suffixes and the name under which a file is written must fit into the 255 bytes of a name.
  ERMINE_REQUIRE(options.name.size() <= 200,
                 "{}: output.name has {} characters, give a name of up to 200",
                 output.where("name"), options.name.size());
  options.hdf5 = output.boolean("hdf5", options.hdf5);
  options.vtr = output.boolean("vtr", options.vtr);
  options.csv = output.boolean("csv", options.csv);
  options.time = output.number("time", options.time);
  return options;
}

}  // namespace

Case parse_case(const std::string& text, const std::filesystem::path& name,
                const std::vector<std::string>& overrides) {
  const FloatingPointGuard guard;
  const CaseFile file = parse_case_file(text, name, overrides);
  const Section top(file.table, "", name.string(), top_keys, channel_flow);
  const std::filesystem::path folder = name.parent_path();
  Grid grid = read_grid(top, folder);
  Walls walls(grid, read_sides(top, &grid, folder));
  std::vector<Particles> particles = read_particles(top, cell_sites(grid), folder);
  const Medium gas = read_medium(top, cell_sites(grid), folder);
  Medium medium = top.located("medium", [&] { return with_particles(gas, particles); });
  std::vector<double> temperature = read_temperature(top, grid, folder);
  if (const auto* covered = std::get_if<GasMedium>(&medium)) {
    check_covered(top, *covered, grid, walls, temperature);
  }
  return {top.text("title", name.stem().string()),
          file.text,
          std::move(grid),
          std::move(walls),
          std::move(medium),
          std::move(temperature),
          read_options(top),
          read_output(top, name),
          read_coupling(top),
          std::move(particles)};
}

CoupledCase parse_coupled_case(const std::string& text, const std::filesystem::path& name,
                               const std::vector<std::string>& overrides) {
  const FloatingPointGuard guard;
  const CaseFile file = parse_case_file(text, name, overrides);
  const Section top(file.table, "", name.string(), top_keys, channel_flow);
  const std::filesystem::path folder = name.parent_path();
  std::optional<Grid> grid;
  if (top.has("grid")) grid = read_grid(top, folder);
  read_output(top, name);
  return {top.text("title", name.stem().string()),
          file.text,
          grid,
          read_sides(top, grid ? &*grid : nullptr, folder),
          read_medium(top, grid ? cell_sites(*grid) : FieldSites{}, folder),
          read_options(top),
          read_coupling(top),
          read_particles(top, grid ? cell_sites(*grid) : FieldSites{}, folder)};
}

CoupledCase read_coupled_case(const std::filesystem::path& file,
                              const std::vector<std::string>& overrides) {
  return parse_coupled_case(read_case_text(file), file, overrides);
}

Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return parse_case(read_case_text(file), file, overrides);
}

}  // namespace ermine
