#include <ermine/error.hpp>
#include <ermine/radiation.hpp>

#include "overrides.hpp"
#include "problem.hpp"
#include "process.hpp"
#include "spectra.hpp"

#include <atomic>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <utility>

namespace ermine::python {
namespace {

ParticleProperty particle_property(const std::string& name) {
  if (name == "absorption") return ParticleProperty::absorption;
  if (name == "scattering") return ParticleProperty::scattering;
  throw Error("particles have no '" + name + "', give 'absorption' or 'scattering'");
}

using Corner = std::array<std::int64_t, 3>;

/// None, a communicator of mpi4py, or the integer that Fortran has for one.
Communicator communicator_of(const py::object& given) {
  if (given.is_none()) return {};
  const py::object handle = py::hasattr(given, "py2f") ? given.attr("py2f")() : given;
  return Communicator::from_fortran(handle.cast<int>());
}

/// A Radiation as Python holds it: for one call at a time.
class Coupled {
 public:
  explicit Coupled(std::unique_ptr<Radiation> radiation) : radiation_(std::move(radiation)) {
    radiation_->set_interrupt([this] { return signals_.raised(); });
  }
  Coupled(const Coupled&) = delete;
  Coupled& operator=(const Coupled&) = delete;
  ~Coupled() {
    if (forked_after_use()) static_cast<void>(radiation_.release());  // its threads are not here
  }

 private:
  friend class Call;
  std::unique_ptr<Radiation> radiation_;
  Signals signals_;
  std::atomic<bool> in_use_{false};
};

/// One call, and no other while it goes on.
class Call {
 public:
  explicit Call(Coupled& coupled) : coupled_(coupled) {
    check_process();
    if (coupled.in_use_.exchange(true)) {
      throw Error(
          "this Radiation is in use by another thread, or by the call that a signal handler has "
          "interrupted: call it from one thread at a time, or hold a threading.Lock meanwhile");
    }
  }
  ~Call() { coupled_.in_use_ = false; }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Radiation* operator->() const { return coupled_.radiation_.get(); }
  Radiation& operator*() const { return *coupled_.radiation_; }

  /// Calls work(), which may wait: throws what Ctrl-C raises meanwhile.
  template <class Work>
  void interruptible(const Work& work) const {
    try {
      work();
    } catch (const Interrupted&) {
      coupled_.signals_.rethrow();
      throw;
    }
  }

 private:
  Coupled& coupled_;
};

std::unique_ptr<Coupled> make(const std::filesystem::path& file, const py::object& overrides,
                              const py::object& communicator, const py::kwargs& solver) {
  check_process();
  const auto all = overrides_of(overrides, solver);
  Communicator ranks = communicator_of(communicator);
  const py::gil_scoped_release others_may_run;
  return std::make_unique<Coupled>(
      without_set([&] { return std::make_unique<Radiation>(file, all, std::move(ranks)); }));
}

Shape block_shape(const Radiation& radiation) {
  const Block& block = radiation.block();
  Shape shape;
  for (const std::size_t axis : {0, 1, 2}) shape.push_back(block.end[axis] - block.begin[axis]);
  return shape;
}

/// The other processes must not wait for one whose array is of no use: they hear of it by a shape
/// that no array has, which is an error everywhere, and no step.
template <class Use>
void tell_others(Radiation& radiation, const Use& use) {
  radiation.expect_shape({-1, -1, -1});
  try {
    use(static_cast<const double*>(nullptr));
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {  // this process has a better message
  }
}

/// Calls use(pointer) with the values of an array of this process's cells, first index fastest, as
/// float where it is float32 and as double otherwise.
template <class Use>
void with_values(Radiation& radiation, const AnyArray& given, const char* what, const Use& use) {
  const auto call = [&]<class Real>() {
    const py::array_t<Real, py::array::f_style | py::array::forcecast> values(given.values);
    if (shape_of(values) != block_shape(radiation)) {
      tell_others(radiation, use);
      check_shape(values, block_shape(radiation), what);
    }
    const Real* data = values.data();
    const py::gil_scoped_release others_may_run;
    use(data);
  };
  if (given.values.dtype().kind() == 'f' && given.values.itemsize() == sizeof(float)) {
    call.template operator()<float>();
  } else {
    call.template operator()<double>();
  }
}

auto property_of(Quantity quantity) {
  return [quantity](Coupled& coupled) {
    const Call radiation(coupled);
    auto field = empty_field<double>(block_shape(*radiation));
    radiation->get(quantity, field.mutable_data());
    return field;
  };
}

auto wall_property_of(WallQuantity quantity) {
  return [quantity](Coupled& coupled, const std::string& name) {
    const Call radiation(coupled);
    const Face face = face_named(name);
    const auto [first, second] = radiation->wall_shape(face);
    auto field = empty_field<double>({first, second});
    radiation->get(quantity, face, field.mutable_data());
    return field;
  };
}

void bind_statistics(py::module_& m) {
  using Statistics = CouplingStatistics;
  py::class_<Statistics>(m, "CouplingStatistics",
                         "What a coupled run has done so far, on this process.")
      .def_readonly("steps", &Statistics::steps, "Calls of advance().")
      .def_readonly("updates", &Statistics::updates, "Solutions submitted.")
      .def_readonly("cancelled", &Statistics::cancelled, "Solutions cancelled.")
      .def_readonly("seconds_submitting", &Statistics::seconds_submitting,
                    "In submit(): temperature is gathered and copied [s].")
      .def_readonly("seconds_waiting", &Statistics::seconds_waiting,
                    "In wait(), for solutions that were not ready [s].")
      .def_readonly("seconds_solving", &Statistics::seconds_solving,
                    "From submission to result [s].")
      .def_readonly("rays", &Statistics::rays, "Of all processes.")
      .def_readonly("relative_error", &Statistics::relative_error,
                    "Of the last update: standard error over Q, root mean squares.")
      .def_readonly("error", &Statistics::error, "The same [W/m3], times the scaling's source.")
      .def_readonly("bytes_sent", &Statistics::bytes_sent, "By this process to others.")
      .def_readonly("field_bytes", &Statistics::field_bytes,
                    "Memory of the temperature that rays march through.")
      .def_property_readonly("hidden_fraction", &Statistics::hidden_fraction,
                             "Share of the solutions' time that the flow code did not wait for.");
}

void bind_problem(py::class_<Coupled>& type) {
  type.def(
          "set_grid",
          [](Coupled& self, const Axis& x, const Axis& y, const Axis& z) {
            const Call radiation(self);
            const py::gil_scoped_release others_may_run;
            radiation->set_grid({x, y, z});
          },
          py::arg("x"), py::arg("y"), py::arg("z"),
          "The three axes, if the case file has no grid. Before the first update.")
      .def(
          "set_block",
          [](Coupled& self, const Corner& begin, const Corner& end) {
            const Call radiation(self);
            const py::gil_scoped_release others_may_run;
            radiation->set_block({.begin = begin, .end = end});
          },
          py::arg("begin"), py::arg("end"),
          "Cells of this process: the first along x, y, z, and one beyond the last. Blocks of all\n"
          "processes cover the grid. Without a call: slabs across the last axis with enough cells.")
      .def(
          "set_scaling",
          [](Coupled& self, Number offset, Number factor, Number source) {
            const Call radiation(self);
            const py::gil_scoped_release others_may_run;
            radiation->set_scaling({.offset = offset, .factor = factor, .source = source});
          },
          py::arg("offset") = 0.0, py::arg("factor") = 1.0, py::arg("source") = 1.0,
          "For codes without units: T [K] = offset + factor * theirs; Q and all other results are\n"
          "multiplied by source.")
      .def(
          "set_wall",
          [](Coupled& self, const std::string& name, const py::object& wall) {
            const Call radiation(self);
            const Face face = face_named(name);
            const Side side = side_of(wall);
            if (!side.uniform()) side.check(radiation->grid(), face);
            const py::gil_scoped_release others_may_run;
            radiation->set_wall(face, side.wall());
          },
          py::arg("face"), py::arg("wall"),
          "face: 'x_low', ...; wall: a Wall, or the temperature [K] of a black one. The same on "
          "all\n"
          "processes, with fields of the whole side.")
      .def(
          "set_composition",
          [](Coupled& self, const std::string& gas, Number mole_fraction) {
            const Call radiation(self);
            const std::optional<Species> species = species_or_soot(gas);
            const py::gil_scoped_release others_may_run;
            if (!species) return radiation->set_soot(mole_fraction);
            radiation->set_composition(*species, mole_fraction);
          },
          py::arg("gas"), py::arg("mole_fraction"),
          "Mole fraction of a species of a mixture, everywhere or in the cells of this process.\n"
          "Of 'soot': its volume fraction.")
      .def(
          "set_composition",
          [](Coupled& self, const std::string& gas, const AnyArray& mole_fraction) {
            const Call radiation(self);
            const std::optional<Species> species = species_or_soot(gas);
            const char* what = species ? "mole_fraction" : "the volume fraction of soot";
            with_values(*radiation, mole_fraction, what, [&](const auto* values) {
              if (!species) return radiation->set_soot(values);
              radiation->set_composition(*species, values);
            });
          },
          py::arg("gas"), py::arg("mole_fraction"))
      .def(
          "set_particles",
          [](Coupled& self, const std::string& name, const std::string& property,
             Number coefficient) {
            const Call radiation(self);
            const ParticleProperty known = particle_property(property);
            const py::gil_scoped_release others_may_run;
            radiation->set_particles(name, known, coefficient);
          },
          py::arg("name"), py::arg("property"), py::arg("coefficient"),
          "Of particles that the case has: their 'absorption' or 'scattering' [1/m], everywhere or "
          "in\nthe cells of this process.")
      .def(
          "set_particles",
          [](Coupled& self, const std::string& name, const std::string& property,
             const AnyArray& coefficient) {
            const Call radiation(self);
            const ParticleProperty known = particle_property(property);
            with_values(*radiation, coefficient, "coefficient",
                        [&](const auto* values) { radiation->set_particles(name, known, values); });
          },
          py::arg("name"), py::arg("property"), py::arg("coefficient"))
      .def(
          "set_absorption",
          [](Coupled& self, Number coefficient) {
            const Call radiation(self);
            const py::gil_scoped_release others_may_run;
            radiation->set_absorption(coefficient);
          },
          py::arg("coefficient"),
          "Absorption coefficient of a grey gas [1/m], everywhere or in the cells of this process.")
      .def(
          "set_absorption",
          [](Coupled& self, const AnyArray& coefficient) {
            const Call radiation(self);
            with_values(*radiation, coefficient, "coefficient",
                        [&](const auto* values) { radiation->set_absorption(values); });
          },
          py::arg("coefficient"));
}

/// A member function that may wait for others: processes, or the solver's threads.
template <class Result>
auto waiting(Result (Radiation::*member)()) {
  return [member](Coupled& self) {
    const Call radiation(self);
    const py::gil_scoped_release others_may_run;
    if constexpr (std::is_void_v<Result>) {
      radiation.interruptible([&] { ((*radiation).*member)(); });
    } else {
      return ((*radiation).*member)();
    }
  };
}

auto with_file(void (Radiation::*member)(const std::filesystem::path&)) {
  return [member](Coupled& self, const std::filesystem::path& file) {
    const Call radiation(self);
    const py::gil_scoped_release others_may_run;
    radiation.interruptible([&] { ((*radiation).*member)(file); });
  };
}

/// A step that Ctrl-C ends leaves nothing under way: called once more, it would submit it again.
void advance(Coupled& self, const AnyArray& temperature) {
  const Call radiation(self);
  radiation.interruptible([&] {
    with_values(*radiation, temperature, "temperature", [&](const auto* values) {
      try {
        radiation->advance(values);
      } catch (const Interrupted&) {
        radiation->cancel();
        throw;
      }
    });
  });
}

void bind_steps(py::class_<Coupled>& type) {
  type.def("advance", &advance, py::arg("temperature"),
           "One flow step: submits the temperature [K] if an update is due, then takes over the\n"
           "solution that is due. temperature: the cells of this process, float32 or float64, in "
           "any\n"
           "order of memory; slices that leave out ghost cells will do. Ctrl-C cancels what is "
           "pending.")
      .def(
          "submit",
          [](Coupled& self, const AnyArray& temperature) {
            const Call radiation(self);
            with_values(*radiation, temperature, "temperature",
                        [&](const auto* values) { radiation->submit(values); });
          },
          py::arg("temperature"), "By hand: copies the temperature [K] and returns.")
      .def("poll", waiting(&Radiation::poll),
           "Whether wait() would return at once, on all processes alike.")
      .def("wait", waiting(&Radiation::wait),
           "Takes over the solution submitted first, of those not yet waited for. After Ctrl-C it "
           "is\n"
           "still pending.")
      .def("cancel", waiting(&Radiation::cancel),
           "Forgets all that was submitted and not waited for.")
      .def_property_readonly(
          "pending", [](Coupled& self) { return Call(self)->pending(); },
          "Number of solutions submitted and not waited for.")
      .def("save", with_file(&Radiation::save), py::arg("file"),
           "Writes everything that the next steps depend on into one file.")
      .def("load", with_file(&Radiation::load), py::arg("file"),
           "Goes on from such a file, bit for bit, after grid, block, walls and composition were "
           "set.");
}

void bind_results(py::class_<Coupled>& type) {
  type.def_property_readonly("source", property_of(Quantity::source),
                             "Q = emission - absorption [W/m3] of this process's cells; an energy "
                             "equation has -Q.")
      .def_property_readonly("standard_error", property_of(Quantity::standard_error),
                             "Of Q, and of absorption [W/m3].")
      .def_property_readonly("emission", property_of(Quantity::emission), "[W/m3], exact.")
      .def_property_readonly("absorption", property_of(Quantity::absorption), "[W/m3].")
      .def_property_readonly("emission_slope", property_of(Quantity::emission_slope),
                             "d emission / dT [W/(m3 K)], for implicit treatment.")
      .def("wall_flux", wall_property_of(WallQuantity::net_flux), py::arg("face"),
           "Net heat flux [W/m2] of this process's faces on a side, positive where the wall loses\n"
           "heat; face: 'x_low', ... Shape: its two axes in the order x, y, z.")
      .def("wall_standard_error", wall_property_of(WallQuantity::standard_error), py::arg("face"),
           "Standard error of wall_flux(face) [W/m2].")
      .def_property_readonly(
          "balance", [](Coupled& self) { return Call(self)->balance(); },
          "EnergyBalance of the whole grid, of the solution taken over last; not scaled.")
      .def_property_readonly(
          "statistics", [](Coupled& self) { return Call(self)->statistics(); },
          "What was done so far.")
      .def_property_readonly(
          "grid", [](Coupled& self) { return Call(self)->grid(); }, "The whole Grid.")
      .def_property_readonly(
          "block",
          [](Coupled& self) {
            const Call radiation(self);
            const Block& block = radiation->block();
            return py::make_tuple(py::tuple(py::cast(block.begin)), py::tuple(py::cast(block.end)));
          },
          "(begin, end): cells of this process.")
      .def_property_readonly(
          "shape", [](Coupled& self) { return py::tuple(py::cast(block_shape(*Call(self)))); },
          "Cells of this process along x, y and z: the shape of all arrays.")
      .def_property_readonly(
          "rank", [](Coupled& self) { return Call(self)->communicator().rank(); },
          "Number of this process.")
      .def_property_readonly(
          "size", [](Coupled& self) { return Call(self)->communicator().size(); },
          "Number of processes.")
      .def(
          "describe", [](Coupled& self) { return Call(self)->describe(); },
          "What is solved, for people. On all processes.");
}

}  // namespace

void bind_radiation(py::module_& m) {
  bind_statistics(m);
  py::class_<Coupled> radiation(
      m, "Radiation",
      "Radiation as a flow solver holds it between its time steps.\n\n"
      "    radiation = ermine.Radiation('radiation.toml')\n"
      "    for step in range(steps):\n"
      "        radiation.advance(T)      # submits, and takes over what is due\n"
      "        T += dt / (rho * cp) * (heating - radiation.source)\n\n"
      "All processes of a communicator make the same calls in the same order. Results depend on\n"
      "seed, number of the update and cell, not on processes, threads or GPUs.");
  radiation.def(
      py::init(&make), py::arg("case"), py::arg("overrides") = py::none(),
      py::arg("comm") = py::none(),
      "case: a case file; its temperature, if any, is ignored, and it may leave out the grid.\n"
      "overrides and keyword arguments are those of read_case(). comm: None for this process\n"
      "alone, a communicator of mpi4py, or the integer that Fortran has for one.");
  bind_problem(radiation);
  bind_steps(radiation);
  bind_results(radiation);
}

}  // namespace ermine::python
