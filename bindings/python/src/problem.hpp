#pragma once

#include <ermine/case.hpp>
#include <ermine/grid.hpp>
#include <ermine/medium.hpp>
#include <ermine/options.hpp>
#include <ermine/particles.hpp>
#include <ermine/result.hpp>
#include <ermine/tracer.hpp>
#include <ermine/walls.hpp>

#include "arrays.hpp"

#include <memory>
#include <string>
#include <vector>

namespace ermine::python {

/// A medium, the shape of the arrays it was made from, of which the library knows the size alone,
/// and particles in it, whose absorption `medium` does not contain.
struct AnyMedium {
  Medium medium;
  std::vector<Shape> shapes;
  std::vector<Particles> particles = {};

  void check(const Grid& grid) const;
};
struct Grey : AnyMedium {};
struct Gas : AnyMedium {};
struct List : AnyMedium {};

/// As Grey, Gas or List.
py::object wrap(const Medium& medium, std::vector<Particles> particles = {});

/// One side of the box with the shapes of its fields.
struct Side {
  FieldValues temperature;
  FieldValues emissivity;
  Reflection reflection = Reflection::diffuse;

  bool uniform() const { return temperature.shape.empty() && emissivity.shape.empty(); }
  /// Throws Error unless its arrays fit the grid.
  void check(const Grid& grid, Face face) const;
  Wall wall() const { return {temperature.values, emissivity.values, reflection}; }
};

/// A number, or a Side, as Python code gives it.
Side side_of(py::handle given);

/// What output files say of a problem besides its grid and temperature.
struct Setup {
  std::string title;
  std::string text;  ///< a case in TOML; of problems made in Python, their solver options
  Walls walls;
  Medium medium;  ///< with what particles absorb
  Options options;
  std::vector<Particles> particles;
};

/// A tracer, and what files of its solutions say.
struct Solver {
  Tracer tracer;
  std::shared_ptr<const Setup> setup;
};

/// A solution with the problem it belongs to.
struct Solution {
  Grid grid;
  std::vector<double> temperature;
  Result result;
  std::shared_ptr<const Setup> setup;
};

/// A problem as case files have it, with its tracer.
Solver solver_of(const Case& problem);

/// Solves without holding the interpreter. Signals and the callback, None or callable, are heard a
/// few times a second; what they raise ends the solution.
std::unique_ptr<Solution> solve(const Solver& solver, std::vector<double> temperature,
                                std::uint32_t update, const py::object& progress);

/// Properties and methods that write a solution to files.
void bind_result_files(py::class_<Solution>& result);

void bind_grid(py::module_& m);
void bind_walls(py::module_& m);
void bind_media(py::module_& m);
void bind_balance(py::module_& m);
void bind_result(py::module_& m);
void bind_tracer(py::module_& m);
void bind_cases(py::module_& m);
void bind_radiation(py::module_& m);
void bind_tables(py::module_& m);
void bind_spectra(py::module_& m);

}  // namespace ermine::python
