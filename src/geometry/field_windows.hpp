#pragma once

#include "core/box.hpp"
#include "geometry/level_window.hpp"
#include "geometry/levels.hpp"

#include <array>
#include <vector>

namespace ermine {

/// Windows of all levels around a box: as far as rays come that start in it and take so many steps
/// on each level but the last, which is complete.
class FieldWindows {
 public:
  FieldWindows(const Levels& levels, const std::array<bool, 3>& periodic, const Box& box);

  int levels() const { return static_cast<int>(windows_.size()) - 1; }
  const LevelWindow& level(int l) const { return windows_[static_cast<std::size_t>(l)]; }
  /// For place_of().
  const std::vector<LevelWindow>& all() const { return windows_; }
  Box box(int level) const;
  /// Cells of periodic axes, 0 of others.
  std::array<std::int64_t, 3> period(int level) const;
  std::size_t count() const { return static_cast<std::size_t>(windows_.back().first); }
  std::size_t count(int level) const { return box(level).count(); }

 private:
  std::array<bool, 3> periodic_;
  std::vector<LevelWindow> windows_;
};

}  // namespace ermine
