#pragma once

#include <ermine/tracer.hpp>

#include "core/check.hpp"
#include "core/watch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>

namespace ermine {

/// Counts rays while many threads trace, reports progress, and notices a hopeless run early.
class RunMonitor {
 public:
  /// `cancelled` becomes true when nobody wants the result any more; may be null.
  RunMonitor(std::int64_t rays_total, double hopeless_fraction, const ProgressCallback& progress,
             const std::atomic<bool>* cancelled)
      : rays_total_(rays_total),
        hopeless_fraction_(hopeless_fraction),
        progress_(progress),
        cancelled_(cancelled) {}

  /// Nobody wants the result, or the callback threw: the rest need not be traced.
  bool cancelled() const {
    return stopped_.load(std::memory_order_relaxed) ||
           (cancelled_ && cancelled_->load(std::memory_order_relaxed));
  }

  void add(std::int64_t rays, const RayCounts& counts) {
    done_.fetch_add(rays, std::memory_order_relaxed);
    traced_.fetch_add(counts.traced, std::memory_order_relaxed);
    crossings_.fetch_add(counts.crossings, std::memory_order_relaxed);
    if (counts.lost > 0) lost_.fetch_add(counts.lost, std::memory_order_relaxed);
  }

  /// A batch lost so many of its rays that it did not trace the others.
  void give_up() { gave_up_.store(true, std::memory_order_relaxed); }

  /// For threads that trace: rays end soon when nobody wants them. The thread that started the run
  /// also reports progress, however long its rays are under way.
  Watch watch(bool started_the_run) {
    if (!started_the_run) {
      return {[](void* self) { return static_cast<RunMonitor*>(self)->cancelled(); }, this};
    }
    return {[](void* self) {
              static_cast<RunMonitor*>(self)->report();
              return static_cast<RunMonitor*>(self)->cancelled();
            },
            this};
  }

  /// Call from the thread that started the run only.
  void report() {
    const auto now = std::chrono::steady_clock::now();
    if (!progress_ || now - last_report_ < std::chrono::milliseconds(100)) return;
    last_report_ = now;
    try {
      progress_({done_.load(std::memory_order_relaxed), rays_total_, relative_error_});
    } catch (...) {
      thrown_ = std::current_exception();
      stopped_.store(true, std::memory_order_relaxed);
    }
  }

  /// Throws what the callback threw, or an Error if the solution was cancelled: neither can leave a
  /// parallel region, call outside of them.
  void check_wanted() const {
    if (thrown_) std::rethrow_exception(thrown_);
    ERMINE_REQUIRE(!cancelled(), "the solution was cancelled");
  }

  void set_relative_error(double value) { relative_error_ = value; }

  RayCounts counts() const { return {traced_.load(), lost_.load(), crossings_.load()}; }

  /// Each lost ray has cost a great many crossings: do not wait for all of them. Throws as
  /// check_wanted() does.
  bool hopeless() const {
    check_wanted();
    if (gave_up_.load(std::memory_order_relaxed)) return true;
    const std::int64_t lost = lost_.load(std::memory_order_relaxed);
    const std::int64_t traced = traced_.load(std::memory_order_relaxed);
    const auto too_many_of = [&](std::int64_t rays) {
      return static_cast<double>(lost) > hopeless_fraction_ * static_cast<double>(rays);
    };
    return (lost > 100 && too_many_of(traced)) ||
           (rays_total_ > 0 && too_many_of(std::max(rays_total_, traced)));
  }

 private:
  std::int64_t rays_total_;
  double hopeless_fraction_;
  const ProgressCallback& progress_;
  const std::atomic<bool>* cancelled_;
  std::chrono::steady_clock::time_point last_report_{};
  double relative_error_ = -1.0;
  std::exception_ptr thrown_;  ///< of the thread that started the run
  std::atomic<bool> stopped_{false};
  std::atomic<bool> gave_up_{false};
  std::atomic<std::int64_t> done_{0}, traced_{0}, crossings_{0}, lost_{0};
};

}  // namespace ermine
