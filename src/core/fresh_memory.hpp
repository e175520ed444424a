#pragma once

#include <cstddef>

namespace ermine {

/// Gets the pages of an array that nobody has written to, in large ones where the system has them,
/// on so many threads: memory that is new to a process takes longer to get than to fill.
void get_pages(void* array, std::size_t bytes, int threads);

/// Room for so many values in an empty vector, with its pages.
template <class Vector>
void reserve_pages(Vector& values, std::size_t count, int threads) {
  values.reserve(count);
  get_pages(values.data(), count * sizeof(typename Vector::value_type), threads);
}

}  // namespace ermine
