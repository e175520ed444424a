#pragma once

#include <cfenv>

namespace ermineFoam {

/// OpenFOAM traps floating-point exceptions (FOAM_SIGFPE); ermine, compiled for speed, divides by
/// zero on purpose, for rays along an axis. While this lives nothing traps, nor in threads that
/// are started then.
class TrapsOff {
 public:
  TrapsOff() { std::feholdexcept(&theirs_); }
  ~TrapsOff() { std::fesetenv(&theirs_); }
  TrapsOff(const TrapsOff&) = delete;
  TrapsOff& operator=(const TrapsOff&) = delete;

 private:
  std::fenv_t theirs_;
};

}  // namespace ermineFoam
