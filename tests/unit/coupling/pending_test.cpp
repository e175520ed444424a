#include "coupling/pending.hpp"

#include <ermine/error.hpp>

#include "support/radiation.hpp"
#include "support/thread_ranks.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace ermine {
namespace {

TEST(Pending, OneThatFailedOnARankIsNotPolledForever) {
  const CoupledCase problem = test::coupled_case();
  test::ThreadTeam::run(2, [&](const std::shared_ptr<Ranks>& team) {
    auto temperature = test::flowing(*problem.grid, 0);
    if (team->rank() == 0) temperature.pop_back();  // fails before it speaks to the other
    std::promise<void> none;
    none.set_value();
    Pending pending({std::make_shared<const Tracer>(test::tracer_of(problem)),
                     {nullptr, temperature},
                     {},
                     0,
                     0,
                     0,
                     std::make_shared<History>(),
                     [](Result&&) { return Solution(); }},
                    team, none.get_future().share());
    bool ready = false;
    for (int i = 0; i < 30'000 && !ready; ++i) {
      ready = pending.poll();
      if (!ready) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_TRUE(ready);
    EXPECT_THROW(pending.wait(), Error);
  });
}

}  // namespace
}  // namespace ermine
