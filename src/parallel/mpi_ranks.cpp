#include "parallel/mpi_ranks.hpp"

#include <ermine/communicator.hpp>

#include "parallel/patience.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <deque>
#include <mpi.h>
#include <thread>

namespace ermine {
namespace {

void check_mpi(int status, const char* doing) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  fail("MPI failed {}: {}", doing, std::string(text, static_cast<std::size_t>(length)));
}

/// Ranks that wait say so under this tag, with the number of their call.
constexpr int tag_of_presence = 1;
/// Those that hear it answer; all are heard within this time [s].
constexpr double answered_after = 1.0;

/// Between two looks at a request: processors are free for others, the longer the more.
void pause_after(double seconds) {
  using namespace std::chrono_literals;
  if (seconds < 0.001) {
    std::this_thread::yield();
  } else if (seconds < 0.05) {
    std::this_thread::sleep_for(50us);
  } else {
    std::this_thread::sleep_for(seconds < 1 ? 1ms : 10ms);
  }
}

/// Until a request is done; false: look(seconds) has said that it is enough.
template <class Look>
bool wait_for(MPI_Request& request, const char* doing, const Look& look) {
  constexpr int soon = 1000;  // looks after which others are late
  const auto start = std::chrono::steady_clock::now();
  for (int looks = 0;; ++looks) {
    int done = 0;
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), doing);
    if (done) return true;
    if (looks < soon) continue;
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!look(seconds)) return false;
    pause_after(seconds);
  }
}

/// "rank 1", "ranks 1, 2 and others"
std::string named_ranks(const std::vector<int>& ranks) {
  constexpr std::size_t most = 8;
  const bool cut = ranks.size() > most;
  return fmt::format("rank{} {}{}", ranks.size() == 1 ? "" : "s",
                     fmt::join(ranks.begin(), ranks.begin() + std::min(ranks.size(), most), ", "),
                     cut ? " and others" : "");
}

/// A duplicate of a communicator: messages of this library never meet those of others.
class MpiRanks : public Ranks {
 public:
  explicit MpiRanks(MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    auto room = std::make_unique<MPI_Comm>(MPI_COMM_NULL);
    check_mpi(MPI_Comm_idup(comm, room.get(), &request), "duplicating the communicator");
    const auto look = [&](double seconds) {
      return patience_.limit == 0 || seconds < patience_.limit;
    };
    if (!wait_for(request, "duplicating the communicator", look)) {
      (void)room.release();  // MPI may still write there
      fail(
          "not all processes of the communicator have given it to ermine within {:g} s "
          "(ERMINE_RANK_TIMEOUT), make this call on all of them",
          patience_.limit);
    }
    comm_ = *room;
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
    // A call that was given up is still under way there.
    if (!finalized && !given_up_) MPI_Comm_free(&comm_);
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
  void enter(const std::string& call) override {
    if (size_ == 1) return;
    ERMINE_REQUIRE(!given_up_, "a process did not come to an earlier call, start the run again");
    ++entered_;
    struct Buffers {
      std::array<std::uint64_t, 2> mine;
      std::array<std::uint64_t, 2> least;
    };
    const std::uint64_t digest = Digest().add(std::span<const char>(call)).value();
    auto buffers = std::make_unique<Buffers>(Buffers{{digest, ~digest}, {}});
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Iallreduce(buffers->mine.data(), buffers->least.data(), 2, MPI_UINT64_T, MPI_MIN,
                             comm_, &request),
              "waiting for the other processes");
    Meeting meeting(*this, call);
    if (!wait_for(request, "waiting for the other processes",
                  [&](double seconds) { return meeting.look(seconds); })) {
      (void)buffers.release();  // MPI may still write there
      given_up_ = true;
      fail("{} (ERMINE_RANK_TIMEOUT), make the same calls on all processes", meeting.report());
    }
    // The least and the largest digest.
    if (buffers->least[0] != ~buffers->least[1]) {
      require_same_call(ermine::gather(*this, std::span<const char>(call)));
    }
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
  /// Finds out who has come to a call and who has not, once that takes long.
  class Meeting {
   public:
    Meeting(MpiRanks& ranks, const std::string& call)
        : ranks_(ranks), call_(call), here_(static_cast<std::size_t>(ranks.size_), false) {
      here_[static_cast<std::size_t>(ranks.rank_)] = true;
    }

    /// False: time is up.
    bool look(double seconds) {
      if (seconds < 0.1) return true;
      seconds_ = seconds;
      const Patience& patience = ranks_.patience_;
      const bool heard = hear();
      if (!told_ && (heard || seconds > patience.warning)) {
        told_ = true;
        tell();
      }
      if (!warned_ && seconds > patience.warning + answered_after) {
        warned_ = true;
        warn();
      }
      return patience.limit == 0 || seconds < patience.limit + answered_after;
    }

    std::string report() const {
      const auto missing = with(false);
      return fmt::format("{} {} not called {} for {:.3g} s, in which {} wait{}",
                         named_ranks(missing), missing.size() == 1 ? "has" : "have", call_,
                         seconds_, named_ranks(with(true)), with(true).size() == 1 ? "s" : "");
    }

   private:
    std::vector<int> with(bool here) const {
      std::vector<int> found;
      for (int r = 0; r < ranks_.size_; ++r) {
        if (here_[static_cast<std::size_t>(r)] == here) found.push_back(r);
      }
      return found;
    }
    void tell() {
      ranks_.told_.push_back(ranks_.entered_);
      for (int r = 0; r < ranks_.size_; ++r) {
        if (r == ranks_.rank_) continue;
        MPI_Request request = MPI_REQUEST_NULL;
        check_mpi(MPI_Isend(&ranks_.told_.back(), 1, MPI_INT64_T, r, tag_of_presence, ranks_.comm_,
                            &request),
                  "telling others of a wait");
        MPI_Request_free(&request);
      }
    }
    /// Whether another rank waits in the same call. What is left of earlier ones is forgotten.
    bool hear() {
      bool heard = false;
      for (;;) {
        int there = 0;
        MPI_Status status;
        check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, tag_of_presence, ranks_.comm_, &there, &status),
                  "listening to others");
        if (!there) return heard;
        std::int64_t number = 0;
        check_mpi(MPI_Recv(&number, 1, MPI_INT64_T, status.MPI_SOURCE, tag_of_presence,
                           ranks_.comm_, MPI_STATUS_IGNORE),
                  "listening to others");
        if (number != ranks_.entered_) continue;
        here_[static_cast<std::size_t>(status.MPI_SOURCE)] = true;
        heard = true;
      }
    }
    /// By one of those who wait.
    void warn() const {
      if (with(true).front() != ranks_.rank_) return;
      const double limit = ranks_.patience_.limit;
      std::fprintf(
          stderr, "ermine: warning: %s; %s\n", report().c_str(),
          limit > 0
              ? fmt::format("an error follows after {:g} s (ERMINE_RANK_TIMEOUT)", limit).c_str()
              : "they wait for ever (ERMINE_RANK_TIMEOUT is 0)");
    }

    MpiRanks& ranks_;
    const std::string& call_;
    std::vector<bool> here_;  ///< by rank
    double seconds_ = 0.0;
    bool told_ = false;
    bool warned_ = false;
  };

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
  const Patience patience_ = Patience::from_environment();
  std::int64_t entered_ = 0;       ///< calls so far
  std::deque<std::int64_t> told_;  ///< numbers of those that took long; MPI may still read them
  bool given_up_ = false;
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
