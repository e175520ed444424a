// What must hold among processes of MPI; started by mpirun with any number of them, with the
// argument "cuda" on GPUs. Exits with 0 if it does. With the argument "skip" or "absent" the last
// process does not take part in a call: the others must fail, and say so.

#include <ermine/mpi.hpp>

#include "core/ranks.hpp"
#include "coupling/blocks.hpp"
#include "coupling/client_array.hpp"
#include "support/radiation.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

namespace ermine {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw Error(fmt::format("wrong: {}", what));
}

/// Messages of any size arrive where they belong.
void check_exchange(Ranks& ranks) {
  std::vector<Bytes> to;
  for (int r = 0; r < ranks.size(); ++r) {
    to.emplace_back(static_cast<std::size_t>(1000 * r + ranks.rank()),
                    static_cast<std::byte>(ranks.rank()));
  }
  const auto from = ranks.exchange(to);
  const auto all = gather(ranks, std::span<const std::byte>(to[0]));
  for (int r = 0; r < ranks.size(); ++r) {
    const auto i = static_cast<std::size_t>(r);
    require(from[i] ==
                Bytes(static_cast<std::size_t>(1000 * ranks.rank() + r), static_cast<std::byte>(r)),
            "exchange");
    require(Bytes(all[i].begin(), all[i].end()) == Bytes(i, static_cast<std::byte>(r)), "gather");
  }
}

/// Any number of processes finds what one finds.
void check_solution(const Communicator& world, Backend backend) {
  CoupledCase problem = test::coupled_case({.interval = 2, .lag = 1});
  problem.options.backend = backend;
  const Grid& grid = *problem.grid;
  Radiation alone(problem);
  Radiation shared(problem, world);
  const Box own = cells_of(shared.block());
  for (int step = 0; step < 5; ++step) {
    const auto temperature = test::flowing(grid, 0.1 * step);
    alone.advance(temperature.data());
    shared.advance(part_of(temperature, all_cells(grid), own).data());
    require(test::values_of(shared, Quantity::source) ==
                part_of(test::values_of(alone, Quantity::source), all_cells(grid), own),
            "Q differs from that of one process");
  }
}

/// What goes wrong on the last is thrown by all.
void check_failure(const Communicator& world) {
  const CoupledCase problem = test::coupled_case();
  Radiation radiation(problem, world);
  auto own = part_of(test::flowing(*problem.grid, 0), all_cells(*problem.grid),
                     cells_of(radiation.block()));
  if (world.rank() + 1 == world.size()) own.front() = -1;
  try {
    radiation.submit(own.data());
  } catch (const Error&) {
    return;
  }
  throw Error("wrong: a negative temperature was not refused by all");
}

/// The last process goes its own way, without end.
void leave_out(const Communicator& world) {
  if (world.rank() + 1 < world.size()) return;
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

/// Throws on all processes but the last.
void skip_a_call(const Communicator& world) {
  const CoupledCase problem = test::coupled_case({.lag = 0});
  Radiation radiation(problem, world);
  const auto own = part_of(test::flowing(*problem.grid, 0), all_cells(*problem.grid),
                           cells_of(radiation.block()));
  radiation.advance(own.data());
  leave_out(world);
  radiation.advance(own.data());
}

}  // namespace
}  // namespace ermine

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  try {
    const std::string how = argc > 1 ? argv[1] : "";
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (how == "absent" && rank + 1 == size) std::this_thread::sleep_for(std::chrono::hours(1));
    const ermine::Communicator world = ermine::communicator(MPI_COMM_WORLD);
    if (how == "skip") ermine::skip_a_call(world);
    ermine::check_exchange(*world.ranks());
    ermine::check_solution(world, how == "cuda" ? ermine::Backend::cuda : ermine::Backend::cpu);
    ermine::check_failure(world);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    failed = 1;
  }
  if (failed) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  return failed;
}
