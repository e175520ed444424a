#include "core/fp_guard.hpp"

#include <omp.h>

#if defined(__x86_64__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

namespace ermine {
namespace {

thread_local int guards_of_thread = 0;
thread_local FloatingPointGuard* outermost = nullptr;

/// Whether traps, rounding and the treatment of subnormal numbers are the default ones. Exception
/// flags do not matter. False where nobody knows.
bool environment_is_default() {
#if defined(__x86_64__) && defined(__GNUC__)
  constexpr unsigned flags = 0x3f;
  unsigned short x87 = 0;
  __asm__ volatile("fnstcw %0" : "=m"(x87));
  // 64-bit mantissa or that of double: long double only, which nothing here depends on.
  return (_mm_getcsr() & ~flags) == 0x1f80 && (x87 & 0x0c3f) == 0x003f;
#else
  return false;
#endif
}

}  // namespace

FloatingPointGuard::FloatingPointGuard() {
  if (guards_of_thread > 0) {
    ++guards_of_thread;
    return;
  }
  std::fegetenv(&theirs_);
  if (!environment_is_default()) hold_team(omp_get_max_threads());
  std::fesetenv(FE_DFL_ENV);
  ++guards_of_thread;
  outermost = this;
}

FloatingPointGuard::~FloatingPointGuard() {
  if (--guards_of_thread > 0) return;
  outermost = nullptr;
  std::fesetenv(&theirs_);
  if (team_differs_) release_team();
}

void FloatingPointGuard::hold_threads(int threads) {
  if (outermost) outermost->hold_team(threads);
}

void FloatingPointGuard::hold_team(int threads) {
  // In a parallel region this thread is a team of its own; if that may have threads, they are
  // created under this guard.
  const std::size_t held = team_.size();
  const auto wanted = static_cast<std::size_t>(threads);
  if (threads == 1 || wanted <= held || omp_in_parallel()) return;
  team_.resize(wanted, theirs_);
  bool differs = false;
#pragma omp parallel num_threads(threads) reduction(|| : differs)
  {
    const auto number = static_cast<std::size_t>(omp_get_thread_num());
    if (number > 0 && number >= held) {
      differs = !environment_is_default();
      std::fegetenv(&team_[number]);
      if (differs) std::fesetenv(FE_DFL_ENV);
    }
  }
  team_differs_ = team_differs_ || differs;
}

void FloatingPointGuard::release_team() {
  // Threads that were replaced since have the environment of this one.
#pragma omp parallel num_threads(static_cast <int>(team_.size()))
  {
    const auto number = static_cast<std::size_t>(omp_get_thread_num());
    if (number > 0) std::fesetenv(&team_[number]);
  }
}

}  // namespace ermine
