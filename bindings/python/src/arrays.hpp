#pragma once

#include <ermine/grid.hpp>

#include <array>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <span>
#include <string>
#include <vector>

namespace ermine::python {

namespace py = pybind11;

/// What callers give: a number, an array, or anything that numpy makes one of, such as nested
/// lists. Throws TypeError for what is not real numbers: numpy would make numbers of booleans,
/// complex numbers, dates and texts without a word, and ignore the mask of a masked array.
py::array numbers_of(py::handle given);

/// Throws TypeError where so many lists lie within each other that one must be part of itself.
void check_depth(int depth);

/// Such an array. Copied only where it is not already float64 with the first index fastest, which
/// is how the library has fields.
struct Array : py::array_t<double, py::array::f_style | py::array::forcecast> {
  using Base = py::array_t<double, py::array::f_style | py::array::forcecast>;
  Array() = default;
  explicit Array(py::handle given) : Base(numbers_of(given)) {}
};

/// Such an array, as it is.
struct AnyArray {
  py::array values;
};

/// One such number.
struct Number {
  double value = 0.0;
  operator double() const { return value; }
};

using Shape = std::vector<py::ssize_t>;

Shape shape_of(const py::array& array);
Shape shape_of(const Grid& grid);               ///< (nx, ny, nz)
Shape face_shape(const Grid& grid, Face face);  ///< cells along its two axes
std::string text_of(const Shape& shape);        ///< "(24, 16, 16)"

/// Throws Error unless the array has the shape.
void check_shape(const py::array& array, const Shape& wanted, const char* what);

/// Throws Error unless a field, of no axes where it is one number for all, has the shape.
void check_field(const Shape& given, const Shape& wanted, const std::string& what);

/// A field as callers give it: one number, or an array of cells.
struct FieldValues {
  FieldValues() = default;
  explicit FieldValues(const Array& array);

  std::vector<double> values{};
  Shape shape{};  ///< empty: one number for all
};

/// Values of the library as a read-only array that keeps `owner` alive, without a copy; first index
/// fastest.
py::array view(std::span<const double> values, const Shape& shape, py::handle owner);
py::array view(std::span<const float> values, const Shape& shape, py::handle owner);

/// The same with the last index fastest.
py::array rows(std::span<const double> values, const Shape& shape, py::handle owner);
py::array rows(std::span<const float> values, const Shape& shape, py::handle owner);

/// A new array with the first index fastest.
template <class Real>
py::array_t<Real> empty_field(const Shape& shape) {
  return py::array_t<Real, py::array::f_style>(shape);
}

Face face_named(const std::string& name);
std::size_t axis_named(const std::string& name);  ///< "x", "y" or "z"

}  // namespace ermine::python

namespace pybind11::detail {

template <>
struct type_caster<ermine::python::Array> {
  PYBIND11_TYPE_CASTER(ermine::python::Array, const_name("numpy.ndarray[numpy.float64]"));
  bool load(handle given, bool) {
    value = ermine::python::Array(given);
    return true;
  }
};

template <>
struct type_caster<ermine::python::AnyArray> {
  PYBIND11_TYPE_CASTER(ermine::python::AnyArray, const_name("numpy.ndarray"));
  bool load(handle given, bool) {
    value.values = ermine::python::numbers_of(given);
    return true;
  }
};

template <>
struct type_caster<ermine::python::Number> {
  PYBIND11_TYPE_CASTER(ermine::python::Number, const_name("float"));
  bool load(handle given, bool) {
    const array number = ermine::python::numbers_of(given);
    if (number.ndim() != 0) return false;
    value.value = ermine::python::Array(number).at();
    return true;
  }
};

}  // namespace pybind11::detail
