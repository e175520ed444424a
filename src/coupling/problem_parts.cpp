#include "coupling/problem_parts.hpp"

#include "core/check.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace ermine {
namespace {

/// Mean, mean square, and two means with weights that change from cell to cell.
template <class Real>
std::vector<double> means_of(std::span<const Real> values) {
  double sum = 0, squares = 0, upwards = 0, waves = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i], at = static_cast<double>(i);
    sum += value;
    squares += value * value;
    upwards += value * (at + 1);
    waves += value * std::sin(0.7 * at);
  }
  const double count = static_cast<double>(std::max<std::size_t>(values.size(), 1));
  return {sum / count, std::sqrt(squares / count), 2 * upwards / (count * (count + 1)),
          waves / count};
}
std::vector<double> means_of(const std::vector<double>& values) {
  if (values.size() == 1) return values;
  return means_of(std::span<const double>(values));
}

ProblemPart part_of_axis(const Grid& grid, std::size_t axis) {
  return {fmt::format("grid along {}", "xyz"[axis]),
          grid.periodic(axis) ? "periodic" : "between walls", grid.axis(axis).faces};
}

/// Apart, as numbers are compared with the largest of their part.
void add_wall(const Grid& grid, const Walls& walls, Face face, std::vector<ProblemPart>& parts) {
  ProblemPart kelvin{fmt::format("temperature of wall {}", name_of(face)), "", {}};
  ProblemPart surface{fmt::format("emissivity of wall {}", name_of(face)),
                      walls.reflection(face) == Reflection::diffuse ? "diffuse" : "specular",
                      {}};
  for (std::size_t i = 0; i < grid.face_cell_count(face); ++i) {
    kelvin.numbers.push_back(walls.temperature(face, i));
    surface.numbers.push_back(walls.emissivity(face, i));
  }
  parts.push_back(std::move(kelvin));
  parts.push_back(std::move(surface));
}

void add_medium(const GreyMedium& grey, std::vector<ProblemPart>& parts) {
  parts.push_back({"gas", "grey", {}});
  const auto k = grey.absorption_coefficient();
  parts.push_back({"absorption coefficient [1/m]", "", means_of({k.begin(), k.end()})});
}

void add_medium(const SpectralList& list, std::vector<ProblemPart>& parts) {
  parts.push_back({"gas", fmt::format("list of {} spectral points", list.point_count()), {}});
  ProblemPart absorption{"absorption of the spectral points", "", {}};
  ProblemPart intensity{"intensity of the spectral points", "", {}};
  for (std::size_t point = 0; point < list.point_count(); ++point) {
    const auto add = [](std::span<const double> row, ProblemPart& part) {
      const auto means = means_of(row);
      part.numbers.insert(part.numbers.end(), means.begin(), means.end());
    };
    add(list.absorption_coefficient(point), absorption);
    add(list.blackbody_intensity(point), intensity);
  }
  parts.push_back(std::move(absorption));
  parts.push_back(std::move(intensity));
}

void add_medium(const GasMedium& gas, std::vector<ProblemPart>& parts) {
  ProblemPart names{"gas", fmt::format("{} bands of", gas.bands().size()), {}};
  for (std::size_t c = 0; c < gas.component_count(); ++c) names.text += " " + gas.component(c).gas;
  parts.push_back(std::move(names));
  parts.push_back({"pressure [Pa]", "", {gas.pressure()}});
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    const GasComponent& component = gas.component(c);
    parts.push_back({"amount of " + component.gas, "", means_of(component.amount)});
    const std::size_t size = component.broadening.size();
    parts.push_back({"absorption of " + component.gas,
                     fmt::format("{} rows, {} widths of lines", component.rows.size(), size),
                     means_of(std::span<const float>(component.rows))});
  }
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double tolerance = 1e-6;
  if (a.size() != b.size()) return false;
  double largest = 0.0, off = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max({largest, std::abs(a[i]), std::abs(b[i])});
    off = std::max(off, std::abs(a[i] - b[i]));
  }
  return off <= tolerance * largest;
}

/// For people: a single number, or what there is to say.
std::string shown(const ProblemPart& part) {
  if (part.numbers.size() == 1) return fmt::format("{} {:.6g}", part.name, part.numbers[0]);
  return part.text.empty() ? part.name : fmt::format("{} ({})", part.name, part.text);
}

}  // namespace

std::vector<ProblemPart> parts_of(const CoupledCase& problem) {
  const Grid& grid = *problem.grid;
  std::vector<ProblemPart> parts;
  for (const std::size_t axis : {0, 1, 2}) parts.push_back(part_of_axis(grid, axis));
  const Walls walls(grid, problem.walls);
  for (const Face face : all_faces) {
    if (grid.walled(face)) add_wall(grid, walls, face, parts);
  }
  std::visit([&](const auto& medium) { add_medium(medium, parts); }, problem.medium);
  for (const Particles& one : problem.particles) {
    const std::string name = "particles " + one.name;
    parts.push_back({"absorption of " + name, "", means_of(one.absorption)});
    parts.push_back({"scattering of " + name, "", means_of(one.scattering)});
    parts.push_back({"asymmetry of " + name, "", {one.asymmetry}});
  }
  return parts;
}

std::string difference(const std::vector<ProblemPart>& saved,
                       const std::vector<ProblemPart>& current) {
  for (std::size_t i = 0; i < std::max(saved.size(), current.size()); ++i) {
    const bool there = i < saved.size() && i < current.size() && saved[i].name == current[i].name;
    if (there && saved[i].text == current[i].text && same(saved[i].numbers, current[i].numbers)) {
      continue;
    }
    const std::string before = i < saved.size() ? shown(saved[i]) : "less";
    const std::string now = i < current.size() ? shown(current[i]) : "less";
    if (before == now) return fmt::format("was saved with another {}", current[i].name);
    return fmt::format("was saved with {}, this run has {}", before, now);
  }
  return "";
}

}  // namespace ermine
