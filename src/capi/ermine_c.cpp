#include <ermine/ermine.h>
#include <ermine/radiation.hpp>
#include <ermine/version.hpp>

#include "capi/handle.hpp"
#include "core/memory.hpp"
#include "core/ranks.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ermine::capi {
namespace {

std::vector<std::string> overrides_from(const char* const* texts, int count) {
  ERMINE_REQUIRE(count >= 0 && count <= 10'000, "there are {} overrides, give 0 to 10000", count);
  std::vector<std::string> overrides;
  for (int i = 0; i < count; ++i) {
    overrides.emplace_back(required(required(texts, "overrides")[i], "one of the overrides"));
  }
  return overrides;
}

Communicator communicator_from(int handle) {
  return handle == ERMINE_THIS_PROCESS ? Communicator() : Communicator::from_fortran(handle);
}

/// What arguments say, on all processes or on none: one that alone refused what it is given would
/// leave the others waiting.
template <class Convert>
auto agreed(const Communicator& communicator, const char* call, const Convert& convert) {
  std::optional<decltype(convert())> result;
  communicator.ranks()->enter(call);
  together(*communicator.ranks(), [&] { result.emplace(convert()); });
  return std::move(*result);
}

/// Makes a handle, and in it what `make` returns.
template <class Make>
int create(ermine_radiation** handle, Make make) noexcept {
  if (handle == nullptr) return ERMINE_ERROR_INPUT;
  *handle = new (std::nothrow) ermine_radiation;
  if (*handle == nullptr) return ERMINE_ERROR_MEMORY;
  return guarded(*handle, [&] {
    (*handle)->radiation.emplace(make((*handle)->rank));
    (*handle)->radiation->set_language(Language::c);
  });
}

/// Before faces are read: as many as were never meant may not be there.
template <class AxisType>
void check_cells(const AxisType axes[3]) {
  constexpr std::int64_t most = 1'000'000;
  double cells = 1.0;
  for (int a = 0; a < 3; ++a) {
    ERMINE_REQUIRE(axes[a].cells >= 1 && axes[a].cells <= most,
                   "axis {} has {} cells, give 1 to {} (and one more face)", "xyz"[a],
                   axes[a].cells, most);
    cells *= static_cast<double>(axes[a].cells);
  }
  ERMINE_REQUIRE(cells * sizeof(double) <= physical_memory(),
                 "the grid has {:.3g} cells, more than this machine has memory for ({:.3g} GB), "
                 "give the cells along each axis",
                 cells, physical_memory() / 1e9);
}

Axis axis_from(const ermine_axis& axis) {
  const double* faces = required(axis.faces, "faces of an axis");
  return {{faces, faces + axis.cells + 1}, axis.periodic ? Boundary::periodic : Boundary::walled};
}

Axis axis_from(const ermine_axis_float& axis) {
  const float* faces = required(axis.faces, "faces of an axis");
  return Axis::from_single({faces, faces + axis.cells + 1},
                           axis.periodic ? Boundary::periodic : Boundary::walled);
}

Block block_from(const ermine_block& given) {
  Block block;
  std::ranges::copy(given.begin, block.begin.begin());
  std::ranges::copy(given.end, block.end.begin());
  std::ranges::copy(given.halo_below, block.halo_below.begin());
  std::ranges::copy(given.halo_above, block.halo_above.begin());
  const bool unset = std::ranges::all_of(given.order, [](int axis) { return axis == 0; });
  if (!unset) std::ranges::copy(given.order, block.order.begin());
  return block;
}

std::vector<double> wall_field(const double* values, std::int64_t count, std::size_t faces,
                               const char* name) {
  if (values == nullptr) count = 0;
  ERMINE_REQUIRE(count == 1 || count == static_cast<std::int64_t>(faces),
                 "{} of a wall has {} values, give 1, or {} of its face cells", name, count, faces);
  return {values, values + count};
}

/// `faces`: cells of the side.
Wall wall_from(const ermine_wall& given, std::size_t faces) {
  Wall wall;
  wall.temperature = wall_field(given.temperature, given.temperature_count, faces, "temperature");
  if (given.emissivity != nullptr) {
    wall.emissivity = wall_field(given.emissivity, given.emissivity_count, faces, "emissivity");
  }
  wall.reflection = enum_from(given.reflection, Reflection::specular, "reflection");
  return wall;
}

Face face_from(int face) { return enum_from(face, Face::z_high, "face"); }
/// None: soot.
std::optional<Species> species_from(int species) {
  const auto known = enum_from(species, ERMINE_SOOT, "species");
  if (known == ERMINE_SOOT) return std::nullopt;
  return static_cast<Species>(known);
}

ermine_statistics statistics_from(const CouplingStatistics& given) {
  ermine_statistics statistics;
  statistics.size = sizeof(ermine_statistics);
  statistics.steps = given.steps;
  statistics.updates = given.updates;
  statistics.cancelled = given.cancelled;
  statistics.seconds_submitting = given.seconds_submitting;
  statistics.seconds_waiting = given.seconds_waiting;
  statistics.seconds_solving = given.seconds_solving;
  statistics.hidden_fraction = given.hidden_fraction();
  statistics.rays = given.rays;
  statistics.relative_error = given.relative_error;
  statistics.error = given.error;
  statistics.bytes_sent = given.bytes_sent;
  statistics.field_bytes = given.field_bytes;
  return statistics;
}

ermine_estimate estimate_from(const Estimate& given) { return {given.value, given.standard_error}; }

ermine_balance balance_from(const EnergyBalance& given) {
  ermine_balance balance{};
  balance.size = sizeof(ermine_balance);
  balance.gas = estimate_from(given.gas);
  std::ranges::transform(given.walls, balance.walls, estimate_from);
  balance.all_walls = estimate_from(given.all_walls);
  balance.sum = estimate_from(given.sum);
  balance.gas_bias = estimate_from(given.gas_bias);
  balance.unexplained = given.unexplained;
  balance.exchanged = given.exchanged;
  return balance;
}

/// Hands out what is known. A program built with an older header gets the members that it knows.
template <class Struct>
void hand_out(Struct known, Struct* room, const char* name) {
  const std::int64_t size = required(room, name)->size;
  ERMINE_REQUIRE(size >= std::int64_t{sizeof(std::int64_t)} && size <= known.size,
                 "{0}.size is {1}, set it to sizeof(ermine_{0}), {2} in this library", name, size,
                 known.size);
  known.size = size;
  std::memcpy(room, &known, static_cast<std::size_t>(size));
}

template <class AxisType>
int set_grid(ermine_radiation* handle, const AxisType axes[3]) {
  return with_radiation(handle, [&](Radiation& r) {
    r.set_grid(agreed(r.communicator(), "set_grid", [&] {
      check_cells(required(axes, "axes"));
      return std::array{axis_from(axes[0]), axis_from(axes[1]), axis_from(axes[2])};
    }));
  });
}

template <class Real>
int set_composition(ermine_radiation* handle, int species, Real mole_fraction) {
  return with_radiation(handle, [&](Radiation& r) {
    const auto known =
        agreed(r.communicator(), "set_composition", [&] { return species_from(species); });
    if (!known) return r.set_soot(mole_fraction);
    r.set_composition(*known, mole_fraction);
  });
}

/// `coefficient`: a number, or a pointer to a field.
template <class Coefficient>
int set_particles(ermine_radiation* handle, const char* name, int property,
                  Coefficient coefficient) {
  return with_radiation(handle, [&](Radiation& r) {
    const auto known = agreed(r.communicator(), "set_particles", [&] {
      required(name, "name");
      return enum_from(property, ParticleProperty::scattering, "particle property");
    });
    r.set_particles(name, known, coefficient);
  });
}

template <class Real>
int get(ermine_radiation* handle, int quantity, Real* values) {
  return with_radiation(handle, [&](Radiation& r) {
    r.get(enum_from(quantity, Quantity::emission_slope, "quantity"), values);
  });
}

template <class Real>
int get_wall(ermine_radiation* handle, int quantity, int face, Real* values) {
  return with_radiation(handle, [&](Radiation& r) {
    r.get(enum_from(quantity, WallQuantity::standard_error, "wall quantity"), face_from(face),
          values);
  });
}

}  // namespace
}  // namespace ermine::capi

using namespace ermine;
using namespace ermine::capi;

const char* ermine_version() { return ERMINE_VERSION; }

int ermine_built_with_mpi() { return built_with_mpi() ? 1 : 0; }

int ermine_create(const char* case_file, const char* const* overrides, int override_count,
                  int communicator, ermine_radiation** radiation) {
  return create(radiation, [&](int& rank) {
    const Communicator processes = communicator_from(communicator);
    rank = processes.rank();
    const auto [file, given] = agreed(processes, "create", [&] {
      return std::pair(std::filesystem::path(required(case_file, "the name of the case file")),
                       overrides_from(overrides, override_count));
    });
    return Radiation(file, given, processes);
  });
}

int ermine_create_from_text(const char* text, const char* name, const char* const* overrides,
                            int override_count, int communicator, ermine_radiation** radiation) {
  return create(radiation, [&](int& rank) {
    const Communicator processes = communicator_from(communicator);
    rank = processes.rank();
    return Radiation(agreed(processes, "create",
                            [&] {
                              return parse_coupled_case(required(text, "the text of the case"),
                                                        required(name, "its name"),
                                                        overrides_from(overrides, override_count));
                            }),
                     processes);
  });
}

void ermine_destroy(ermine_radiation* radiation) { delete radiation; }

const char* ermine_last_error(const ermine_radiation* radiation) {
  if (radiation == nullptr) return "the handle is NULL, make one with ermine_create()";
  return radiation->error.c_str();
}

int ermine_rank(const ermine_radiation* radiation) {
  return radiation == nullptr ? 0 : radiation->rank;
}

int ermine_set_language(ermine_radiation* radiation, int language) {
  return with_radiation(radiation, [&](Radiation& r) {
    ERMINE_REQUIRE(language == ERMINE_LANGUAGE_C || language == ERMINE_LANGUAGE_FORTRAN,
                   "language {} does not exist, give an ermine_language", language);
    r.set_language(language == ERMINE_LANGUAGE_C ? Language::c : Language::fortran);
  });
}

int ermine_expect_shape(ermine_radiation* radiation, const int64_t extents[3]) {
  return with_radiation(radiation, [&](Radiation& r) {
    required(extents, "extents");
    r.expect_shape({extents[0], extents[1], extents[2]});
  });
}

int ermine_set_grid(ermine_radiation* radiation, const ermine_axis axes[3]) {
  return set_grid(radiation, axes);
}

int ermine_set_grid_float(ermine_radiation* radiation, const ermine_axis_float axes[3]) {
  return set_grid(radiation, axes);
}

int ermine_set_block(ermine_radiation* radiation, const ermine_block* block) {
  return with_radiation(radiation, [&](Radiation& r) {
    r.set_block(agreed(r.communicator(), "set_block",
                       [&] { return block_from(*required(block, "block")); }));
  });
}

int ermine_set_scaling(ermine_radiation* radiation, double offset, double factor, double source) {
  return with_radiation(radiation, [&](Radiation& r) {
    r.set_scaling({.offset = offset, .factor = factor, .source = source});
  });
}

int ermine_set_wall(ermine_radiation* radiation, int face, const ermine_wall* wall) {
  return with_radiation(radiation, [&](Radiation& r) {
    auto [side, given] = agreed(r.communicator(), "set_wall", [&] {
      const Face known = face_from(face);
      return std::pair(known, wall_from(*required(wall, "wall"), r.grid().face_cell_count(known)));
    });
    r.set_wall(side, std::move(given));
  });
}

int ermine_set_composition(ermine_radiation* radiation, int species, double mole_fraction) {
  return set_composition(radiation, species, mole_fraction);
}

int ermine_set_composition_field(ermine_radiation* radiation, int species,
                                 const double* mole_fraction) {
  return set_composition(radiation, species, mole_fraction);
}

int ermine_set_composition_field_float(ermine_radiation* radiation, int species,
                                       const float* mole_fraction) {
  return set_composition(radiation, species, mole_fraction);
}

int ermine_set_particles(ermine_radiation* radiation, const char* name, int property,
                         double coefficient) {
  return set_particles(radiation, name, property, coefficient);
}

int ermine_set_particles_field(ermine_radiation* radiation, const char* name, int property,
                               const double* coefficient) {
  return set_particles(radiation, name, property, coefficient);
}

int ermine_set_particles_field_float(ermine_radiation* radiation, const char* name, int property,
                                     const float* coefficient) {
  return set_particles(radiation, name, property, coefficient);
}

int ermine_set_absorption(ermine_radiation* radiation, double coefficient) {
  return with_radiation(radiation, [&](Radiation& r) { r.set_absorption(coefficient); });
}

int ermine_set_absorption_field(ermine_radiation* radiation, const double* coefficient) {
  return with_radiation(radiation, [&](Radiation& r) { r.set_absorption(coefficient); });
}

int ermine_set_absorption_field_float(ermine_radiation* radiation, const float* coefficient) {
  return with_radiation(radiation, [&](Radiation& r) { r.set_absorption(coefficient); });
}

int ermine_advance(ermine_radiation* radiation, const double* temperature) {
  return with_radiation(radiation, [&](Radiation& r) { r.advance(temperature); });
}

int ermine_advance_float(ermine_radiation* radiation, const float* temperature) {
  return with_radiation(radiation, [&](Radiation& r) { r.advance(temperature); });
}

int ermine_submit(ermine_radiation* radiation, const double* temperature) {
  return with_radiation(radiation, [&](Radiation& r) { r.submit(temperature); });
}

int ermine_submit_float(ermine_radiation* radiation, const float* temperature) {
  return with_radiation(radiation, [&](Radiation& r) { r.submit(temperature); });
}

int ermine_poll(ermine_radiation* radiation, int* ready) {
  return with_radiation(radiation,
                        [&](Radiation& r) { *required(ready, "ready") = r.poll() ? 1 : 0; });
}

int ermine_wait(ermine_radiation* radiation) {
  return with_radiation(radiation, [](Radiation& r) { r.wait(); });
}

int ermine_cancel(ermine_radiation* radiation) {
  return with_radiation(radiation, [](Radiation& r) { r.cancel(); });
}

int ermine_pending(ermine_radiation* radiation, int* count) {
  return with_radiation(radiation, [&](Radiation& r) { *required(count, "count") = r.pending(); });
}

int ermine_get(ermine_radiation* radiation, int quantity, double* values) {
  return get(radiation, quantity, values);
}

int ermine_get_float(ermine_radiation* radiation, int quantity, float* values) {
  return get(radiation, quantity, values);
}

int ermine_get_wall(ermine_radiation* radiation, int quantity, int face, double* values) {
  return get_wall(radiation, quantity, face, values);
}

int ermine_get_wall_float(ermine_radiation* radiation, int quantity, int face, float* values) {
  return get_wall(radiation, quantity, face, values);
}

int ermine_wall_shape(ermine_radiation* radiation, int face, int64_t shape[2]) {
  return with_radiation(radiation, [&](Radiation& r) {
    std::ranges::copy(r.wall_shape(face_from(face)), required(shape, "shape"));
  });
}

int ermine_get_balance(ermine_radiation* radiation, ermine_balance* balance) {
  return with_radiation(
      radiation, [&](Radiation& r) { hand_out(balance_from(r.balance()), balance, "balance"); });
}

int ermine_get_statistics(ermine_radiation* radiation, ermine_statistics* statistics) {
  return with_radiation(radiation, [&](Radiation& r) {
    hand_out(statistics_from(r.statistics()), statistics, "statistics");
  });
}

int ermine_get_cells(ermine_radiation* radiation, int64_t cells[3]) {
  return with_radiation(radiation, [&](Radiation& r) {
    required(cells, "cells");
    for (std::size_t axis = 0; axis < 3; ++axis) {
      cells[axis] = static_cast<std::int64_t>(r.grid().cells(axis));
    }
  });
}

int ermine_get_faces(ermine_radiation* radiation, int axis, double* faces) {
  return with_radiation(radiation, [&](Radiation& r) {
    ERMINE_REQUIRE(axis >= 0 && axis < 3, "axis {} does not exist, give 0, 1 or 2", axis);
    std::ranges::copy(r.grid().axis(static_cast<std::size_t>(axis)).faces,
                      required(faces, "faces"));
  });
}

int ermine_get_block(ermine_radiation* radiation, ermine_block* block) {
  return with_radiation(radiation, [&](Radiation& r) {
    const Block& known = r.block();
    required(block, "block");
    std::ranges::copy(known.begin, block->begin);
    std::ranges::copy(known.end, block->end);
    std::ranges::copy(known.halo_below, block->halo_below);
    std::ranges::copy(known.halo_above, block->halo_above);
    std::ranges::copy(known.order, block->order);
  });
}

int ermine_describe(ermine_radiation* radiation, const char** text) {
  return with_radiation(radiation, [&](Radiation& r) {
    required(text, "text");
    radiation->description = r.describe();
    *text = radiation->description.c_str();
  });
}

int ermine_save(ermine_radiation* radiation, const char* file) {
  return with_radiation(radiation, [&](Radiation& r) {
    r.save(agreed(r.communicator(), "save", [&] { return required(file, "file"); }));
  });
}

int ermine_load(ermine_radiation* radiation, const char* file) {
  return with_radiation(radiation, [&](Radiation& r) {
    r.load(agreed(r.communicator(), "load", [&] { return required(file, "file"); }));
  });
}
