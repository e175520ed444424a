#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ermine {

/// Cells within an array: that at (i, j, k) is number first + i stride[0] + j stride[1] + ...
struct StridedCells {
  std::array<std::int64_t, 3> extent{};
  std::array<std::int64_t, 3> stride{};
  std::int64_t first = 0;
};

/// Whether an address lies in the memory of a GPU that the CPU cannot read.
bool on_device(const void* address);

/// From cells of an array there, float or double, to values of the host, i fastest: offset + factor
/// * theirs. Waits for what the client has queued.
template <class T>
void read_from_device(double* values, const T* array, const StridedCells& cells, double offset,
                      double factor);
/// The other way: theirs are factor * values. Whatever lies between the cells stays as it is.
template <class T>
void write_to_device(T* array, const double* values, const StridedCells& cells, double factor);

/// GPUs that this process sees.
int device_count();

/// The GPU that this thread uses, and to make another thread use it.
int current_device();
void use_device(int device);

}  // namespace ermine
