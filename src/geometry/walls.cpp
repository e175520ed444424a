#include <ermine/walls.hpp>

#include "core/check.hpp"
#include "core/fp_guard.hpp"

#include <string_view>

namespace ermine {
namespace {

void check_field(const std::vector<double>& values, std::size_t face_cells, Face face,
                 std::string_view what, double upper, std::string_view range) {
  ERMINE_REQUIRE(!values.empty(), "wall {} has no {}, every wall of a non-periodic axis needs one",
                 name_of(face), what);
  ERMINE_REQUIRE(values.size() == 1 || values.size() == face_cells,
                 "{} of wall {} has {} values, give one or one per face cell ({})", what,
                 name_of(face), values.size(), face_cells);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ERMINE_REQUIRE(values[i] >= 0 && values[i] <= upper, "{} of wall {} is {} at face cell {}, {}",
                   what, name_of(face), values[i], i, range);
  }
}

}  // namespace

Walls::Walls(const Grid& grid, std::array<Wall, 6> sides) : sides_(std::move(sides)) {
  const FloatingPointGuard guard;
  for (const Face face : all_faces) {
    if (!grid.walled(face)) continue;
    const std::size_t face_cells = grid.face_cell_count(face);
    check_field(side(face).temperature, face_cells, face, "temperature", 1e5,
                "give kelvin from 0 to 1e5");
    check_field(side(face).emissivity, face_cells, face, "emissivity", 1.0,
                "give a value from 0 to 1");
    for (const double emissivity : side(face).emissivity) {
      reflecting_ = reflecting_ || emissivity < 1;
    }
  }
}

double Walls::temperature(Face face, std::size_t face_cell) const {
  const auto& values = side(face).temperature;
  return values[values.size() == 1 ? 0 : face_cell];
}

double Walls::emissivity(Face face, std::size_t face_cell) const {
  const auto& values = side(face).emissivity;
  return values[values.size() == 1 ? 0 : face_cell];
}

}  // namespace ermine
