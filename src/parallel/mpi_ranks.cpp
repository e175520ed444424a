#include "parallel/mpi_ranks.hpp"

#include <ermine/communicator.hpp>

#include <algorithm>
#include <mpi.h>

namespace ermine {
namespace {

void check_mpi(int status, const char* doing) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  fail("MPI failed {}: {}", doing, std::string(text, static_cast<std::size_t>(length)));
}

/// A duplicate of a communicator: messages of this library never meet those of others.
class MpiRanks : public Ranks {
 public:
  explicit MpiRanks(MPI_Comm comm) {
    check_mpi(MPI_Comm_dup(comm, &comm_), "duplicating the communicator");
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
    MPI_Comm machine = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine),
              "finding the processes of this machine");
    MPI_Comm_rank(machine, &local_rank_);
    first_of_machine_ = rank_;
    check_mpi(MPI_Bcast(&first_of_machine_, 1, MPI_INT, 0, machine),
              "finding the processes of this machine");
    MPI_Comm_free(&machine);
  }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;
  ~MpiRanks() override {
    int finalized = 0;  // the client may have ended MPI before it drops this
    MPI_Finalized(&finalized);
    if (!finalized) MPI_Comm_free(&comm_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return local_rank_; }
  int first_of_machine() const override { return first_of_machine_; }
  std::shared_ptr<Ranks> first(int count) override {
    MPI_Comm some = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split(comm_, rank_ < count ? 0 : MPI_UNDEFINED, rank_, &some),
              "splitting the communicator");
    if (some == MPI_COMM_NULL) return nullptr;
    auto ranks = std::make_shared<MpiRanks>(some);  // a duplicate
    MPI_Comm_free(&some);
    return ranks;
  }
  std::optional<int> mpi_handle() const override { return MPI_Comm_c2f(comm_); }
  std::int64_t bytes_sent() const override { return bytes_sent_; }

  Gathered gather(std::span<const std::byte> mine) override {
    const auto sizes = sizes_of_all(mine.size());
    Gathered all{{}, {0}};
    for (const std::int64_t size : sizes) {
      all.begin.push_back(all.begin.back() + static_cast<std::size_t>(size));
    }
    all.bytes.resize(all.begin.back());
    bytes_sent_ += static_cast<std::int64_t>(mine.size()) * (size_ - 1);
    if (static_cast<std::int64_t>(all.bytes.size()) > most_at_once) {
      gather_much(mine, all);
      return all;
    }
    const std::vector<int> counts(sizes.begin(), sizes.end());
    const std::vector<int> places(all.begin.begin(), all.begin.end() - 1);
    check_mpi(MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, all.bytes.data(),
                             counts.data(), places.data(), MPI_BYTE, comm_),
              "gathering");
    return all;
  }

  std::vector<Bytes> exchange(const std::vector<Bytes>& to) override {
    std::vector<std::int64_t> leaving;
    for (const Bytes& bytes : to) leaving.push_back(static_cast<std::int64_t>(bytes.size()));
    std::vector<std::int64_t> coming(leaving.size());
    check_mpi(MPI_Alltoall(leaving.data(), 1, MPI_INT64_T, coming.data(), 1, MPI_INT64_T, comm_),
              "exchanging sizes");
    for (std::size_t r = 0; r < to.size(); ++r) {
      if (static_cast<int>(r) != rank_) bytes_sent_ += leaving[r];
    }
    return exchange_known(to, coming);
  }

 private:
  /// Counts of MPI have 31 bits.
  static constexpr std::int64_t most_at_once = std::int64_t{1} << 30;

  std::vector<std::int64_t> sizes_of_all(std::size_t mine) {
    const auto own = static_cast<std::int64_t>(mine);
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(size_));
    check_mpi(MPI_Allgather(&own, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, comm_),
              "gathering sizes");
    return sizes;
  }

  /// From one rank after the other, in parts.
  void gather_much(std::span<const std::byte> mine, Gathered& all) {
    std::copy(mine.begin(), mine.end(),
              all.bytes.begin() +
                  static_cast<std::ptrdiff_t>(all.begin[static_cast<std::size_t>(rank_)]));
    for (int r = 0; r < size_; ++r) {
      const auto end = static_cast<std::int64_t>(all.begin[static_cast<std::size_t>(r) + 1]);
      for (auto at = static_cast<std::int64_t>(all.begin[static_cast<std::size_t>(r)]); at < end;
           at += most_at_once) {
        check_mpi(MPI_Bcast(all.bytes.data() + at,
                            static_cast<int>(std::min(most_at_once, end - at)), MPI_BYTE, r, comm_),
                  "gathering");
      }
    }
  }

  std::vector<Bytes> exchange_known(const std::vector<Bytes>& to,
                                    const std::vector<std::int64_t>& coming) {
    std::vector<Bytes> from(to.size());
    std::vector<MPI_Request> requests;
    const auto in_parts = [&](std::int64_t size, const auto& part) {
      for (std::int64_t at = 0; at < size; at += most_at_once) {
        requests.emplace_back();
        part(at, static_cast<int>(std::min(most_at_once, size - at)), &requests.back());
      }
    };
    for (std::size_t r = 0; r < to.size(); ++r) {
      const int other = static_cast<int>(r);
      if (other == rank_) {
        from[r] = to[r];
        continue;
      }
      from[r].resize(static_cast<std::size_t>(coming[r]));
      in_parts(coming[r], [&](std::int64_t at, int count, MPI_Request* request) {
        check_mpi(MPI_Irecv(from[r].data() + at, count, MPI_BYTE, other, 0, comm_, request),
                  "receiving");
      });
    }
    for (std::size_t r = 0; r < to.size(); ++r) {
      const int other = static_cast<int>(r);
      if (other == rank_) continue;
      in_parts(static_cast<std::int64_t>(to[r].size()),
               [&](std::int64_t at, int count, MPI_Request* request) {
                 check_mpi(MPI_Isend(to[r].data() + at, count, MPI_BYTE, other, 0, comm_, request),
                           "sending");
               });
    }
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
              "exchanging");
    return from;
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  int local_rank_ = 0;
  int first_of_machine_ = 0;
  std::int64_t bytes_sent_ = 0;
};

}  // namespace

bool built_with_mpi() { return true; }

std::shared_ptr<Ranks> mpi_ranks(int fortran_handle) {
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  ERMINE_REQUIRE(initialized && !finalized,
                 "an MPI communicator was given but MPI is {}, call MPI_Init before and "
                 "MPI_Finalize after ermine",
                 finalized ? "finalized" : "not initialised");
  const MPI_Comm comm = MPI_Comm_f2c(static_cast<MPI_Fint>(fortran_handle));
  ERMINE_REQUIRE(comm != MPI_COMM_NULL,
                 "the communicator is MPI_COMM_NULL, give one that this process belongs to");
  return std::make_shared<MpiRanks>(comm);
}

}  // namespace ermine
