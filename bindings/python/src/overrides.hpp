#pragma once

#include <ermine/error.hpp>
#include <ermine/options.hpp>

#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace ermine::python {

namespace py = pybind11;

/// What replaces keys of a case file: None, {"solver.seed": 2}, or ["solver.seed=2"]; and keyword
/// arguments, which are keys of [solver].
std::vector<std::string> overrides_of(const py::object& overrides, const py::kwargs& solver);

/// The options that keyword arguments stand for, with the names, defaults and checks of [solver] in
/// a case file.
Options options_of(const py::kwargs& solver);

[[noreturn]] void throw_without_set(const std::string& message);

/// Calls read() and takes "--set " off its messages: nobody has written that in Python.
template <class Read>
auto without_set(const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    throw_without_set(error.what());
  }
}

}  // namespace ermine::python
