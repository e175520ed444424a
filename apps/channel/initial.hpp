#pragma once

#include "flow.hpp"

#include <cstdint>
#include <functional>

namespace channel {

enum class Start { rest, laminar, turbulent, taylor_green };

struct StartOptions {
  Start kind = Start::turbulent;
  double amplitude = 0.3;  ///< of disturbances [U]
  std::uint64_t seed = 1;
};

/// Value of a field at (x, y, z) in half heights.
using Function = std::function<double(double, double, double)>;

/// Fields from functions, each evaluated where it lives; then made free of divergence.
void set_fields(Flow& flow, const Function& u, const Function& v, const Function& w,
                const Function& t);

/// laminar: the parabola of bulk velocity 1, and conduction between the walls. turbulent: the same,
/// with disturbances that grow into turbulence. taylor_green: vortices in planes along the walls.
void set_start(Flow& flow, const StartOptions& options);

}  // namespace channel
