#include "arrays.hpp"

#include <ermine/error.hpp>

namespace ermine::python {
namespace {

template <class Real>
py::array read_only(std::span<const Real> values, const Shape& shape, const Shape& strides,
                    py::handle owner) {
  py::array array(py::dtype::of<Real>(), shape, strides, values.data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

Shape strides_of(const Shape& shape, py::ssize_t item, bool first_fastest) {
  Shape strides(shape.size());
  py::ssize_t stride = item;
  for (std::size_t n = 0; n < shape.size(); ++n) {
    const std::size_t i = first_fastest ? n : shape.size() - 1 - n;
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

[[noreturn]] void refuse(const std::string& what, const std::string& advice) {
  throw py::type_error(what + " where real numbers are expected, " + advice);
}

/// numpy forgets what the parts of a list were.
void check_list(py::handle list, const py::object& masked_array, const py::object& numpy_bool,
                int depth = 1) {
  check_depth(depth);
  for (const auto& part : py::reinterpret_borrow<py::sequence>(list)) {
    if (PyList_Check(part.ptr()) || PyTuple_Check(part.ptr())) {
      check_list(part, masked_array, numpy_bool, depth + 1);
    } else if (PyBool_Check(part.ptr()) || py::isinstance(part, numpy_bool)) {
      refuse("a list with booleans was given", "give 1.0 and 0.0 if that is what they mean");
    } else if (py::isinstance(part, masked_array)) {
      refuse("a list of masked arrays was given", "fill them: array.filled(value)");
    }
  }
}

/// An array of the same memory where `given` is one of another library that speaks DLPack; else
/// what numpy makes of it.
py::array array_of(py::handle given, const py::module_& numpy) {
  if (!py::hasattr(given, "__dlpack__") || py::isinstance<py::array>(given)) {
    return numpy.attr("asarray")(given);
  }
  constexpr int host = 1, pinned_host = 3;  // DLDeviceType in dlpack.h
  const auto device = py::reinterpret_borrow<py::object>(given).attr("__dlpack_device__")();
  const int kind = device.cast<py::tuple>()[0].cast<int>();
  if (kind != host && kind != pinned_host) {
    refuse("an array in the memory of a GPU was given",
           "copy it to the host: array.cpu() of PyTorch, array.get() of CuPy, numpy.asarray(array) "
           "of JAX");
  }
  if (py::hasattr(given, "__array__") || !py::hasattr(numpy, "from_dlpack")) {
    return numpy.attr("asarray")(given);
  }
  return numpy.attr("from_dlpack")(given);
}

}  // namespace

void check_depth(int depth) {
  constexpr int deepest = 32;  // as numpy has it
  if (depth <= deepest) return;
  throw py::type_error(
      "more than 32 lists, tuples or dicts lie within each other, check that none "
      "is a part of itself");
}

py::array numbers_of(py::handle given) {
  const auto numpy = py::module_::import("numpy");
  const py::object masked_array = numpy.attr("ma").attr("MaskedArray");
  if (py::isinstance(given, masked_array)) {
    refuse("a masked array was given", "fill it: array.filled(value)");
  }
  if (PyList_Check(given.ptr()) || PyTuple_Check(given.ptr())) {
    check_list(given, masked_array, numpy.attr("bool_"));
  }
  const py::array array = array_of(given, numpy);
  switch (array.dtype().kind()) {
    case 'f':
    case 'i':
    case 'u':
      return array;
    case 'b':
      refuse("a boolean, or an array of them, was given",
             "give 1.0 and 0.0 if that is what they mean");
    case 'c':
      refuse("complex numbers were given", "give their real part or their magnitude");
    case 'M':
    case 'm':
      refuse("dates or times were given", "convert them");
    case 'U':
    case 'S':
      refuse("text was given", "convert it: float(text), array.astype(float)");
    default:
      refuse("an object of type " +
                 py::str(py::type::handle_of(given).attr("__name__")).cast<std::string>() +
                 " was given",
             "give a number, an array or a list of numbers");
  }
}

Shape shape_of(const py::array& array) { return {array.shape(), array.shape() + array.ndim()}; }

Shape shape_of(const Grid& grid) {
  return {static_cast<py::ssize_t>(grid.cells(0)), static_cast<py::ssize_t>(grid.cells(1)),
          static_cast<py::ssize_t>(grid.cells(2))};
}

Shape face_shape(const Grid& grid, Face face) {
  const auto [first, second] = Grid::tangents(face);
  return {static_cast<py::ssize_t>(grid.cells(first)),
          static_cast<py::ssize_t>(grid.cells(second))};
}

std::string text_of(const Shape& shape) {
  return py::str(py::tuple(py::cast(shape))).cast<std::string>();
}

void check_shape(const py::array& array, const Shape& wanted, const char* what) {
  if (shape_of(array) == wanted) return;
  throw Error(std::string(what) + " has shape " + text_of(shape_of(array)) + ", give " +
              text_of(wanted));
}

FieldValues::FieldValues(const Array& array)
    : values(array.data(), array.data() + array.size()), shape(shape_of(array)) {}

void check_field(const Shape& given, const Shape& wanted, const std::string& what) {
  if (given.empty() || given == wanted) return;
  throw Error(what + " has shape " + text_of(given) + ", give one number or an array of shape " +
              text_of(wanted));
}

py::array view(std::span<const double> values, const Shape& shape, py::handle owner) {
  return read_only(values, shape, strides_of(shape, sizeof(double), true), owner);
}

py::array view(std::span<const float> values, const Shape& shape, py::handle owner) {
  return read_only(values, shape, strides_of(shape, sizeof(float), true), owner);
}

py::array rows(std::span<const double> values, const Shape& shape, py::handle owner) {
  return read_only(values, shape, strides_of(shape, sizeof(double), false), owner);
}

py::array rows(std::span<const float> values, const Shape& shape, py::handle owner) {
  return read_only(values, shape, strides_of(shape, sizeof(float), false), owner);
}

Face face_named(const std::string& name) {
  for (const Face face : all_faces) {
    if (name == name_of(face)) return face;
  }
  throw Error("'" + name + "' is no side, give x_low, x_high, y_low, y_high, z_low or z_high");
}

std::size_t axis_named(const std::string& name) {
  for (const std::size_t axis : {0, 1, 2}) {
    if (name == std::string(1, "xyz"[axis])) return axis;
  }
  throw Error("'" + name + "' is no axis, give x, y or z");
}

}  // namespace ermine::python
