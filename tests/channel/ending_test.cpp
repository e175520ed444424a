#include "cli/run_tool.hpp"
#include "hdf5_file.hpp"
#include "terminal.hpp"

#include <chrono>
#include <thread>

/// How runs of the channel end: by signals, and with output that nobody takes.
namespace channel {
namespace {

namespace fs = std::filesystem;
using ermine::test::Finished, ermine::test::run_program, ermine::test::ScratchFolder,
    ermine::test::Surroundings;
using Words = std::vector<std::string>;

Words arguments(const fs::path& folder, const Words& overrides) {
  Words words{ERMINE_TOOL, (fs::path(ERMINE_CHANNEL_CASES) / "mini.toml").string(), "--backend",
              "cpu"};
  const Words always{"output.directory=" + folder.string(), "grid.cells=[8,6,10]", "time.steps=12",
                     "radiation.case.solver.rays_per_cell=16",
                     "radiation.case.solver.rays_per_wall_face=16"};
  for (const std::string& text : always) words.insert(words.end(), {"--set", text});
  for (const std::string& text : overrides) words.insert(words.end(), {"--set", text});
  return words;
}

double last_step(const ScratchFolder& folder) {
  return Hdf5Reader(folder / "mini.restart.h5").numbers("clock")[0];
}

/// A run without end in sight; it has a restart file as soon as it has done a step.
class EndlessRun {
 public:
  explicit EndlessRun(const ScratchFolder& folder, int ignored = 0, const Words& start = {}) {
    Words words = arguments(folder.path(), {"time.steps=100000000", "output.restart_every=1"});
    words.push_back("--quiet");
    words.insert(words.begin(), start.begin(), start.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const std::string log = folder / "log";
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(::open(log.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
      ::setenv("OMP_NUM_THREADS", "1", 1);
      if (ignored != 0) std::signal(ignored, SIG_IGN);
      ::alarm(900);
      ::execv(pointers[0], pointers.data());
      ::_exit(127);
    }
    while (!fs::exists(folder / "mini.restart.h5") && alive()) pause();
  }
  bool alive() const {
    siginfo_t ended{};  // to be waited for all the same
    return ::waitid(P_PID, static_cast<id_t>(child_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0;
  }
  /// Until it has done so many more, or has ended.
  void wait_for_steps(const ScratchFolder& folder, int count) const {
    const double before = last_step(folder);
    while (last_step(folder) < before + count && alive()) pause();
  }
  void send(int number) const { ::kill(child_, number); }
  /// Exit code; -1: it was killed.
  int wait() const {
    int status = 0;
    ::waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  static void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }

  pid_t child_;
};

/// What batch systems, closed sessions and limits send before they kill: the step is finished, and
/// the files are written.
TEST(ChannelEnds, BySignalsWithItsFilesWritten) {
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGXCPU}) {
    const ScratchFolder folder;
    const EndlessRun run(folder);
    run.send(number);
    EXPECT_EQ(run.wait(), 128 + number);
    const std::string log = ermine::test::contents_of(folder / "log");
    EXPECT_NE(log.find("stopped by signal " + std::to_string(number)), std::string::npos) << log;
    EXPECT_GT(last_step(folder), 0);
  }
}

/// As nohup starts it.
TEST(ChannelEnds, NotByASignalThatIsIgnored) {
  const ScratchFolder folder;
  const EndlessRun run(folder, SIGHUP);
  run.send(SIGHUP);
  run.wait_for_steps(folder, 3);
  EXPECT_TRUE(run.alive());
  run.send(SIGTERM);
  EXPECT_EQ(run.wait(), 128 + SIGTERM);
}

#ifdef ERMINE_MPIEXEC
/// Whichever of them is told.
TEST(ChannelEnds, WithTheCodeOfTheSignalOnSeveralProcesses) {
  const ScratchFolder folder;
  const Words start{ERMINE_MPIEXEC,        "--oversubscribe", "-n", "2", "/bin/sh", "-c", R"(
      name=$(mktemp "$0/pid.XXXXXX") && echo $$ >"$name" && mv "$name" "$name.known" && exec "$@")",
                    folder.path().string()};
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  ::setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
  const EndlessRun run(folder, 0, start);
  std::vector<int> processes;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    if (entry.path().extension() == ".known") {
      processes.push_back(std::stoi(ermine::test::contents_of(entry.path())));
    }
  }
  ASSERT_EQ(processes.size(), 2u) << ermine::test::contents_of(folder / "log");
  ::kill(processes[1], SIGHUP);
  EXPECT_EQ(run.wait(), 128 + SIGHUP);
  const std::string log = ermine::test::contents_of(folder / "log");
  EXPECT_NE(log.find("stopped by signal " + std::to_string(SIGHUP)), std::string::npos) << log;
}
#endif

TEST(ChannelEnds, WhoeverReadsItsProgress) {
  for (const Surroundings& around :
       {Surroundings{.standard_error = "/dev/full"}, Surroundings{.closed = {STDERR_FILENO}},
        Surroundings{.closed = {STDIN_FILENO, STDERR_FILENO}}}) {
    const ScratchFolder folder;
    const Finished done = run_program(arguments(folder.path(), {}), around);
    EXPECT_EQ(done.exit_code, 0) << done.signal;
    EXPECT_NE(done.out.find("Nusselt"), std::string::npos) << done.out;
    EXPECT_EQ(last_step(folder), 12);
    EXPECT_TRUE(fs::exists(folder / "mini.statistics.h5"));
  }
}

/// Fields that cannot be written are a failure, and nothing else is lost.
TEST(ChannelEnds, WithItsRestartFileIfAnotherCannotBeWritten) {
  const ScratchFolder folder;
  fs::create_directory(folder / "mini.fields.00000004.h5");
  const Finished done = run_program(arguments(folder.path(), {"output.fields_every=4"}), {});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_NE(done.err.find("mini.fields.00000004.h5"), std::string::npos) << done.err;
  EXPECT_EQ(last_step(folder), 4);
}

/// Results that cannot be printed are a failure, after the run.
TEST(ChannelEnds, WithoutSuccessIfItsResultsCannotBePrinted) {
  for (const Words& how : std::vector<Words>{{}, {"--json"}, {"--bench"}}) {
    const bool bench = how == Words{"--bench"};
    for (const Surroundings& around :
         {Surroundings{.standard_output = "/dev/full"}, Surroundings{.closed = {STDOUT_FILENO}}}) {
      if (bench && around.standard_output.empty()) continue;  // it takes long enough once
      const ScratchFolder folder;
      Words words = arguments(folder.path(), {});
      words.insert(words.end(), how.begin(), how.end());
      const Finished done = run_program(words, around);
      EXPECT_EQ(done.exit_code, 1) << done.err;
      EXPECT_NE(done.err.find("ermine-channel: error: cannot write to standard output"),
                std::string::npos)
          << done.err;
      if (!bench) {
        EXPECT_EQ(last_step(folder), 12);
      }
    }
  }
  const ScratchFolder folder;
  const Finished done = run_program(arguments(folder.path(), {}), {.reader_left = true});
  EXPECT_EQ(done.exit_code, 128 + SIGPIPE) << done.err;
  EXPECT_EQ(last_step(folder), 12);
}

/// A file that is opened while standard streams are closed must not become one of them.
TEST(StandardStreams, KeepTheirNumbersWhenClosed) {
  const ScratchFolder folder;
  const std::string file = folder / "data";
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int descriptor : {0, 1, 2}) ::close(descriptor);
    ermine::terminal::guard();
    const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT, 0600);
    const bool refused = ::write(STDOUT_FILENO, "?", 1) < 0 && ::write(STDERR_FILENO, "?", 1) < 0;
    ::_exit(opened > 2 && refused ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(ermine::test::contents_of(file), "");
}

TEST(ChannelEnds, BeforeItBeginsIfItsFolderTakesNoFiles) {
  const ScratchFolder folder;
  ermine::test::write_file(folder / "file", "");
  fs::create_directories(folder / "taken" / "mini.restart.h5");
  const auto refused = [](const fs::path& output, const std::string& why) {
    const Finished done = run_program(arguments(output, {"time.steps=100000000"}));
    EXPECT_EQ(done.exit_code, 1) << done.err;
    EXPECT_EQ(done.err.rfind("ermine-channel: error: ", 0), 0u) << done.err;
    EXPECT_NE(done.err.find(why), std::string::npos) << done.err;
  };
  refused("/proc/self", "cannot write to output folder");  // not even by root
  refused("/proc/none/here", "cannot create output folder");
  refused(folder / "file", "cannot create output folder");
  refused(folder / "file" / "below", "cannot create output folder");
  refused(folder / "taken", "a folder of that name is in the way");
}

}  // namespace
}  // namespace channel
