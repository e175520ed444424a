#pragma once

#include "core/check.hpp"
#include "core/ranks.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>

namespace ermine {

/// Lets a thread of its own talk to other ranks through the thread that MPI knows: what the one
/// asks for waits until the other serves it. One rank alone has nothing to say.
class DelegatedRanks : public Ranks {
 public:
  explicit DelegatedRanks(std::shared_ptr<Ranks> ranks)
      : ranks_(std::move(ranks)), rank_(ranks_->rank()), size_(ranks_->size()) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return ranks_->local_rank(); }
  int first_of_machine() const override { return ranks_->first_of_machine(); }
  Gathered gather(std::span<const std::byte> mine) override {
    if (size_ == 1) return OneRank().gather(mine);
    return delegated([&] { return ranks_->gather(mine); });
  }
  std::vector<Bytes> exchange(const std::vector<Bytes>& to) override {
    if (size_ == 1) return OneRank().exchange(to);
    return delegated([&] { return ranks_->exchange(to); });
  }
  /// Not for workers.
  std::shared_ptr<Ranks> first(int) override { return nullptr; }
  /// Of what was served, all in all.
  std::int64_t bytes_sent() const override { return ranks_->bytes_sent(); }

  /// Whether the worker waits for something to be served.
  bool asking() const {
    const std::lock_guard lock(mutex_);
    return static_cast<bool>(request_);
  }
  bool ended() const {
    const std::lock_guard lock(mutex_);
    return ended_;
  }
  /// Until the worker asks for something, or ends.
  void wait_for_worker() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return request_ || ended_; });
  }
  /// The same, but no longer than `most`; false: it has done neither.
  bool wait_for_worker(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, most, [&] { return request_ || ended_; });
  }
  /// Does what the worker asks for.
  void serve() {
    const std::lock_guard lock(mutex_);
    request_();  // keeps what goes wrong for the worker
    request_ = nullptr;
    changed_.notify_all();
  }
  /// Whatever the worker asks for from now on fails.
  void abandon() {
    const std::lock_guard lock(mutex_);
    abandoned_ = true;
    changed_.notify_all();
  }
  /// That the worker has waited to be served; asked by the worker.
  double seconds_asking() const { return seconds_asking_; }
  /// Said by the worker, last.
  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }

 private:
  template <class Work>
  auto delegated(const Work& work) -> decltype(work()) {
    decltype(work()) result;
    std::exception_ptr failure;
    bool served = false;
    std::unique_lock lock(mutex_);
    if (!abandoned_) {
      request_ = [&] {
        served = true;
        try {
          result = work();
        } catch (...) {
          failure = std::current_exception();
        }
      };
      changed_.notify_all();
      const auto asked = std::chrono::steady_clock::now();
      changed_.wait(lock, [&] { return !request_ || abandoned_; });
      seconds_asking_ +=
          std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count();
      request_ = nullptr;
    }
    if (!served) fail("the solution was cancelled");
    if (failure) std::rethrow_exception(failure);
    return result;
  }

  std::shared_ptr<Ranks> ranks_;
  int rank_;
  int size_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> request_;  ///< runs while the worker waits, on its variables
  double seconds_asking_ = 0.0;
  bool ended_ = false;
  bool abandoned_ = false;
};

}  // namespace ermine
