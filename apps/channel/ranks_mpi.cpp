#include <ermine/error.hpp>
#include <ermine/mpi.hpp>

#include "ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
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

void shift(const double* send, double* receive, int count, int to, int from) {
  check(MPI_Sendrecv(send, count, MPI_DOUBLE, to, 0, receive, count, MPI_DOUBLE, from, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE),
        "exchanging halos");
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
  check(MPI_Allgatherv(part, counts[rank_], MPI_DOUBLE, all, counts.data(), starts(counts).data(),
                       MPI_DOUBLE, MPI_COMM_WORLD),
        "gathering rows");
}
void Ranks::gather(const double* part, const std::vector<int>& counts, double* all) const {
  if (size_ == 1) {
    std::copy_n(part, counts[0], all);
    return;
  }
  check(MPI_Gatherv(part, counts[rank_], MPI_DOUBLE, all, counts.data(), starts(counts).data(),
                    MPI_DOUBLE, 0, MPI_COMM_WORLD),
        "gathering a plane");
}

void Ranks::exchange(const double* send, const std::vector<int>& send_counts, double* receive,
                     const std::vector<int>& receive_counts) const {
  check(MPI_Alltoallv(send, send_counts.data(), starts(send_counts).data(), MPI_DOUBLE, receive,
                      receive_counts.data(), starts(receive_counts).data(), MPI_DOUBLE,
                      MPI_COMM_WORLD),
        "transposing the pressure");
}

void Ranks::sum(std::vector<double>& values) const {
  if (size_ == 1) return;
  check(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                      MPI_SUM, MPI_COMM_WORLD),
        "adding up");
}
double Ranks::largest(double value) const {
  if (size_ == 1) return value;
  check(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD), "comparing");
  return value;
}
void Ranks::wait() const {
  if (size_ > 1) MPI_Barrier(MPI_COMM_WORLD);
}

void Ranks::agree(const std::string& error) const {
  if (size_ == 1) {
    if (!error.empty()) throw ermine::Error(error);
    return;
  }
  int failed = error.empty() ? size_ : rank_;
  check(MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD), "comparing");
  if (failed == size_) return;
  std::string message = error;
  auto length = static_cast<int>(message.size());
  MPI_Bcast(&length, 1, MPI_INT, failed, MPI_COMM_WORLD);
  message.resize(static_cast<std::size_t>(length));
  MPI_Bcast(message.data(), length, MPI_CHAR, failed, MPI_COMM_WORLD);
  throw ermine::Error(message);
}

ermine::Communicator Ranks::communicator() const {
  return size_ > 1 ? ermine::communicator(MPI_COMM_WORLD) : ermine::Communicator();
}

Processes::Processes() {
  if (started_processes() <= 1) return;
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
}
Processes::~Processes() {
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
  while (std::chrono::steady_clock::now() - start < std::chrono::seconds(2)) {
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
