#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ermine {

/// Cells [begin, end) along each axis; arrays of a box are packed, x fastest.
struct Box {
  std::array<std::int64_t, 3> begin = {0, 0, 0};
  std::array<std::int64_t, 3> end = {0, 0, 0};

  std::int64_t extent(std::size_t a) const { return end[a] - begin[a]; }
  bool empty() const { return extent(0) <= 0 || extent(1) <= 0 || extent(2) <= 0; }
  std::size_t count() const {
    return empty() ? 0 : static_cast<std::size_t>(extent(0) * extent(1) * extent(2));
  }
  bool contains(const Box& other) const {
    for (const std::size_t a : {0, 1, 2}) {
      if (other.begin[a] < begin[a] || other.end[a] > end[a]) return false;
    }
    return true;
  }
  /// Place of a cell in the box's arrays.
  std::size_t at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return static_cast<std::size_t>(i - begin[0] +
                                    extent(0) * (j - begin[1] + extent(1) * (k - begin[2])));
  }

  friend bool operator==(const Box&, const Box&) = default;
};

inline Box intersection(const Box& a, const Box& b) {
  Box common;
  for (const std::size_t axis : {0, 1, 2}) {
    common.begin[axis] = std::max(a.begin[axis], b.begin[axis]);
    common.end[axis] = std::min(a.end[axis], b.end[axis]);
  }
  return common;
}

/// Calls visit(j, k) for each row of cells along x.
template <class Visit>
void for_each_row(const Box& box, const Visit& visit) {
  if (box.empty()) return;
  for (std::int64_t k = box.begin[2]; k < box.end[2]; ++k) {
    for (std::int64_t j = box.begin[1]; j < box.end[1]; ++j) visit(j, k);
  }
}

/// The part of a field of a box that lies in another one within it.
inline std::vector<double> part_of(const std::vector<double>& field, const Box& all,
                                   const Box& part) {
  std::vector<double> values;
  values.reserve(part.count());
  for_each_row(part, [&](std::int64_t j, std::int64_t k) {
    const double* row = field.data() + all.at(part.begin[0], j, k);
    values.insert(values.end(), row, row + part.extent(0));
  });
  return values;
}

}  // namespace ermine
