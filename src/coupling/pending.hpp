#pragma once

#include <ermine/coupling.hpp>
#include <ermine/tracer.hpp>

#include "backend/client_memory.hpp"
#include "core/fp_guard.hpp"
#include "coupling/solution.hpp"
#include "parallel/delegated_ranks.hpp"
#include "parallel/machine_fields.hpp"
#include "transport/run/advance.hpp"
#include "transport/run/gather.hpp"
#include "transport/run/solving.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <vector>

namespace ermine {

/// A solution under way on a thread of its own, which starts when the one before it is done: they
/// share the machine, and one may build on the other. It speaks to other ranks only while this
/// process's thread is in here.
class Pending {
 public:
  struct Task {
    std::shared_ptr<const Tracer> tracer;
    CommonField temperature;                      ///< all of it, or
    std::optional<TemperatureField> distributed;  ///< what this rank has of it
    std::uint32_t update;
    std::int64_t step;
    int device;  ///< GPU to use
    /// Of updates that are differences; brought up to date by one after the other.
    std::shared_ptr<History> history;
    std::function<Solution(Result&&)> own_part;  ///< of this process
  };

  Pending(Task task, std::shared_ptr<Ranks> ranks, std::shared_future<void> before)
      : task_(std::move(task)), ranks_(std::move(ranks)), talk_(ranks_) {
    worker_ = std::async(std::launch::async, [this, before] {
                const FloatingPointGuard guard;
                before.wait();
                try {
                  work();
                } catch (...) {
                  failure_ = std::current_exception();
                }
                talk_.end();
              }).share();
  }
  /// Leaves its work undone.
  ~Pending() {
    cancelled_ = true;
    talk_.abandon();
    worker_.wait();
  }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;

  const std::shared_future<void>& done() const { return worker_; }
  std::int64_t step() const { return task_.step; }

  /// Collective: whether it is done on all ranks, or has failed on one. Lets those that wait for
  /// each other go on: they do so many times in a row, once their rays are traced.
  bool poll() {
    constexpr std::chrono::milliseconds soon{10};
    for (;;) {
      const Progress all = progress_of_all();
      // One has failed where others still ask: wait() would tell at once.
      if (all.asking < all.workers) return all.ended > 0 && all.asking + all.ended == all.workers;
      talk_.serve();
      talk_.wait_for_worker(soon);
    }
  }

  /// Collective: the result; throws on all ranks what went wrong on one. Throws Interrupted where
  /// `interrupts`, which may be empty, returns true.
  Solution wait(const std::function<bool()>& interrupts = {}) {
    constexpr std::chrono::milliseconds between_looks{50};
    bool failed_elsewhere = false;
    for (;;) {
      while (!talk_.wait_for_worker(between_looks)) {
        if (interrupts && interrupts()) throw Interrupted("the wait for radiation was interrupted");
      }
      const Progress all = progress_of_all();
      if (all.ended == all.workers) break;
      if (all.asking < all.workers) {
        // One has failed: others wait for it in vain.
        failed_elsewhere = !talk_.ended();
        talk_.abandon();
        break;
      }
      talk_.serve();
    }
    worker_.wait();
    together(*ranks_, [&] {
      if (failure_ && !failed_elsewhere) std::rethrow_exception(failure_);
    });
    return std::move(solution_);
  }

 private:
  struct Progress {
    int workers = 0;
    int asking = 0;  ///< for something that all ranks must do
    int ended = 0;
  };
  Progress progress_of_all() {
    Progress all;
    for (const auto& [asking, ended] :
         gather_one(*ranks_, std::array<int, 2>{talk_.asking(), talk_.ended()})) {
      all.workers += 1;
      all.asking += asking;
      all.ended += ended;
    }
    return all;
  }

  void work() {
    if (cancelled_) return;
    const Stopwatch clock;
    if (task_.tracer->backend() == Backend::cuda) use_device(task_.device);
    const TemperatureField temperature =
        task_.distributed ? *task_.distributed : TemperatureField(task_.temperature.values);
    Advance advance(*task_.tracer, task_.update, task_.history.get());
    Solving how = advance.solving();
    how.ranks = &talk_;
    how.cancelled = &cancelled_;
    how.emission_slope = true;
    Result result = solve(*task_.tracer, temperature, how);
    advance.finish(task_.temperature.values, result);
    solution_ = task_.own_part(std::move(result));
    solution_.step = task_.step;
    solution_.seconds = clock.seconds() - talk_.seconds_asking();
  }

  Task task_;
  std::shared_ptr<Ranks> ranks_;
  DelegatedRanks talk_;
  std::atomic<bool> cancelled_{false};
  Solution solution_;
  std::exception_ptr failure_;
  std::shared_future<void> worker_;
};

}  // namespace ermine
