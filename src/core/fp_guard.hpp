#pragma once

#include <cfenv>
#include <vector>

namespace ermine {

/// While one lives, this thread and the OpenMP threads that work for it compute in the default
/// environment of IEEE 754: exceptions do not trap, rounding is to nearest, and subnormal numbers
/// are kept. The caller's environment returns afterwards, with the exception flags it had.
///
/// ermine divides by zero on purpose, for rays along an axis, and is compiled so that operations
/// whose results are not used may raise exceptions; debug builds of flow codes trap those
/// (-ffpe-trap=invalid,zero,overflow), others flush subnormal numbers to zero, which changes
/// results. So every function of the public API holds one. Within another guard of the same thread
/// it does nothing. Threads inherit the environment of the thread that creates them, so those
/// started under a guard need none of their own on Linux; they hold one all the same.
class FloatingPointGuard {
 public:
  FloatingPointGuard();
  ~FloatingPointGuard();
  FloatingPointGuard(const FloatingPointGuard&) = delete;
  FloatingPointGuard& operator=(const FloatingPointGuard&) = delete;

  /// Before a parallel region of so many threads: OpenMP keeps the threads of the caller's parallel
  /// regions, and they the environment in which they were created, whatever that of the caller is
  /// now. Costs an empty parallel region, once under each guard. Does nothing without a guard.
  static void hold_threads(int threads);

 private:
  void hold_team(int threads);
  void release_team();

  std::fenv_t theirs_;
  std::vector<std::fenv_t> team_;  ///< by number of those held
  bool team_differs_ = false;      ///< some of them need their environment back
};

}  // namespace ermine
