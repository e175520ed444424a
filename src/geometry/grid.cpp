#include <ermine/grid.hpp>

#include "core/check.hpp"
#include "core/fp_guard.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ermine {
namespace {

constexpr std::array<char, 3> axis_names{'x', 'y', 'z'};

}  // namespace

void Axis::check() const {
  const FloatingPointGuard guard;
  constexpr double farthest = 1e12;
  constexpr double narrowest = 1e-12;
  ERMINE_REQUIRE(faces.size() >= 2,
                 "number of face coordinates is {} (a cell needs two), give at least 2",
                 faces.size());
  for (std::size_t i = 0; i < faces.size(); ++i) {
    ERMINE_REQUIRE(std::abs(faces[i]) <= farthest,
                   "face {} is at {} m, give finite coordinates in metres, up to {:g}", i, faces[i],
                   farthest);
    ERMINE_REQUIRE(i == 0 || faces[i] > faces[i - 1],
                   "faces are not increasing (face {} at {} m follows {} m), sort them and remove "
                   "repeated ones",
                   i, faces[i], faces[i - 1]);
    ERMINE_REQUIRE(i == 0 || faces[i] - faces[i - 1] >= narrowest,
                   "cell {} is {:g} m wide, give cells of at least {:g} m", i - 1,
                   faces[i] - faces[i - 1], narrowest);
  }
}

Axis Axis::uniform(int cells, double from, double to, Boundary boundary) {
  const FloatingPointGuard guard;
  ERMINE_REQUIRE(cells >= 1, "an axis with {} cells is empty, give at least 1", cells);
  Axis axis{std::vector<double>(static_cast<std::size_t>(cells) + 1), boundary};
  for (int i = 0; i <= cells; ++i) {
    axis.faces[static_cast<std::size_t>(i)] = from + (to - from) * i / cells;
  }
  axis.faces.back() = to;
  return axis;
}

Axis Axis::stretched(int cells, double from, double to, double stretching, Boundary boundary) {
  const FloatingPointGuard guard;
  ERMINE_REQUIRE(stretching > 0 && stretching <= 10,
                 "stretching {} is out of range, give a value above 0 and up to 10", stretching);
  Axis axis = uniform(cells, -1.0, 1.0, boundary);
  for (double& face : axis.faces) {
    face = from + (to - from) * 0.5 * (1.0 + std::tanh(stretching * face) / std::tanh(stretching));
  }
  axis.faces.front() = from;
  axis.faces.back() = to;
  return axis;
}

Axis Axis::from_single(std::span<const float> faces, Boundary boundary) {
  const FloatingPointGuard guard;
  Axis given{{faces.begin(), faces.end()}, boundary};
  if (faces.size() < 2) return given;
  const double from = given.faces.front();
  const double to = given.faces.back();
  const auto cells = static_cast<double>(faces.size() - 1);
  // A width is off by the roundings of two faces, each of up to two operations, in units in the
  // last place of the largest coordinate; this holds for faces that are running sums, too.
  constexpr double roundings = 3.0;
  const double largest = std::max(std::abs(from), std::abs(to));
  const double last_place = std::ldexp(std::numeric_limits<float>::epsilon(), std::ilogb(largest));
  for (std::size_t i = 1; i < faces.size(); ++i) {
    const double width = given.faces[i] - given.faces[i - 1];
    const bool even = std::abs(width - (to - from) / cells) <= roundings * last_place;
    if (!even) return given;  // or no number
  }
  return uniform(static_cast<int>(faces.size()) - 1, from, to, boundary);
}

const char* name_of(Face face) {
  constexpr std::array names{"x_low", "x_high", "y_low", "y_high", "z_low", "z_high"};
  return names[static_cast<std::size_t>(face)];
}

Grid::Grid(std::array<Axis, 3> axes) : axes_(std::move(axes)) {
  const FloatingPointGuard guard;
  double count = 1.0;
  double face_cells = 0.0;
  for (std::size_t a = 0; a < 3; ++a) {
    try {
      axes_[a].check();
    } catch (const Error& error) {
      fail("axis {}: {}", axis_names[a], error.what());
    }
    count *= static_cast<double>(cells(a));
  }
  for (const Face face : all_faces) face_cells += static_cast<double>(face_cell_count(face));
  ERMINE_REQUIRE(count + face_cells <= std::numeric_limits<int>::max(),
                 "grid has {:.4g} cells and wall face cells (more than the 2^31 - 1 that cell "
                 "numbers hold), use a coarser grid",
                 count + face_cells);
}

double Grid::width(std::size_t a, std::size_t i) const {
  return axes_[a].faces[i + 1] - axes_[a].faces[i];
}

double Grid::centre(std::size_t a, std::size_t i) const {
  return 0.5 * (axes_[a].faces[i] + axes_[a].faces[i + 1]);
}

double Grid::volume(std::size_t cell) const {
  const auto i = index(cell);
  return width(0, i[0]) * width(1, i[1]) * width(2, i[2]);
}

std::array<std::size_t, 3> Grid::index(std::size_t cell) const {
  return {cell % cells(0), cell / cells(0) % cells(1), cell / cells(0) / cells(1)};
}

std::array<double, 3> Grid::centre(std::size_t cell) const {
  const auto i = index(cell);
  return {centre(0, i[0]), centre(1, i[1]), centre(2, i[2])};
}

std::array<std::size_t, 2> Grid::tangents(Face face) {
  constexpr std::array<std::array<std::size_t, 2>, 3> tangents{{{1, 2}, {0, 2}, {0, 1}}};
  return tangents[axis_of(face)];
}

std::size_t Grid::face_cell_count(Face face) const {
  const auto [fast, slow] = tangents(face);
  return cells(fast) * cells(slow);
}

double Grid::face_cell_area(Face face, std::size_t face_cell) const {
  const auto [fast, slow] = tangents(face);
  return width(fast, face_cell % cells(fast)) * width(slow, face_cell / cells(fast));
}

std::array<double, 3> Grid::face_cell_centre(Face face, std::size_t face_cell) const {
  const auto [fast, slow] = tangents(face);
  const auto& normal_faces = axes_[axis_of(face)].faces;
  std::array<double, 3> centre_point{};
  centre_point[axis_of(face)] = is_high(face) ? normal_faces.back() : normal_faces.front();
  centre_point[fast] = centre(fast, face_cell % cells(fast));
  centre_point[slow] = centre(slow, face_cell / cells(fast));
  return centre_point;
}

}  // namespace ermine
