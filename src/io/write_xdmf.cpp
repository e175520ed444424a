#include "io/write_fields.hpp"

#include <fmt/format.h>

namespace ermine {
namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
  }
  return result;
}

std::string hdf5_item(const std::string& dimensions, const std::string& source) {
  return fmt::format(
      "<DataItem Dimensions=\"{}\" NumberType=\"Float\" Precision=\"8\" Format=\"HDF\">{}"
      "</DataItem>",
      dimensions, escaped(source));
}

std::string attribute(const std::string& name, const std::string& dimensions,
                      const std::string& source) {
  return fmt::format(
      "      <Attribute Name=\"{}\" AttributeType=\"Scalar\" Center=\"Cell\">{}"
      "</Attribute>\n",
      name, hdf5_item(dimensions, source));
}

/// A rectilinear mesh: `items` are the coordinates along x, y and z.
std::string mesh(const std::array<std::size_t, 3>& points,
                 const std::array<std::string, 3>& items) {
  return fmt::format(
      "      <Topology TopologyType=\"3DRectMesh\" Dimensions=\"{} {} {}\"/>\n"
      "      <Geometry GeometryType=\"VXVYVZ\">{}{}{}</Geometry>\n",
      points[2], points[1], points[0], items[0], items[1], items[2]);
}

std::string time(const Case& problem) {
  return fmt::format("      <Time Value=\"{:.17g}\"/>\n", problem.output.time);
}

/// A flat curvilinear mesh with explicit points. Of a flat rectilinear mesh, VTK's XDMF 2 reader
/// drops the cell data unless it is normal to x.
std::string wall_grid(const Case& problem, Face face, const std::string& hdf5_name,
                      bool with_flux) {
  const auto [fast, slow] = Grid::tangents(face);
  const std::size_t rows = problem.grid.cells(slow);
  const std::size_t columns = problem.grid.cells(fast);
  const std::string group = fmt::format("{}:/walls/{}/", hdf5_name, name_of(face));
  std::string text = fmt::format(
      "    <Grid Name=\"{}\" GridType=\"Uniform\">\n{}"
      "      <Topology TopologyType=\"3DSMesh\" Dimensions=\"{} {} 1\"/>\n"
      "      <Geometry GeometryType=\"XYZ\">{}</Geometry>\n",
      name_of(face), time(problem), rows + 1, columns + 1,
      hdf5_item(fmt::format("{} {} 3", rows + 1, columns + 1), group + "points"));
  std::vector<std::string> names{"temperature", "emissivity"};
  if (with_flux) names.insert(names.end(), {"net_flux", "net_flux_standard_error"});
  for (const std::string& name : names) {
    text += attribute("wall_" + name, fmt::format("{} {}", rows, columns), group + name);
  }
  return text + "    </Grid>\n";
}

}  // namespace

std::string xdmf_text(const Case& problem, const Result& result, const std::string& hdf5_name) {
  const Grid& grid = problem.grid;
  std::array<std::size_t, 3> points{};
  std::array<std::string, 3> items;
  for (std::size_t a = 0; a < 3; ++a) {
    points[a] = grid.axis(a).faces.size();
    items[a] =
        hdf5_item(fmt::format("{}", points[a]), fmt::format("{}:/grid/{}", hdf5_name, "xyz"[a]));
  }
  const std::string cells = fmt::format("{} {} {}", grid.cells(2), grid.cells(1), grid.cells(0));
  std::string text =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf Version=\"2.0\">\n"
      "  <Domain>\n    <Grid Name=\"gas\" GridType=\"Uniform\">\n" +
      time(problem) + mesh(points, items);
  for (const NamedField& fraction : named_composition(problem).uniform) {
    text += fmt::format("      <Information Name=\"{}\" Value=\"{:.10g}\"/>\n", fraction.name,
                        fraction.values.front());
  }
  for (const NamedField& field : named_fields(problem, result)) {
    text += attribute(field.name, cells, fmt::format("{}:/fields/{}", hdf5_name, field.name));
  }
  text += "    </Grid>\n";
  for (const Face face : all_faces) {
    const bool with_flux = !result.wall_flux[static_cast<std::size_t>(face)].net_flux.empty();
    if (grid.walled(face)) text += wall_grid(problem, face, hdf5_name, with_flux);
  }
  return text + "  </Domain>\n</Xdmf>\n";
}

}  // namespace ermine
