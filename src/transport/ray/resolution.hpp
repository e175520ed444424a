#pragma once

namespace ermine {

/// How finely rays see what is far away: levels of detail they use, and crossings on each of them
/// but the last.
struct Resolution {
  int levels = 1;
  int steps = 1;

  friend bool operator==(const Resolution&, const Resolution&) = default;
};

/// The grid itself, however far a ray goes.
inline constexpr Resolution one_level{};

/// Rays of a tracer that see the field at a resolution.
template <class Trace>
Trace at_resolution(Trace trace, const Resolution& resolution) {
  trace.march.grid.levels = resolution.levels;
  trace.march.grid.steps = resolution.steps;
  return trace;
}

template <class Trace>
Resolution resolution_of(const Trace& trace) {
  return {trace.march.grid.levels, trace.march.grid.steps};
}

}  // namespace ermine
