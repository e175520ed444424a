#include <ermine/output.hpp>

#include "core/check.hpp"
#include "core/fp_guard.hpp"
#include "core/ranks.hpp"
#include "core/thread_count.hpp"
#include "files/parallel_hdf5.hpp"
#include "io/write_fields.hpp"
#include "transport/accuracy/check_result.hpp"

#include <system_error>

namespace ermine {
namespace {

namespace fs = std::filesystem;

constexpr Seal result_seal{"result", 1, "run the case anew"};

enum class FileKind { hdf5, xdmf, vtr, profile };

struct PlannedFile {
  FileKind kind;
  fs::path path;
  std::size_t axis = 0;  ///< of a profile
};

std::vector<PlannedFile> planned_files(const Case& problem) {
  const OutputOptions& output = problem.output;
  const auto named = [&](const std::string& suffix) {
    return output.directory / (output.name + suffix);
  };
  std::vector<PlannedFile> files;
  if (output.hdf5) {
    files.push_back({FileKind::hdf5, named(".h5")});
    files.push_back({FileKind::xdmf, named(".xdmf")});
  }
  if (output.vtr) files.push_back({FileKind::vtr, named(".vtr")});
  if (output.csv) {
    for (const std::size_t axis : profile_axes(problem.grid)) {
      files.push_back({FileKind::profile, named(fmt::format("_{}.csv", "xyz"[axis])), axis});
    }
  }
  return files;
}

std::vector<PendingFile> written_files(const Case& problem, const Result& result,
                                       const std::vector<PlannedFile>& plan,
                                       const std::vector<fs::path>& paths, FieldWriters writers) {
  std::vector<PendingFile> pending;
  for (const PlannedFile& file : plan) {
    PendingFile& out = pending.emplace_back(file.path);
    switch (file.kind) {
      case FileKind::hdf5:
        write_hdf5(problem, result, report_json(problem, result, paths), out, writers);
        break;
      case FileKind::xdmf:
        out.write(xdmf_text(problem, result, problem.output.name + ".h5"));
        break;
      case FileKind::vtr:
        write_vtr(problem, result, out);
        break;
      case FileKind::profile:
        out.write(csv_text(problem, result, file.axis));
        break;
    }
  }
  return pending;
}

}  // namespace

double output_bytes(const Case& problem) {
  const FloatingPointGuard guard;
  constexpr double rest = 1e5;  // attributes, reports
  // Of a profile as text.
  const double bytes_of_row =
      100 + 18 * static_cast<double>(named_composition(problem).fields.size());
  double rows = 0.0;
  for (const PlannedFile& file : planned_files(problem)) {
    if (file.kind == FileKind::profile) rows += static_cast<double>(problem.grid.cells(file.axis));
  }
  const double fields = static_cast<double>(sizeof(double)) *
                        static_cast<double>(5 + named_composition(problem).fields.size()) *
                        static_cast<double>(problem.grid.cell_count());
  const auto hdf5 = static_cast<double>(hdf5_bytes(problem, FieldWriters::first_rank));
  return (problem.output.hdf5 ? hdf5 : 0.0) + (problem.output.vtr ? fields : 0.0) +
         bytes_of_row * rows + rest;
}

double output_memory(const Case& problem) {
  const FloatingPointGuard guard;
  const double result = 32 * static_cast<double>(problem.grid.cell_count());
  if (!problem.output.hdf5) return result;
  // A file is put together in memory, then taken out as a whole.
  constexpr double library = 5e6;  // of HDF5, once it works
  const auto file = static_cast<double>(hdf5_bytes(problem, FieldWriters::first_rank));
  return result + 2 * file + library;
}

FileLock prepare_output(const Case& problem) {
  const FloatingPointGuard guard;
  const fs::path& folder = problem.output.directory;
  std::error_code error;
  fs::create_directories(folder, error);
  std::error_code no_status;
  ERMINE_REQUIRE(fs::is_directory(folder, no_status),
                 "cannot create output folder {} ({}), choose another with output.directory",
                 folder.string(), error ? error.message() : "a file is in the way");
  for (const PlannedFile& file : planned_files(problem)) {
    try {
      require_replaceable(file.path);
    } catch (const Error& refusal) {
      fail("{}, or another output.name", refusal.what());
    }
  }
  FileLock lock = FileLock::of_run(folder / problem.output.name);
  remove_left_over(folder / problem.output.name);
  for (const PlannedFile& file : planned_files(problem)) PendingFile{file.path};
  const fs::space_info space = fs::space(folder, error);
  ERMINE_REQUIRE(error || static_cast<double>(space.available) >= output_bytes(problem),
                 "not enough disk space in {} ({:.3g} MB free, {:.3g} MB needed), free some or "
                 "choose another output.directory",
                 folder.string(), static_cast<double>(space.available) / 1e6,
                 output_bytes(problem) / 1e6);
  return lock;
}

std::vector<fs::path> write_output(const Case& problem, const Result& result,
                                   const Communicator& communicator) {
  const FloatingPointGuard guard;
  Ranks& ranks = *communicator.ranks();
  ranks.enter("write_output");
  check_result(problem.grid, result, thread_count(problem.options.threads));
  const std::vector<PlannedFile> plan = planned_files(problem);
  std::vector<fs::path> paths;
  for (const PlannedFile& file : plan) paths.push_back(file.path);
  const FieldWriters writers =
      ranks.mpi_handle() && parallel_hdf5() ? FieldWriters::all_ranks : FieldWriters::first_rank;
  std::vector<PendingFile> pending;
  together(ranks, [&] {
    if (ranks.rank() == 0) pending = written_files(problem, result, plan, paths, writers);
  });
  if (writers == FieldWriters::all_ranks && problem.output.hdf5) {
    const std::string shared = pending.empty() ? "" : pending.front().temporary().string();
    const auto names = gather(ranks, std::span<const char>(shared.data(), shared.size()));
    write_fields(problem, result, std::string(names[0].begin(), names[0].end()), ranks);
  }
  together(ranks, [&] {
    if (ranks.rank() == 0 && problem.output.hdf5) write_seal(pending.front(), result_seal);
    for (PendingFile& file : pending) file.commit();
  });
  return paths;
}

}  // namespace ermine
