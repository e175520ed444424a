#include "processes.hpp"

#include <ermine/error.hpp>

#include <cstdlib>
#include <optional>

#ifdef ERMINE_HAS_MPI
#include <ermine/mpi.hpp>

#include <chrono>
#include <thread>
#endif

namespace ermine::cli {
namespace {

std::optional<Communicator>& of_this_program() {
  static std::optional<Communicator> communicator;
  return communicator;
}

/// Initialising MPI takes a moment, and fails in places where nobody wants it: only if asked for.
/// What Open MPI, MPICH and Slurm tell the processes they start.
int started_processes() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    if (const char* size = std::getenv(name)) return std::atoi(size);
  }
  return 1;
}

}  // namespace

const Communicator& Processes::communicator() {
  if (!of_this_program()) of_this_program().emplace();
  return *of_this_program();
}

void Processes::require_same(const char* verb, const Fingerprint& problem) {
  Ranks& ranks = *communicator().ranks();
  ranks.enter(verb);
  ermine::require_same(ranks, problem);
}

#ifdef ERMINE_HAS_MPI

Processes::Processes() {
  if (started_processes() <= 1) return;
  MPI_Init(nullptr, nullptr);
  of_this_program() = ermine::communicator(MPI_COMM_WORLD);
}

Processes::~Processes() {
  of_this_program().reset();
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized) MPI_Finalize();
}

bool Processes::all_fail(const std::string& message, void (*show)(const std::string&)) {
  if (communicator().size() == 1) return false;
  MPI_Request all_here = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &all_here);
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::seconds(10)) {
    int here = 0;
    MPI_Test(&all_here, &here, MPI_STATUS_IGNORE);
    if (here) return !first();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  show(message + " (on rank " + std::to_string(communicator().rank()) + ")");
  MPI_Abort(MPI_COMM_WORLD, 1);
  return true;
}

#else

Processes::Processes() {
  if (started_processes() <= 1) return;
  throw Error(
      "started as one of several processes, but this build of ermine has no MPI (each would do all "
      "the work), install MPI and build it again, or start it by itself");
}

Processes::~Processes() = default;

bool Processes::all_fail(const std::string&, void (*)(const std::string&)) { return false; }

#endif

}  // namespace ermine::cli
