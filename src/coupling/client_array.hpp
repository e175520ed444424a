#pragma once

#include <ermine/coupling.hpp>

#include "backend/client_memory.hpp"
#include "core/box.hpp"
#include "core/check.hpp"
#include "core/thread_count.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

namespace ermine {

inline Box cells_of(const Block& block) { return {block.begin, block.end}; }

/// Arrays of a flow code, on the host or on a GPU: values to read, and room for some.
using ClientValues = std::variant<const float*, const double*>;
using ClientRoom = std::variant<float*, double*>;

template <class Array>
bool is_null(const Array& array) {
  return std::visit([](const auto* values) { return values == nullptr; }, array);
}

/// How the arrays of a flow code hold its cells.
class ClientArray {
 public:
  explicit ClientArray(const Block& block) {
    std::int64_t stride = 1;
    for (const int axis : block.order) {
      const auto a = static_cast<std::size_t>(axis);
      cells_.extent[a] = block.end[a] - block.begin[a];
      cells_.stride[a] = stride;
      cells_.first += stride * block.halo_below[a];
      stride *= block.halo_below[a] + cells_.extent[a] + block.halo_above[a];
    }
    size_ = static_cast<std::size_t>(stride);
  }

  std::size_t size() const { return size_; }  ///< of arrays, with their halo
  std::size_t cell_count() const {
    return static_cast<std::size_t>(cells_.extent[0] * cells_.extent[1] * cells_.extent[2]);
  }

  /// Values of the cells, x fastest: offset + factor * theirs. `values` is as large as it needs to
  /// be: who reads often keeps it.
  void read(ClientValues array, std::vector<double>& values, double offset = 0.0,
            double factor = 1.0) const {
    values.resize(cell_count());
    std::visit(
        [&](const auto* theirs) {
          if (on_device(theirs)) {
            read_from_device(values.data(), theirs, cells_, offset, factor);
            return;
          }
          each([&](std::size_t i, std::int64_t place) {
            values[i] = offset + factor * static_cast<double>(theirs[place]);
          });
        },
        array);
  }
  std::vector<double> read(ClientValues array) const {
    std::vector<double> values;
    read(array, values);
    return values;
  }

  /// Refuses what would be infinite in their unit and precision.
  void write(std::span<const double> values, double factor, ClientRoom array) const {
    std::visit(
        [&](auto* theirs) {
          using T = std::remove_pointer_t<decltype(theirs)>;
          double largest = 0.0;
#pragma omp parallel for simd schedule(static) reduction(max        \
                                                         : largest) \
    num_threads(values.size() >= 32768 ? thread_count(0) : 1)
          for (std::size_t i = 0; i < values.size(); ++i) {
            largest = std::max(largest, std::abs(values[i]));
          }
          const double most = static_cast<double>(std::numeric_limits<T>::max());
          ERMINE_REQUIRE(
              std::abs(factor) * largest <= most,
              "values up to {:g}, times {:g} by the scaling, are more than the array "
              "can hold ({:g}), correct the scaling or give an array of double precision",
              largest, std::abs(factor), most);
          if (on_device(theirs)) {
            write_to_device(theirs, values.data(), cells_, factor);
            return;
          }
          each([&](std::size_t i, std::int64_t place) {
            theirs[place] = static_cast<T>(factor * values[i]);
          });
        },
        array);
  }

 private:
  /// Calls visit(number of the cell, its place in arrays), on all threads where there are many: the
  /// flow code waits for it.
  template <class Visit>
  void each(const Visit& visit) const {
    const auto [nx, ny, nz] = cells_.extent;
    constexpr std::int64_t worth_threads = 32768;
#pragma omp parallel for schedule(static) \
    num_threads(nx* ny* nz >= worth_threads ? thread_count(0) : 1)
    for (std::int64_t k = 0; k < nz; ++k) {
      for (std::int64_t j = 0; j < ny; ++j) {
        const std::int64_t row = (k * ny + j) * nx;
        const std::int64_t place = cells_.first + cells_.stride[1] * j + cells_.stride[2] * k;
        for (std::int64_t n = 0; n < nx; ++n) {
          visit(static_cast<std::size_t>(row + n), place + n * cells_.stride[0]);
        }
      }
    }
  }

  StridedCells cells_;
  std::size_t size_ = 0;
};

}  // namespace ermine
