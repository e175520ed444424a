#include <ermine/error.hpp>
#include <ermine/mpi.hpp>

#include "ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

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

void shift(const double* send, double* receive, int count, int to, int from) {
  check(MPI_Sendrecv(send, count, MPI_DOUBLE, to, 0, receive, count, MPI_DOUBLE, from, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE),
        "exchanging halos");
}

}  // namespace

Ranks Ranks::of_world() {
  Ranks ranks;
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

Processes::Processes() { MPI_Init(nullptr, nullptr); }
Processes::~Processes() { MPI_Finalize(); }
void Processes::abandon() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 1) MPI_Abort(MPI_COMM_WORLD, 1);
}

}  // namespace channel
