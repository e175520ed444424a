#pragma once

#include <ermine/coupling.hpp>

#include "backend/client_memory.hpp"
#include "core/box.hpp"

#include <span>
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
  explicit ClientArray(const Block& block) : cells_(cells_of(block)) {
    std::int64_t stride = 1;
    for (const int axis : block.order) {
      const auto a = static_cast<std::size_t>(axis);
      stride_[a] = stride;
      first_ += stride * block.halo_below[a];
      stride *= block.halo_below[a] + cells_.extent(a) + block.halo_above[a];
    }
    size_ = static_cast<std::size_t>(stride);
  }

  std::size_t size() const { return size_; }  ///< of arrays, with their halo

  /// Values of the cells, x fastest: offset + factor * theirs.
  std::vector<double> read(ClientValues array, double offset = 0.0, double factor = 1.0) const {
    return std::visit([&](const auto* values) { return read_from(values, offset, factor); }, array);
  }

  void write(std::span<const double> values, double factor, ClientRoom array) const {
    std::visit([&](auto* room) { write_to(room, values, factor); }, array);
  }

 private:
  template <class T>
  std::vector<double> read_from(const T* array, double offset, double factor) const {
    std::vector<T> copy;
    if (on_device(array)) {
      copy.resize(size_);
      copy_from_device(copy.data(), array, size_ * sizeof(T));
      array = copy.data();
    }
    std::vector<double> values(cells_.count());
    each([&](std::size_t i, std::int64_t place) {
      values[i] = offset + factor * static_cast<double>(array[place]);
    });
    return values;
  }

  template <class T>
  void write_to(T* array, std::span<const double> values, double factor) const {
    std::vector<T> copy;
    T* const theirs = array;
    const bool device = on_device(array);
    if (device) {
      copy.resize(size_);
      // The halo shall stay as it is.
      if (size_ != values.size()) copy_from_device(copy.data(), theirs, size_ * sizeof(T));
      array = copy.data();
    }
    each([&](std::size_t i, std::int64_t place) {
      array[place] = static_cast<T>(factor * values[i]);
    });
    if (device) copy_to_device(theirs, copy.data(), size_ * sizeof(T));
  }

  /// Calls visit(number of the cell, its place in arrays), on all threads where there are many: the
  /// flow code waits for it.
  template <class Visit>
  void each(const Visit& visit) const {
    const std::int64_t nx = cells_.extent(0), ny = cells_.extent(1), nz = cells_.extent(2);
    constexpr std::int64_t worth_threads = 32768;
#pragma omp parallel for schedule(static) if (nx * ny * nz >= worth_threads)
    for (std::int64_t k = 0; k < nz; ++k) {
      for (std::int64_t j = 0; j < ny; ++j) {
        const std::int64_t row = (k * ny + j) * nx;
        const std::int64_t place = first_ + stride_[1] * j + stride_[2] * k;
        for (std::int64_t n = 0; n < nx; ++n) {
          visit(static_cast<std::size_t>(row + n), place + n * stride_[0]);
        }
      }
    }
  }

  Box cells_;
  std::array<std::int64_t, 3> stride_{};
  std::int64_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace ermine
