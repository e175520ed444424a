#include "core/fp_guard.hpp"

#include "core/thread_count.hpp"
#include "support/host_environment.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <thread>

namespace ermine {
namespace {

using test::HostEnvironment;

/// Divides by zero and makes a subnormal number, in ways that the compiler does not see through.
bool computes_by_default() {
  volatile double zero = 0.0;
  volatile double tiny = std::numeric_limits<double>::min();
  volatile double infinite = 1.0 / zero;
  volatile double invalid = zero / zero;
  volatile double subnormal = 0.5 * tiny;
  return infinite > 1e308 && invalid != invalid && subnormal > 0.0 && fegetexcept() == 0;
}

TEST(FloatingPointGuard, SuspendsTheEnvironmentOfTheCaller) {
  const HostEnvironment host;
  {
    const FloatingPointGuard guard;
    EXPECT_TRUE(computes_by_default());
    {
      const FloatingPointGuard nested;
      EXPECT_TRUE(computes_by_default());
    }
    EXPECT_TRUE(computes_by_default()) << "the nested guard has ended the outer one";
  }
  EXPECT_TRUE(HostEnvironment::is_in_force());
}

TEST(FloatingPointGuard, LeavesNoFlags) {
  std::feclearexcept(FE_ALL_EXCEPT);
  {
    const FloatingPointGuard guard;
    EXPECT_TRUE(computes_by_default());
  }
  EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0);
}

TEST(FloatingPointGuard, HoldsOnThreadsThatTheCallerHasAlready) {
  constexpr int threads = 3;
  std::thread([] {  // whose team nobody has used before
    omp_set_num_threads(threads);
    const HostEnvironment host;
    const auto in_force = [] { return HostEnvironment::is_in_force(); };
    ASSERT_TRUE(HostEnvironment::on_all_threads(threads, in_force)) << "threads do not inherit";
    {
      const FloatingPointGuard guard;
      EXPECT_TRUE(HostEnvironment::on_all_threads(threads, computes_by_default));
      EXPECT_TRUE(HostEnvironment::on_all_threads(threads + 2, computes_by_default));
    }
    EXPECT_TRUE(HostEnvironment::on_all_threads(threads, in_force));
  })
      .join();
}

TEST(FloatingPointGuard, LeavesThreadsOfTheCallerAsTheyWouldBeWithoutIt) {
  constexpr int threads = 3;
  std::thread([] {
    omp_set_num_threads(threads);
    const HostEnvironment host;
    {
      const FloatingPointGuard guard;  // creates the threads
      EXPECT_TRUE(HostEnvironment::on_all_threads(threads, computes_by_default));
    }
    EXPECT_TRUE(
        HostEnvironment::on_all_threads(threads, [] { return HostEnvironment::is_in_force(); }));
  }).join();
}

/// The host traps on its threads, and has switched that off on the one that calls.
TEST(FloatingPointGuard, HoldsOnThreadsThatTrapWhereTheCallerDoesNot) {
  constexpr int threads = 3;
  std::thread([] {
    omp_set_num_threads(threads);
    const auto traps = [] { return fegetexcept() != 0; };
    {
      const HostEnvironment host;
      ASSERT_TRUE(HostEnvironment::on_all_threads(threads, traps));
    }
    const auto on_workers = [](const auto& holds) {
      return HostEnvironment::on_all_threads(threads,
                                             [&] { return omp_get_thread_num() == 0 || holds(); });
    };
    ASSERT_TRUE(on_workers(traps));
    {
      const FloatingPointGuard guard;
      const int all = thread_count(0);
      EXPECT_TRUE(HostEnvironment::on_all_threads(all, [&] { return !traps(); }));
    }
    EXPECT_TRUE(on_workers(traps)) << "they are the host's again";
    EXPECT_EQ(fegetexcept(), 0);
  }).join();
}

TEST(FloatingPointGuard, HoldsOnThreadsThatAreStartedUnderIt) {
  const HostEnvironment host;
  const FloatingPointGuard guard;
  std::thread([] { EXPECT_TRUE(computes_by_default()); }).join();
}

}  // namespace
}  // namespace ermine
