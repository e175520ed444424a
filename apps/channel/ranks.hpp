#pragma once

#include <ermine/communicator.hpp>

#include <string>
#include <utility>
#include <vector>

namespace channel {

/// What processes were given: names and values.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// The processes of a run, each with a slab of the streamwise direction; one where there is no MPI.
class Ranks {
 public:
  Ranks() = default;
  /// All that were started together. MPI must be initialised.
  static Ranks of_world();

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool first() const { return rank_ == 0; }
  /// Of `count` things shared out evenly, the first of a rank; the end is the first of the next.
  int begin(int count, int rank) const {
    return static_cast<int>(static_cast<long long>(count) * rank / size_);
  }
  int begin(int count) const { return begin(count, rank_); }
  int end(int count) const { return begin(count, rank_ + 1); }

  /// Sends to the rank above, receives from the one below, periodic; and the other way round.
  void shift_up(const double* send, double* receive, int count) const;
  void shift_down(const double* send, double* receive, int count) const;
  /// All parts in the order of ranks, on every rank. `counts` of numbers of each.
  void gather_all(const double* part, const std::vector<int>& counts, double* all) const;
  /// To the first rank only.
  void gather(const double* part, const std::vector<int>& counts, double* all) const;
  /// counts[r] numbers to and from each rank r, one after the other.
  void exchange(const double* send, const std::vector<int>& send_counts, double* receive,
                const std::vector<int>& receive_counts) const;
  void sum(std::vector<double>& values) const;
  double largest(double value) const;
  void wait() const;
  /// Throws on all ranks the message of the first that has one.
  void agree(const std::string& error) const;
  /// Throws on all ranks if one was given others than the first, and says which.
  void require_same(const Settings& settings) const;

  ermine::Communicator communicator() const;

 private:
  int rank_ = 0;
  int size_ = 1;
};

/// Initialises MPI where several processes were started together, and finalises it. Ends this
/// process, and so all of them, when it waits for others for longer than ERMINE_RANK_TIMEOUT says.
class Processes {
 public:
  Processes();
  ~Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  /// Shows what went wrong: once if it did so on all, else by the one it happened on, which ends
  /// those that wait for it.
  static void fail(const std::string& message, void (*show)(const std::string&));
};

}  // namespace channel
