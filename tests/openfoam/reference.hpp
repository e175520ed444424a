#pragma once

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

/// What `ermine run` found, by place in space.
class Reference {
 public:
  explicit Reference(const std::string& file)
      : file_(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    if (file_ < 0) std::exit(2);
    for (int axis = 0; axis < 3; ++axis) planes_[axis] = read(std::string("/grid/") + "xyz"[axis]);
  }
  ~Reference() { H5Fclose(file_); }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  std::vector<double> read(const std::string& dataset) const {
    const hid_t set = H5Dopen2(file_, dataset.c_str(), H5P_DEFAULT);
    if (set < 0) std::exit(2);
    const hid_t space = H5Dget_space(set);
    std::vector<double> values(H5Sget_simple_extent_npoints(space));
    H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Sclose(space);
    H5Dclose(set);
    return values;
  }

  /// Index of the cell around a coordinate.
  std::size_t index(int axis, double coordinate) const {
    const auto above = std::upper_bound(planes_[axis].begin(), planes_[axis].end() - 1, coordinate);
    return std::max<std::ptrdiff_t>(above - planes_[axis].begin(), 1) - 1;
  }
  std::size_t cells(int axis) const { return planes_[axis].size() - 1; }

  template <class Vector>
  std::size_t cell(const Vector& x) const {
    return index(0, x[0]) + cells(0) * (index(1, x[1]) + cells(1) * index(2, x[2]));
  }
  /// Of a face normal to an axis.
  template <class Vector>
  std::size_t face(int normal, const Vector& x) const {
    const int first = normal == 0 ? 1 : 0;
    const int second = normal == 2 ? 1 : 2;
    return index(first, x[first]) + cells(first) * index(second, x[second]);
  }

 private:
  hid_t file_;
  std::array<std::vector<double>, 3> planes_;
};
