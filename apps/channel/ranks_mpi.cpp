#include <ermine/error.hpp>
#include <ermine/mpi.hpp>

#include "ranks.hpp"
#include "terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>

namespace channel {
namespace {

void check(int status, const char* doing) {
  if (status != MPI_SUCCESS) throw ermine::Error(fmt::format("MPI failed while {}", doing));
}

std::vector<int> starts(const std::vector<int>& counts) {
  std::vector<int> from(counts.size(), 0);
  std::exclusive_scan(counts.begin(), counts.end(), from.begin(), 0);
  return from;
}

/// Initialising MPI takes a moment, and fails in places where nobody wants it: only if asked for.
/// What Open MPI, MPICH and Slurm tell the processes they start.
int started_processes() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    if (const char* size = std::getenv(name)) return std::atoi(size);
  }
  return 1;
}

/// Watches how long this process waits for others within one call of MPI.
class Watch {
 public:
  Watch(int rank, double limit)
      : limit_(limit + 0.2 * std::min(rank, 25)),  // one message is enough
        rank_(rank),
        thread_([this] { look(); }) {}
  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void begin(const char* doing) {
    doing_ = doing;
    since_ = now();
  }
  void end() { since_ = nothing; }

 private:
  static constexpr double nothing = -1;

  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
  void look() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::milliseconds(200), [&] { return ended_; })) {
      const double since = since_;
      if (since == nothing || now() - since < limit_) continue;
      ermine::terminal::note(
          "ermine-channel: error: rank {} has waited for {:.3g} s {} (ERMINE_RANK_TIMEOUT), "
          "another process has stopped: see what it does, and go on from the restart file\n",
          rank_, now() - since, doing_.load());
      std::_Exit(1);  // those that wait, and the one that stopped, are ended by mpirun
    }
  }

  double limit_;
  int rank_;
  std::atomic<double> since_ = nothing;
  std::atomic<const char*> doing_ = "";
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread thread_;
};

/// None where this process is alone, or shall wait for ever.
std::unique_ptr<Watch>& watch() {
  static std::unique_ptr<Watch> of_program;
  return of_program;
}

/// [s]; the library takes the same variable.
double rank_timeout() {
  const char* text = std::getenv("ERMINE_RANK_TIMEOUT");
  if (text == nullptr || *text == '\0') return 3600;
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (*end == '\0' && seconds >= 0 && seconds < 1e300) return seconds;
  throw ermine::Error(
      fmt::format("ERMINE_RANK_TIMEOUT is \"{}\", give seconds, or 0 to wait for ever", text));
}

/// A call of MPI that waits for others.
template <class Call>
void wait_in(const char* doing, const Call& call) {
  if (watch()) watch()->begin(doing);
  const int status = call();
  if (watch()) watch()->end();
  check(status, doing);
}

void shift(const double* send, double* receive, int count, int to, int from) {
  wait_in("exchanging halos", [&] {
    return MPI_Sendrecv(send, count, MPI_DOUBLE, to, 0, receive, count, MPI_DOUBLE, from, 0,
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
}

}  // namespace

Ranks Ranks::of_world() {
  Ranks ranks;
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (!initialized) return ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.size_);
  return ranks;
}

void Ranks::shift_up(const double* send, double* receive, int count) const {
  shift(send, receive, count, (rank_ + 1) % size_, (rank_ + size_ - 1) % size_);
}
void Ranks::shift_down(const double* send, double* receive, int count) const {
  shift(send, receive, count, (rank_ + size_ - 1) % size_, (rank_ + 1) % size_);
}

void Ranks::gather_all(const double* part, const std::vector<int>& counts, double* all) const {
  if (size_ == 1) {
    std::copy_n(part, counts[0], all);
    return;
  }
  wait_in("gathering rows", [&] {
    return MPI_Allgatherv(part, counts[rank_], MPI_DOUBLE, all, counts.data(),
                          starts(counts).data(), MPI_DOUBLE, MPI_COMM_WORLD);
  });
}
void Ranks::gather(const double* part, const std::vector<int>& counts, double* all) const {
  if (size_ == 1) {
    std::copy_n(part, counts[0], all);
    return;
  }
  wait_in("gathering a plane", [&] {
    return MPI_Gatherv(part, counts[rank_], MPI_DOUBLE, all, counts.data(), starts(counts).data(),
                       MPI_DOUBLE, 0, MPI_COMM_WORLD);
  });
}

void Ranks::exchange(const double* send, const std::vector<int>& send_counts, double* receive,
                     const std::vector<int>& receive_counts) const {
  wait_in("transposing the pressure", [&] {
    return MPI_Alltoallv(send, send_counts.data(), starts(send_counts).data(), MPI_DOUBLE, receive,
                         receive_counts.data(), starts(receive_counts).data(), MPI_DOUBLE,
                         MPI_COMM_WORLD);
  });
}

void Ranks::sum(std::vector<double>& values) const {
  if (size_ == 1) return;
  wait_in("adding up", [&] {
    return MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                         MPI_SUM, MPI_COMM_WORLD);
  });
}
double Ranks::largest(double value) const {
  if (size_ == 1) return value;
  wait_in("comparing", [&] {
    return MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  });
  return value;
}
void Ranks::wait() const {
  if (size_ > 1) wait_in("meeting", [] { return MPI_Barrier(MPI_COMM_WORLD); });
}

void Ranks::agree(const std::string& error) const {
  if (size_ == 1) {
    if (!error.empty()) throw ermine::Error(error);
    return;
  }
  int failed = error.empty() ? size_ : rank_;
  wait_in("comparing", [&] {
    return MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  });
  if (failed == size_) return;
  std::string message = error;
  auto length = static_cast<int>(message.size());
  MPI_Bcast(&length, 1, MPI_INT, failed, MPI_COMM_WORLD);
  message.resize(static_cast<std::size_t>(length));
  MPI_Bcast(message.data(), length, MPI_CHAR, failed, MPI_COMM_WORLD);
  throw ermine::Error(message);
}

void Ranks::require_same(const Settings& settings) const {
  if (size_ == 1) return;
  constexpr char end = '\0';
  std::string theirs;
  for (const auto& [name, value] : settings) theirs += name + end + value + end;
  auto length = static_cast<int>(theirs.size());
  wait_in("comparing cases", [&] { return MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD); });
  theirs.resize(static_cast<std::size_t>(length));
  MPI_Bcast(theirs.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  std::map<std::string, std::string> first;
  for (std::size_t at = 0; at < theirs.size();) {
    const std::string name = theirs.c_str() + at;
    at += name.size() + 1;
    first[name] = theirs.c_str() + at;
    at += first[name].size() + 1;
  }
  std::string names;
  const auto add = [&](const std::string& name, const std::string& mine, const std::string& other) {
    names += fmt::format("{}{} ({}, not {})", names.empty() ? "" : ", ", name,
                         mine.empty() ? "none" : mine, other.empty() ? "none" : other);
  };
  for (const auto& [name, value] : settings) {
    if (first[name] != value) add(name, value, first[name]);
    first.erase(name);
  }
  for (const auto& [name, value] : first) add(name, "", value);
  agree(names.empty() ? ""
                      : fmt::format("rank {} was given another case than rank 0: {}; give all "
                                    "processes the same",
                                    rank_, names));
}

ermine::Communicator Ranks::communicator() const {
  return size_ > 1 ? ermine::communicator(MPI_COMM_WORLD) : ermine::Communicator();
}

Processes::Processes() {
  if (started_processes() <= 1) return;
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  const double timeout = rank_timeout();
  if (timeout > 0) watch() = std::make_unique<Watch>(Ranks::of_world().rank(), timeout);
}
Processes::~Processes() {
  watch().reset();
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized) MPI_Finalize();
}

void Processes::fail(const std::string& message, void (*show)(const std::string&)) {
  const Ranks ranks = Ranks::of_world();
  if (ranks.size() == 1) return show(message);
  MPI_Request all_here = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &all_here);
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::seconds(10)) {
    int here = 0;
    MPI_Test(&all_here, &here, MPI_STATUS_IGNORE);
    if (here) {
      if (ranks.first()) show(message);
      MPI_Finalize();
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  show(message + " (on rank " + std::to_string(ranks.rank()) + ")");
  MPI_Abort(MPI_COMM_WORLD, 1);
}

}  // namespace channel
