#include <ermine/error.hpp>

#include "overrides.hpp"
#include "problem.hpp"

#include <chrono>
#include <optional>
#include <thread>
#include <utility>

namespace ermine::python {
namespace {

void check_signals() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

Walls walls_of(const Grid& grid, const py::dict& given) {
  std::array<Wall, 6> sides;
  for (const auto& [name, wall] : given) {
    const Face face = face_named(name.cast<std::string>());
    if (!grid.walled(face)) {
      throw Error("wall " + std::string(name_of(face)) +
                  " is on a periodic axis, remove one of the two");
    }
    const Side side = side_of(wall);
    side.check(grid, face);
    sides[static_cast<std::size_t>(face)] = side.wall();
  }
  return {grid, std::move(sides)};
}

std::unique_ptr<Tracer> make_tracer(const Grid& grid, const py::dict& walls,
                                    const AnyMedium& medium, const py::kwargs& solver) {
  medium.check(grid);
  return std::make_unique<Tracer>(grid, walls_of(grid, walls), medium.medium, options_of(solver));
}

std::vector<double> temperature_of(const Tracer& tracer, const Array& given) {
  FieldValues field(given);
  check_field(field.shape, shape_of(tracer.grid()), "temperature");
  if (field.shape.empty()) field.values.resize(tracer.grid().cell_count(), field.values.front());
  return std::move(field.values);
}

/// A solution under way, with what it needs.
struct Pending {
  std::shared_ptr<Tracer> tracer;
  std::vector<double> temperature;
  std::optional<Submission> submission;

  bool ready() const { return !submission || submission->ready(); }

  std::unique_ptr<Solution> wait() {
    if (!submission) throw Error("the result of this submission was taken, submit() again");
    // Signals are heard in between; what they raise leaves the submission as it is.
    while (!submission->ready()) {
      check_signals();
      const py::gil_scoped_release others_may_run;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    const py::gil_scoped_release others_may_run;
    Submission taken = std::move(*submission);
    submission.reset();
    return std::make_unique<Solution>(tracer->grid(), std::move(temperature), taken.wait());
  }
};

void bind_progress(py::module_& m) {
  py::class_<Progress>(m, "Progress", "What a run reports while it goes on.")
      .def_readonly("rays_done", &Progress::rays_done, "Rays traced so far.")
      .def_readonly("rays_total", &Progress::rays_total,
                    "Of so many; 0: not known, rays are added until an error is reached.")
      .def_readonly("relative_standard_error", &Progress::relative_standard_error,
                    "Of Q so far; negative: not known yet.");
}

}  // namespace

std::unique_ptr<Solution> solve(const Tracer& tracer, std::vector<double> temperature,
                                std::uint32_t update, const py::object& progress) {
  const auto listen = [&](const Progress& so_far) {
    const py::gil_scoped_acquire interpreter;
    check_signals();
    if (!progress.is_none()) progress(so_far);
  };
  const py::gil_scoped_release others_may_run;
  Result result = tracer.solve(temperature, update, listen);
  return std::make_unique<Solution>(tracer.grid(), std::move(temperature), std::move(result));
}

void bind_tracer(py::module_& m) {
  bind_progress(m);
  py::class_<Pending>(m, "Submission",
                      "A solution under way. Dropped, it is finished and forgotten.")
      .def_property_readonly("ready", &Pending::ready, "Whether wait() would return at once.")
      .def("wait", &Pending::wait, "The Result, once; raises what went wrong.");
  py::class_<Tracer, std::shared_ptr<Tracer>>(
      m, "Tracer",
      "The Monte Carlo solver: holds a problem and solves it for any number of temperatures.\n\n"
      "The answer depends on the inputs, seed and update only, never on threads.")
      .def(py::init(&make_tracer), py::arg("grid"), py::arg("walls"), py::arg("medium"),
           "walls: {'x_low': Wall(500), ...}, for all sides of axes that are not periodic; a "
           "number\n"
           "stands for a black wall of that temperature [K]. Keyword arguments are keys of "
           "[solver]\n"
           "in case files: rays_per_cell=256, seed=2, target_error=0.01, backend='cpu', ...")
      .def(
          "solve",
          [](const Tracer& tracer, const Array& temperature, std::uint32_t update,
             const py::object& progress) {
            return solve(tracer, temperature_of(tracer, temperature), update, progress);
          },
          py::arg("temperature"), py::arg("update") = 0, py::arg("progress") = py::none(),
          "temperature [K]: array of shape (nx, ny, nz) in any order of memory, or a number.\n"
          "update numbers successive solutions of a coupled run, so that each draws fresh rays.\n"
          "progress is called with a Progress a few times a second; what it raises ends the run.\n"
          "Returns a Result.")
      .def(
          "submit",
          [](const std::shared_ptr<Tracer>& tracer, const Array& temperature,
             std::uint32_t update) {
            auto pending = std::make_unique<Pending>();
            pending->tracer = tracer;
            pending->temperature = temperature_of(*tracer, temperature);
            const py::gil_scoped_release others_may_run;
            pending->submission.emplace(tracer->submit(pending->temperature, update));
            return pending;
          },
          py::arg("temperature"), py::arg("update") = 0,
          "The same without waiting for it: copies the temperature and returns a Submission.")
      .def_property_readonly("grid", &Tracer::grid, "The Grid.")
      .def_property_readonly(
          "medium", [](const Tracer& tracer) { return wrap(tracer.medium()); }, "The Medium.")
      .def_property_readonly(
          "backend", [](const Tracer& tracer) { return name_of(tracer.backend()); },
          "What solve() will use: 'cpu' or 'cuda'.");
}

}  // namespace ermine::python
