#include "problem.hpp"

#include <pybind11/stl.h>

namespace ermine::python {
namespace {

Boundary boundary(bool periodic) { return periodic ? Boundary::periodic : Boundary::walled; }

py::array_t<double> array_of(const std::vector<double>& values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

/// Of each axis, what one(axis, i) is of its cells.
template <class One>
py::tuple along_axes(const Grid& grid, const One& one) {
  py::tuple arrays(3);
  for (const std::size_t axis : {0, 1, 2}) {
    std::vector<double> values(grid.cells(axis));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = one(axis, i);
    arrays[axis] = array_of(values);
  }
  return arrays;
}

Axis axis_from(const py::array& faces, Boundary boundary) {
  if (!py::isinstance<py::array_t<float>>(faces) || faces.ndim() != 1) {
    return {FieldValues(Array(faces)).values, boundary};
  }
  const py::array_t<float, py::array::c_style | py::array::forcecast> single(faces);
  return Axis::from_single({single.data(), static_cast<std::size_t>(single.size())}, boundary);
}

std::string text_of(const Axis& axis) {
  return "Axis(" + std::to_string(axis.faces.size() - 1) + " cells, " +
         py::repr(py::cast(axis.faces.front())).cast<std::string>() + " to " +
         py::repr(py::cast(axis.faces.back())).cast<std::string>() + " m" +
         (axis.boundary == Boundary::periodic ? ", periodic)" : ")");
}

void bind_axis(py::module_& m) {
  py::class_<Axis>(m, "Axis", "One axis of the grid: face coordinates [m], one more than cells.")
      .def(py::init([](const AnyArray& faces, bool periodic) {
             Axis axis = axis_from(faces.values, boundary(periodic));
             axis.check();
             return axis;
           }),
           py::arg("faces"), py::arg("periodic") = false,
           "From strictly increasing face coordinates [m].\n\n"
           "A periodic axis wraps around and has no walls. In float32, cells whose widths differ\n"
           "by rounding only become cells of equal width.")
      .def_static(
          "uniform",
          [](int cells, Number start, Number stop, bool periodic) {
            return Axis::uniform(cells, start, stop, boundary(periodic));
          },
          py::arg("cells"), py::arg("start"), py::arg("stop"), py::arg("periodic") = false,
          "Cells of equal width from start to stop [m].")
      .def_static(
          "stretched",
          [](int cells, Number start, Number stop, Number stretching, bool periodic) {
            return Axis::stretched(cells, start, stop, stretching, boundary(periodic));
          },
          py::arg("cells"), py::arg("start"), py::arg("stop"), py::arg("stretching"),
          py::arg("periodic") = false,
          "Cells finer towards both ends [m], by a hyperbolic tangent.\n\n"
          "A stretching of 2 makes the wall cell of 32 about 6 times finer than the mean.")
      .def_property_readonly(
          "faces", [](const Axis& axis) { return array_of(axis.faces); }, "Face coordinates [m].")
      .def_property_readonly(
          "periodic", [](const Axis& axis) { return axis.boundary == Boundary::periodic; },
          "Whether the axis wraps around.")
      .def("__len__", [](const Axis& axis) { return axis.faces.size() - 1; })
      .def("__repr__", [](const Axis& axis) { return text_of(axis); });
}

}  // namespace

void bind_grid(py::module_& m) {
  bind_axis(m);
  py::class_<Grid>(m, "Grid",
                   "Rectilinear grid of cells. Fields on it are arrays of shape (nx, ny, nz).")
      .def(py::init([](const Axis& x, const Axis& y, const Axis& z) {
             return Grid({x, y, z});
           }),
           py::arg("x"), py::arg("y"), py::arg("z"), "From its three axes.")
      .def_property_readonly(
          "axes",
          [](const Grid& grid) { return py::make_tuple(grid.axis(0), grid.axis(1), grid.axis(2)); },
          "The three axes.")
      .def_property_readonly(
          "shape", [](const Grid& grid) { return py::tuple(py::cast(shape_of(grid))); },
          "Cells along x, y and z.")
      .def_property_readonly(
          "centres",
          [](const Grid& grid) {
            return along_axes(
                grid, [&](std::size_t axis, std::size_t i) { return grid.centre(axis, i); });
          },
          "Coordinates of the cell centres along x, y and z [m]: three 1-D arrays.")
      .def_property_readonly(
          "widths",
          [](const Grid& grid) {
            return along_axes(grid,
                              [&](std::size_t axis, std::size_t i) { return grid.width(axis, i); });
          },
          "Widths of the cells along x, y and z [m]: three 1-D arrays.")
      .def(
          "mesh",
          [](const Grid& grid) {
            py::tuple mesh(3);
            for (const std::size_t axis : {0, 1, 2}) {
              auto field = empty_field<double>(shape_of(grid));
              double* value = field.mutable_data();
              for (std::size_t cell = 0; cell < grid.cell_count(); ++cell) {
                value[cell] = grid.centre(cell)[axis];
              }
              mesh[axis] = field;
            }
            return mesh;
          },
          "x, y and z of all cell centres [m]: three arrays of shape (nx, ny, nz).")
      .def_property_readonly(
          "volumes",
          [](const Grid& grid) {
            auto field = empty_field<double>(shape_of(grid));
            double* value = field.mutable_data();
            for (std::size_t cell = 0; cell < grid.cell_count(); ++cell) {
              value[cell] = grid.volume(cell);
            }
            return field;
          },
          "Volumes of the cells [m3], shape (nx, ny, nz).")
      .def("__repr__", [](const Grid& grid) {
        return "Grid(" + text_of(grid.axis(0)) + ", " + text_of(grid.axis(1)) + ", " +
               text_of(grid.axis(2)) + ")";
      });
}

}  // namespace ermine::python
