#include <ermine/output.hpp>
#include <ermine/version.hpp>

#include "files/hdf5.hpp"
#include "files/parallel_hdf5.hpp"
#include "io/write_fields.hpp"
#include "transport/run/gather.hpp"

#include <fmt/format.h>

namespace ermine {
namespace {

constexpr std::int64_t format_version = 1;
constexpr char axis_letters[] = {'x', 'y', 'z'};

void write_array(Hdf5Writer& out, const std::string& path, std::vector<std::size_t> shape,
                 std::span<const double> values, const char* units) {
  out.write(path, shape, values);
  out.attribute(path, "units", units);
}

void write_grid(Hdf5Writer& out, const Grid& grid) {
  for (std::size_t a = 0; a < 3; ++a) {
    const std::string path = fmt::format("/grid/{}", axis_letters[a]);
    write_array(out, path, {grid.axis(a).faces.size()}, grid.axis(a).faces, "m");
    out.attribute(path, "periodic", std::int64_t{grid.periodic(a)});
  }
}

/// Corners of the face cells, for XDMF: x, y, z of each.
std::vector<double> wall_points(const Grid& grid, Face face) {
  const auto [fast, slow] = Grid::tangents(face);
  const auto& normal_faces = grid.axis(axis_of(face)).faces;
  std::array<double, 3> point{};
  point[axis_of(face)] = is_high(face) ? normal_faces.back() : normal_faces.front();
  std::vector<double> points;
  for (const double slow_face : grid.axis(slow).faces) {
    for (const double fast_face : grid.axis(fast).faces) {
      point[slow] = slow_face;
      point[fast] = fast_face;
      points.insert(points.end(), point.begin(), point.end());
    }
  }
  return points;
}

void write_walls(Hdf5Writer& out, const Case& problem, const Result& result) {
  for (const Face face : all_faces) {
    if (!problem.grid.walled(face)) continue;
    const auto [fast, slow] = Grid::tangents(face);
    const std::vector<std::size_t> shape{problem.grid.cells(slow), problem.grid.cells(fast)};
    std::vector<double> temperature;
    std::vector<double> emissivity;
    for (std::size_t i = 0; i < problem.grid.face_cell_count(face); ++i) {
      temperature.push_back(problem.walls.temperature(face, i));
      emissivity.push_back(problem.walls.emissivity(face, i));
    }
    const std::string group = fmt::format("/walls/{}/", name_of(face));
    write_array(out, group + "points", {shape[0] + 1, shape[1] + 1, 3},
                wall_points(problem.grid, face), "m");
    write_array(out, group + "temperature", shape, temperature, "K");
    write_array(out, group + "emissivity", shape, emissivity, "1");
    const WallFlux& wall = result.wall_flux[static_cast<std::size_t>(face)];
    if (wall.net_flux.empty()) continue;
    write_array(out, group + "net_flux", shape, wall.net_flux, "W/m2");
    write_array(out, group + "net_flux_standard_error", shape, wall.standard_error, "W/m2");
  }
}

void write_profiles(Hdf5Writer& out, const Case& problem, const Result& result) {
  for (const std::size_t axis : profile_axes(problem.grid)) {
    const Profile profile = plane_average(problem.grid, problem.temperature, result, axis);
    const std::string group = fmt::format("/profiles/{}/", axis_letters[axis]);
    const std::vector<std::size_t> shape{profile.coordinate.size()};
    write_array(out, group + "coordinate", shape, profile.coordinate, "m");
    write_array(out, group + "temperature", shape, profile.temperature, "K");
    write_array(out, group + "Q", shape, profile.flux_divergence, "W/m3");
    write_array(out, group + "Q_standard_error", shape, profile.standard_error, "W/m3");
    write_array(out, group + "emission", shape, profile.emission, "W/m3");
    write_array(out, group + "absorption", shape, profile.absorption, "W/m3");
    for (const NamedField& fraction : named_composition(problem).fields) {
      write_array(out, group + fraction.name, shape,
                  plane_mean(problem.grid, fraction.values, axis), "1");
    }
  }
}

}  // namespace

std::vector<NamedField> named_fields(const Case& problem, const Result& result) {
  std::vector<NamedField> fields{
      {"temperature", "K", "gas temperature", problem.temperature},
      {"Q", "W/m3", "divergence of the radiative flux, positive where the gas loses heat",
       result.flux_divergence},
      {"Q_standard_error", "W/m3", "error of Q, noise and bias", result.standard_error},
      {"emission", "W/m3", "emitted power", result.emission},
      {"absorption", "W/m3", "absorbed power", result.absorption}};
  const NamedComposition composition = named_composition(problem);
  fields.insert(fields.end(), composition.fields.begin(), composition.fields.end());
  return fields;
}

std::size_t hdf5_bytes(const Case& problem, FieldWriters writers) {
  const Grid& grid = problem.grid;
  const std::size_t fractions = named_composition(problem).fields.size();
  std::size_t values =
      writers == FieldWriters::first_rank ? (5 + fractions) * grid.cell_count() : 0;
  for (const Face face : all_faces) {
    const auto [fast, slow] = Grid::tangents(face);
    if (grid.walled(face)) values += 7 * (grid.cells(fast) + 1) * (grid.cells(slow) + 1);
  }
  for (const std::size_t axis : {0, 1, 2}) values += grid.axis(axis).faces.size();
  for (const std::size_t axis : profile_axes(grid)) values += (6 + fractions) * grid.cells(axis);
  return values * sizeof(double) + problem.text.size();
}

void write_hdf5(const Case& problem, const Result& result, const std::string& report,
                PendingFile& file, FieldWriters writers) {
  Hdf5Writer out(file.target(), hdf5_bytes(problem, writers));
  out.attribute("/", "format", "ermine-result");
  out.attribute("/", "format_version", format_version);
  out.attribute("/", "ermine_version", ERMINE_VERSION);
  out.attribute("/", "time", problem.output.time);
  for (const NamedField& fraction : named_composition(problem).uniform) {
    out.attribute("/", fraction.name, fraction.values.front());
  }
  out.write_text("/case", problem.text);
  out.write_text("/report", report);
  write_grid(out, problem.grid);
  const std::vector<std::size_t> shape{problem.grid.cells(2), problem.grid.cells(1),
                                       problem.grid.cells(0)};
  for (const NamedField& field : named_fields(problem, result)) {
    const std::string path = fmt::format("/fields/{}", field.name);
    if (writers == FieldWriters::first_rank) {
      out.write(path, shape, field.values);
    } else {
      out.reserve(path, shape);
    }
    out.attribute(path, "units", field.units);
    out.attribute(path, "long_name", field.long_name);
  }
  write_walls(out, problem, result);
  write_profiles(out, problem, result);
  const std::vector<char> bytes = out.bytes();
  file.write(std::string(seal_size, '\0'));
  file.write({bytes.data(), bytes.size()});
}

void write_fields(const Case& problem, const Result& result, const std::filesystem::path& file,
                  Ranks& ranks) {
  const Grid& grid = problem.grid;
  const IndexRange own = part_of_rank(grid.cells(2), ranks);
  const std::size_t plane = grid.cells(0) * grid.cells(1);
  std::vector<DatasetPlanes> planes;
  for (const NamedField& field : named_fields(problem, result)) {
    planes.push_back({fmt::format("/fields/{}", field.name),
                      {grid.cells(2), grid.cells(1), grid.cells(0)},
                      own.begin,
                      own.count(),
                      field.values.subspan(own.begin * plane, own.count() * plane)});
  }
  together(ranks, [&] { write_together(file, planes, *ranks.mpi_handle()); });
}

}  // namespace ermine
