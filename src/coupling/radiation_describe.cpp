#include "coupling/blocks.hpp"
#include "coupling/radiation_state.hpp"
#include "transport/scene/field_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ermine {
namespace {

/// "x_low 500 K, y_high 450 to 600 K with emissivity 0.8, specular"
std::string walls_text(const Grid& grid, const Walls& walls) {
  const auto range = [](const std::vector<double>& values) {
    const auto [least, most] = std::ranges::minmax(values);
    return least == most ? fmt::format("{:.4g}", least)
                         : fmt::format("{:.4g} to {:.4g}", least, most);
  };
  std::string text;
  for (const Face face : all_faces) {
    if (!grid.walled(face)) continue;
    const Wall& wall = walls.sides()[static_cast<std::size_t>(face)];
    text +=
        fmt::format("{}{} {} K", text.empty() ? "" : ", ", name_of(face), range(wall.temperature));
    if (wall.emissivity != std::vector{1.0}) {
      text += fmt::format(" with emissivity {}", range(wall.emissivity));
    }
    if (wall.reflection == Reflection::specular) text += ", specular";
  }
  return text.empty() ? "no walls" : "walls " + text;
}

/// What ends a solution: numbers of rays, or target errors.
std::string rays_text(const Options& options) {
  const ErrorTarget& target = options.target;
  std::string walls = options.rays_per_wall_face == automatic_rays
                          ? "as many or more per wall face cell"
                          : fmt::format("{} per wall face cell", options.rays_per_wall_face);
  if (!target.any()) return fmt::format("{} rays per cell, {}", options.rays_per_cell, walls);
  std::string text = "rays until";
  if (target.error > 0) {
    text += fmt::format(" the error of Q is {:.3g}{}", target.error,
                        target.absolute ? " W/m3" : " of Q");
  }
  if (target.wall_error > 0) {
    text += fmt::format("{} that of wall fluxes is {:.3g} of them", target.error > 0 ? " and" : "",
                        target.wall_error);
  }
  return text;
}

std::string updates_text(const CouplingOptions& coupling) {
  const auto steps = [](int count) {
    return count == 1 ? std::string("step") : fmt::format("{} steps", count);
  };
  std::string handover = coupling.lag == 0
                             ? "waited for"
                             : fmt::format("taken over {} later",
                                           coupling.lag == 1 ? "one step" : steps(coupling.lag));
  if (coupling.handover == Handover::when_ready) handover = "taken over when it is ready";
  return fmt::format("an update every {}, {}{}", steps(coupling.interval), handover,
                     coupling.extrapolate ? ", extrapolated" : "");
}

}  // namespace

std::string Radiation::State::describe() {
  const Box cells = cells_of(block());
  const auto megabytes = [](const FieldMemory& memory) {
    return fmt::format("{:.3g} MB", 1e-6 * static_cast<double>(memory.total()));
  };
  const Tracer tracer = new_tracer();
  std::string field = megabytes(field_memory(tracer));
  if (distributed()) {
    field = fmt::format("{} of {}", megabytes(field_memory(tracer, cells)), field);
  }
  std::string medium = ermine::describe(problem_.medium);
  for (const Particles& one : problem_.particles) medium += "; " + ermine::describe(one);
  std::string text = fmt::format(
      "{} x {} x {} cells, {}; rank {} of {} has x {}:{}, y {}:{}, z {}:{} and {} of the "
      "temperature that rays march through, {}",
      grid().cells(0), grid().cells(1), grid().cells(2), medium, ranks_->rank(), ranks_->size(),
      cells.begin[0], cells.end[0], cells.begin[1], cells.end[1], cells.begin[2], cells.end[2],
      distributed() ? "its part" : "all", field);
  text += fmt::format("; {}; {}; {}", walls_text(grid(), tracer.walls()),
                      rays_text(problem_.options), updates_text(problem_.coupling));
  if (!(scaling_ == Scaling{})) {
    text += fmt::format("; T [K] = {:.6g} + {:.6g} * theirs, Q [W/m3] times {:.6g}",
                        scaling_.offset, scaling_.factor, scaling_.source);
  }
  for (const std::string& warning : warnings(problem_.medium)) text += "; warning: " + warning;
  return text;
}

}  // namespace ermine
