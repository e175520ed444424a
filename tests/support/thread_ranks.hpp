#pragma once

#include "core/ranks.hpp"

#include <barrier>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

namespace ermine::test {

/// Ranks that are threads of one process, on as many machines as they say.
class ThreadTeam {
 public:
  explicit ThreadTeam(int size, int per_machine)
      : barrier_(size), given_(static_cast<std::size_t>(size)), per_machine_(per_machine) {}

  /// Calls work(ranks) on each, and throws what the first to fail has thrown.
  template <class Work>
  static void run(int size, const Work& work) {
    run_on_machines(size, size, work);
  }
  /// The same on machines of so many each.
  template <class Work>
  static void run_on_machines(int size, int per_machine, const Work& work) {
    ThreadTeam team(size, per_machine);
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
    std::vector<std::thread> threads;
    for (int r = 0; r < size; ++r) {
      threads.emplace_back([&, r] {
        try {
          work(std::make_shared<Rank>(team, r));
        } catch (...) {
          failures[static_cast<std::size_t>(r)] = std::current_exception();
          team.barrier_.arrive_and_drop();  // others do not wait in vain
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& failure : failures) {
      if (failure) std::rethrow_exception(failure);
    }
  }

 private:
  class Rank : public Ranks {
   public:
    Rank(ThreadTeam& team, int rank) : team_(team), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return static_cast<int>(team_.given_.size()); }
    int local_rank() const override { return rank_ % team_.per_machine_; }
    int first_of_machine() const override { return rank_ - local_rank(); }
    std::shared_ptr<Ranks> first(int) override { return nullptr; }
    std::int64_t bytes_sent() const override { return sent_; }

    Gathered gather(std::span<const std::byte> mine) override {
      Gathered all{{}, {0}};
      for (const Bytes& part :
           exchange(std::vector<Bytes>(team_.given_.size(), Bytes(mine.begin(), mine.end())))) {
        all.bytes.insert(all.bytes.end(), part.begin(), part.end());
        all.begin.push_back(all.bytes.size());
      }
      return all;
    }
    std::vector<Bytes> exchange(const std::vector<Bytes>& to) override {
      team_.given_[static_cast<std::size_t>(rank_)] = to;
      for (const Bytes& bytes : to) sent_ += static_cast<std::int64_t>(bytes.size());
      team_.barrier_.arrive_and_wait();
      std::vector<Bytes> from;
      for (const auto& given : team_.given_) from.push_back(given[static_cast<std::size_t>(rank_)]);
      team_.barrier_.arrive_and_wait();
      return from;
    }

   private:
    ThreadTeam& team_;
    int rank_;
    std::int64_t sent_ = 0;
  };

  std::barrier<> barrier_;
  std::vector<std::vector<Bytes>> given_;  ///< by rank, to each
  int per_machine_;
};

}  // namespace ermine::test
