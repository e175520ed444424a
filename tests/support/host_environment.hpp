#pragma once

#include <omp.h>

#include <cfenv>
#if defined(__x86_64__)
#include <pmmintrin.h>
#endif

namespace ermine::test {

/// A thread as hosts leave it: exceptions trap, subnormal numbers are flushed to zero, and one flag
/// is raised. OpenMP threads that are created meanwhile inherit it. As it was, when this ends.
class HostEnvironment {
 public:
  static constexpr int traps = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;

  HostEnvironment() {
    std::fegetenv(&before_);
    std::feclearexcept(FE_ALL_EXCEPT);
    std::feraiseexcept(FE_UNDERFLOW);
    feenableexcept(traps);
#if defined(__x86_64__)
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
    _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON);
#endif
  }
  ~HostEnvironment() { std::fesetenv(&before_); }
  HostEnvironment(const HostEnvironment&) = delete;
  HostEnvironment& operator=(const HostEnvironment&) = delete;

  /// Whether this thread still has it, with the flag and no other that traps.
  static bool is_in_force() {
    return fegetexcept() == traps && flushes() && std::fetestexcept(traps) == 0 &&
           std::fetestexcept(FE_UNDERFLOW) != 0;
  }
  static bool flushes() {
#if defined(__x86_64__)
    return _MM_GET_FLUSH_ZERO_MODE() == _MM_FLUSH_ZERO_ON;
#else
    return true;
#endif
  }
  /// Whether `holds` returns true on all of some OpenMP threads.
  template <class Check>
  static bool on_all_threads(int threads, const Check& holds) {
    bool all = true;
#pragma omp parallel num_threads(threads) reduction(&& : all)
    all = holds();
    return all;
  }

 private:
  std::fenv_t before_;
};

}  // namespace ermine::test
