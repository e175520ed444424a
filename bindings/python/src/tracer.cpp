#include <ermine/error.hpp>

#include "overrides.hpp"
#include "problem.hpp"
#include "process.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace ermine::python {
namespace {

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

/// The solver options in TOML. The arrays of the problem have no such text.
std::string text_of(const py::kwargs& solver) {
  std::string text = "# Made in Python: grid, walls, medium and temperature were arrays.\n";
  for (const std::string& line : overrides_of(py::none(), solver)) text += line + "\n";
  return text;
}

std::shared_ptr<Solver> make_solver(const Grid& grid, const py::dict& walls,
                                    const AnyMedium& medium, const py::kwargs& given) {
  medium.check(grid);
  Tracer tracer(grid, walls_of(grid, walls), with_particles(medium.medium, medium.particles),
                scattering_of(medium.particles), options_of(given));
  const Setup setup{
      "", text_of(given), tracer.walls(), tracer.medium(), tracer.options(), medium.particles};
  return std::make_shared<Solver>(Solver{std::move(tracer), std::make_shared<const Setup>(setup)});
}

std::vector<double> temperature_of(const Tracer& tracer, const Array& given) {
  FieldValues field(given);
  check_field(field.shape, shape_of(tracer.grid()), "temperature");
  if (field.shape.empty()) field.values.resize(tracer.grid().cell_count(), field.values.front());
  return std::move(field.values);
}

/// A solution under way, with what it needs.
struct Pending {
  std::shared_ptr<const Solver> solver;
  std::vector<double> temperature;
  std::unique_ptr<Submission> submission;

  Pending() = default;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending() {
    if (forked_after_use()) static_cast<void>(submission.release());  // its thread is not here
  }

  bool ready() const {
    check_process();
    return !submission || submission->ready();
  }

  std::unique_ptr<Solution> wait() {
    check_process();
    // Signals are heard in between; what they raise leaves the submission as it is.
    while (submission && !submission->ready()) {
      check_signals();
      const py::gil_scoped_release others_may_run;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    // Taken while this thread has the interpreter, so that no other takes it too.
    const std::unique_ptr<Submission> taken = std::move(submission);
    if (!taken) throw Error("the result of this submission was taken, submit() again");
    const py::gil_scoped_release others_may_run;
    return std::make_unique<Solution>(solver->tracer.grid(), std::move(temperature), taken->wait(),
                                      solver->setup);
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

Solver solver_of(const Case& problem) {
  return {problem.tracer(),
          std::make_shared<const Setup>(Setup{problem.title, problem.text, problem.walls,
                                              problem.medium, problem.options, problem.particles})};
}

std::unique_ptr<Solution> solve(const Solver& solver, std::vector<double> temperature,
                                std::uint32_t update, const py::object& progress) {
  check_process();
  const bool silent = progress.is_none();
  const auto listen = [&](const Progress& so_far) {
    check_signals();
    if (silent) return;
    const py::gil_scoped_acquire interpreter;
    progress(so_far);
  };
  const py::gil_scoped_release others_may_run;
  Result result = solver.tracer.solve(temperature, update, listen);
  return std::make_unique<Solution>(solver.tracer.grid(), std::move(temperature), std::move(result),
                                    solver.setup);
}

void bind_tracer(py::module_& m) {
  bind_progress(m);
  py::class_<Pending>(m, "Submission", "A solution under way. Dropped, it is cancelled.")
      .def_property_readonly("ready", &Pending::ready, "Whether wait() would return at once.")
      .def("wait", &Pending::wait, "The Result, once; raises what went wrong.");
  py::class_<Solver, std::shared_ptr<Solver>>(
      m, "Tracer",
      "The Monte Carlo solver: holds a problem and solves it for any number of temperatures.\n\n"
      "The answer depends on the inputs, seed and update only, never on threads.")
      .def(py::init(&make_solver), py::arg("grid"), py::arg("walls"), py::arg("medium"),
           "walls: {'x_low': Wall(500), ...}, for all sides of axes that are not periodic; a "
           "number\n"
           "stands for a black wall of that temperature [K]. Keyword arguments are keys of "
           "[solver]\n"
           "in case files: rays_per_cell=256, seed=2, target_error=0.01, backend='cpu', ...")
      .def(
          "solve",
          [](const Solver& solver, const Array& temperature, std::uint32_t update,
             const py::object& progress) {
            return solve(solver, temperature_of(solver.tracer, temperature), update, progress);
          },
          py::arg("temperature"), py::arg("update") = 0, py::arg("progress") = py::none(),
          "temperature [K]: array of shape (nx, ny, nz) in any order of memory, or a number.\n"
          "update numbers successive solutions of a coupled run, so that each draws fresh rays.\n"
          "progress is called with a Progress a few times a second; what it raises ends the run.\n"
          "Returns a Result.")
      .def(
          "submit",
          [](const std::shared_ptr<Solver>& solver, const Array& temperature,
             std::uint32_t update) {
            check_process();
            auto pending = std::make_unique<Pending>();
            pending->solver = solver;
            pending->temperature = temperature_of(solver->tracer, temperature);
            const py::gil_scoped_release others_may_run;
            pending->submission =
                std::make_unique<Submission>(solver->tracer.submit(pending->temperature, update));
            return pending;
          },
          py::arg("temperature"), py::arg("update") = 0,
          "The same without waiting for it: copies the temperature and returns a Submission.")
      .def_property_readonly(
          "grid", [](const Solver& solver) { return solver.tracer.grid(); }, "The Grid.")
      .def_property_readonly(
          "medium",
          [](const Solver& solver) {
            std::vector<Particles> particles = solver.setup->particles;
            for (Particles& one : particles) one.absorption = {0.0};  // the medium has it
            return wrap(solver.tracer.medium(), std::move(particles));
          },
          "The Medium.")
      .def_property_readonly(
          "backend", [](const Solver& solver) { return name_of(solver.tracer.backend()); },
          "What solve() will use: 'cpu' or 'cuda'.")
      .def("__repr__", [](const Solver& solver) {
        return "Tracer(" + py::repr(py::cast(solver.tracer.grid())).cast<std::string>() + ", " +
               describe(solver.tracer.medium()) + ", " + name_of(solver.tracer.backend()) + ")";
      });
}

}  // namespace ermine::python
