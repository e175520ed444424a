#include "case/read_field.hpp"

#include "case/expression.hpp"
#include "files/csv.hpp"
#include "files/hdf5.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

std::vector<double> from_formula(const std::string& formula, const FieldSites& sites) {
  Expression evaluate(formula);
  std::vector<double> values(sites.count);
  for (std::size_t i = 0; i < sites.count; ++i) values[i] = evaluate(sites.position(i));
  return values;
}

/// Linear between the points of a profile, which must cover every site.
std::vector<double> from_profile(const std::filesystem::path& file, std::size_t axis,
                                 const FieldSites& sites) {
  const CsvTable table = read_csv(file, 2);
  const auto& at = table.columns[0];
  const auto& value = table.columns[1];
  for (std::size_t i = 1; i < at.size(); ++i) {
    ERMINE_REQUIRE(at[i] > at[i - 1],
                   "{}:{}: coordinates are not increasing ({} follows {}), sort the profile",
                   file.string(), table.lines[i], at[i], at[i - 1]);
  }
  ERMINE_REQUIRE(at.size() >= 2, "{} has one line of numbers, a profile needs two or more",
                 file.string());
  std::vector<double> values(sites.count);
  for (std::size_t i = 0; i < sites.count; ++i) {
    const double x = sites.position(i)[axis];
    ERMINE_REQUIRE(x >= at.front() && x <= at.back(),
                   "{} covers {} to {} m but a value is needed at {} m, extend the profile",
                   file.string(), at.front(), at.back(), x);
    const auto above = std::upper_bound(at.begin() + 1, at.end() - 1, x) - at.begin();
    const auto j = static_cast<std::size_t>(above);
    const double fraction = (x - at[j - 1]) / (at[j] - at[j - 1]);
    values[i] = value[j - 1] + fraction * (value[j] - value[j - 1]);
  }
  return values;
}

std::vector<double> from_file(const Section& field, const FieldSites& sites,
                              const std::filesystem::path& folder) {
  ERMINE_REQUIRE(!field.has("profile") || !field.has("hdf5"),
                 "{}: {} names both profile and hdf5, remove one of the two", field.where("hdf5"),
                 field.name());
  if (field.has("profile")) {
    constexpr std::array<std::pair<std::string_view, std::size_t>, 3> axes{
        {{"x", 0}, {"y", 1}, {"z", 2}}};
    field.required("axis", "the axis the profile runs along, such as axis = \"x\"");
    const std::size_t axis = field.choice("axis", std::size_t{0}, axes);
    const auto file = folder / field.text("profile", "");
    return field.located("profile", [&] { return from_profile(file, axis, sites); });
  }
  field.required("hdf5",
                 "profile = \"FILE.csv\" with an axis, or hdf5 = \"FILE.h5\" with a dataset");
  field.required("dataset", "the name of the dataset, such as dataset = \"/temperature\"");
  const auto file = folder / field.text("hdf5", "");
  const std::string dataset = field.text("dataset", "");
  return field.located("hdf5", [&] { return read_hdf5(file, dataset, sites.shape); });
}

std::vector<double> read_values(const Section& section, std::string_view key,
                                const FieldSites& sites, const std::filesystem::path& folder) {
  const toml::node& node = *section.find(key);
  if (node.is_number()) return {as_double(node)};
  if (node.is_string()) {
    return section.located(key, [&] { return from_formula(*node.value<std::string>(), sites); });
  }
  if (!node.is_table()) {
    section.wrong_type(key, "a number, a formula in quotes, or a table naming a file");
  }
  return from_file(section.section(key, {"profile", "axis", "hdf5", "dataset"}), sites, folder);
}

}  // namespace

FieldSites cell_sites(const Grid& grid) {
  return {grid.cell_count(),
          [&grid](std::size_t i) { return grid.centre(i); },
          {grid.cells(2), grid.cells(1), grid.cells(0)}};
}

FieldSites face_sites(const Grid& grid, Face face) {
  const auto [fast, slow] = Grid::tangents(face);
  return {grid.face_cell_count(face),
          [&grid, face](std::size_t i) { return grid.face_cell_centre(face, i); },
          {grid.cells(slow), grid.cells(fast)}};
}

std::vector<double> read_field(const Section& section, std::string_view key,
                               const FieldSites& sites, const FieldLimits& limits,
                               const std::filesystem::path& folder) {
  ERMINE_REQUIRE(sites.count > 0 || section.find(key)->is_number(),
                 "{}: {} differs from place to place, but the case has no grid, give a number, or "
                 "a table [grid] with x, y and z",
                 section.where(key), section.path_of(key));
  std::vector<double> values = read_values(section, key, sites, folder);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= limits.low && values[i] <= limits.high) continue;
    if (values.size() == 1) {
      fail("{}: {} is {}, {}", section.where(key), section.path_of(key), values[i], limits.advice);
    }
    const auto at = sites.position(i);
    fail("{}: {} is {} at x = {:.6g}, y = {:.6g}, z = {:.6g}, {}", section.where(key),
         section.path_of(key), values[i], at[0], at[1], at[2], limits.advice);
  }
  return values;
}

}  // namespace ermine
