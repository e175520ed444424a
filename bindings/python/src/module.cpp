#include <ermine/communicator.hpp>
#include <ermine/device.hpp>
#include <ermine/error.hpp>
#include <ermine/version.hpp>

#include "problem.hpp"

#include <string>

namespace {

/// Before 2.12, pybind11 reads the arrays of numpy 2 at wrong places, without a word.
void check_numpy() {
#if PYBIND11_VERSION_HEX < 0x020C0000
  const std::string version =
      pybind11::str(pybind11::module_::import("numpy").attr("__version__")).cast<std::string>();
  if (std::stoi(version) < 2) return;
  throw pybind11::import_error(
      "this ermine was compiled with a pybind11 older than 2.12, which "
      "does not know numpy 2 (here: " +
      version + "): use numpy 1, or compile ermine with `pip install .`");
#endif
}

}  // namespace

PYBIND11_MODULE(_ermine, m) {
  using namespace ermine;
  namespace py = pybind11;
  check_numpy();
  m.doc() = "Radiative heat transfer in hot gases by reciprocal Monte Carlo.";
  m.attr("__version__") = ERMINE_VERSION;
  py::register_exception<Error>(m, "Error", PyExc_RuntimeError).attr("__doc__") =
      "Bad input, a file that cannot be read or written, or a computation that cannot be "
      "trusted.\n\n"
      "The message says what is wrong, where, and what to do.";
  python::bind_grid(m);
  python::bind_walls(m);
  python::bind_tables(m);
  python::bind_media(m);
  python::bind_result(m);
  python::bind_balance(m);
  python::bind_tracer(m);
  python::bind_cases(m);
  python::bind_radiation(m);
  python::bind_spectra(m);
  m.def("built_with_cuda", &built_with_cuda, "Whether there are kernels for NVIDIA GPUs.");
  m.def("built_with_mpi", &built_with_mpi, "Whether Radiation takes communicators of MPI.");
  m.def("why_no_device", &why_no_device,
        "Why rays cannot be traced on a GPU, and what to do about it; empty if they can.");
}
