#include "cli/run_tool.hpp"
#include "hdf5_file.hpp"
#include "sums.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <sys/stat.h>
#include <thread>

/// The channel as users run it: small cases, broken input, runs that end halfway.
namespace channel {
namespace {

namespace fs = std::filesystem;
using ermine::test::Finished, ermine::test::run_program, ermine::test::ScratchFolder,
    ermine::test::Surroundings;
using Words = std::vector<std::string>;

const std::string mini = (fs::path(ERMINE_CHANNEL_CASES) / "mini.toml").string();

/// Arguments of the mini channel into a folder of the test, with these overrides.
Words arguments(const ScratchFolder& folder, const Words& overrides, const Words& more = {}) {
  Words words{ERMINE_TOOL, mini, "--quiet", "--backend", "cpu"};
  words.insert(words.end(), {"--set", "output.directory=" + folder.path().string()});
  for (const std::string& text : overrides) words.insert(words.end(), {"--set", text});
  words.insert(words.end(), more.begin(), more.end());
  return words;
}
Finished run(const ScratchFolder& folder, const Words& overrides, const Words& more = {},
             const Surroundings& around = {}) {
  return run_program(arguments(folder, overrides, more), around);
}

const Words tiny{"grid.cells=[8,6,10]", "time.steps=12", "radiation.case.solver.rays_per_cell=16",
                 "radiation.case.solver.rays_per_wall_face=16"};
Words tiny_with(const Words& more) {
  Words all = tiny;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

void expect_refused(const Finished& run, const Words& parts) {
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_EQ(run.err.rfind("ermine-channel: error: ", 0), 0u) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  for (const std::string& part : parts) {
    EXPECT_NE(run.err.find(part), std::string::npos) << part << " is not in " << run.err;
  }
}

/// What a run goes on from, bit for bit; the state of the radiation knows times of the clock.
void expect_same_state(const fs::path& one, const fs::path& other) {
  const Hdf5Reader a(one), b(other);
  for (const char* name : {"clock", "walls", "origin", "sums/samples", "sums/flow",
                           "sums/radiation", "sums/spectra", "fields/u", "fields/v", "fields/w",
                           "fields/temperature", "radiation/count", "radiation/temperature_0"}) {
    EXPECT_EQ(a.numbers(name), b.numbers(name)) << name;
  }
}

/// Heat of the gas to round-off, energy of the radiation within its error bars.
TEST(ChannelApp, MiniChannelClosesItsBooks) {
  const ScratchFolder folder;
  const Finished done = run(folder, {}, {"--json"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const auto json = nlohmann::json::parse(done.out);
  const auto& heat = json["heat"];
  EXPECT_GT(std::abs(heat["radiated"].get<double>()), 0.1);
  EXPECT_LT(std::abs(heat["residual"].get<double>()), 1e-9);
  const auto& ledger = json["radiation"]["ledger"];
  const double error = std::hypot(ledger["gas_standard_error"].get<double>(),
                                  ledger["walls_standard_error"].get<double>());
  const double gas = ledger["gas"], walls = ledger["walls"];
  EXPECT_LT(std::abs(gas + walls), 4 * error) << gas << " " << walls;
  EXPECT_GT(std::abs(gas), 20 * error) << "the error bars say nothing";
  EXPECT_LT(json["largest_divergence"].get<double>(), 1e-12);
}

/// Tables nested so deeply would overflow the stack, of the file as well as of an override.
TEST(ChannelApp, RefusesKeysOfManyParts) {
  const ScratchFolder folder;
  std::string key = "a";
  for (int part = 0; part < 200'000; ++part) key += ".a";
  ermine::test::write_file(folder.path() / "deep.toml", "\n" + key + " = 1\n");
  expect_refused(run_program({ERMINE_TOOL, (folder.path() / "deep.toml").string()}),
                 {"deep.toml:2: key of more than 64 parts"});
  expect_refused(run(folder, {key.substr(0, 100'000) + "=1"}), {"--set a.a", "more than 64 parts"});
}

TEST(ChannelApp, HeatBalanceClosesWithImplicitEmission) {
  const ScratchFolder folder;
  const Finished done =
      run(folder, tiny_with({"radiation.emission=implicit", "radiation.capacity=200"}), {"--json"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const auto heat = nlohmann::json::parse(done.out)["heat"];
  EXPECT_GT(std::abs(heat["radiated"].get<double>()), 0.1);
  EXPECT_LT(std::abs(heat["residual"].get<double>()), 1e-9);
}

TEST(ChannelApp, StatisticsAddUp) {
  const ScratchFolder folder;
  ASSERT_EQ(run(folder, tiny_with({"output.statistics_every=12"})).exit_code, 0);
  const Hdf5Reader file(folder / "mini.statistics.h5");
  const auto x = file.numbers("x");
  const double at = file.numbers("spectra/plane_0/x")[0];
  const auto i = static_cast<std::size_t>(std::find(x.begin(), x.end(), at) - x.begin());
  ASSERT_LT(i, x.size());
  // Parseval: all modes together are the mean square.
  for (const std::string name : {"w", "temperature"}) {
    const double mean = file.numbers("mean/" + name)[i], rms = file.numbers("rms/" + name)[i];
    for (const std::string axis : {"y", "z"}) {
      const auto power = file.numbers("spectra/plane_0/along_" + axis + "/" + name);
      const double sum = std::accumulate(power.begin(), power.end(), 0.0);
      EXPECT_NEAR(sum / (mean * mean + rms * rms), 1.0, 1e-9) << name << axis;
    }
  }
  // The gas is grey.
  for (const double k : file.numbers("radiation/mean/absorption_coefficient")) {
    EXPECT_NEAR(k, 2.0, 2e-5);
  }
  const auto emission = file.numbers("radiation/mean/emission");
  const auto absorption = file.numbers("radiation/mean/absorption");
  const auto source = file.numbers("radiation/mean/source");
  const auto ratio = file.numbers("radiation/mean/absorption_over_planck_mean");
  for (std::size_t n = 0; n < x.size(); ++n) {
    EXPECT_NEAR(source[n], emission[n] - absorption[n], 1e-5 * emission[n]);
    EXPECT_NEAR(ratio[n], absorption[n] / 2.0, 1e-4 * absorption[n]);
  }
}

TEST(ChannelApp, RestartEqualsNoRestart) {
  for (const std::string emission : {"explicit", "implicit"}) {
    const ScratchFolder whole, parts;
    const std::string how = "radiation.emission=" + emission;
    ASSERT_EQ(run(whole, tiny_with({how})).exit_code, 0);
    ASSERT_EQ(run(parts, tiny_with({how, "time.steps=7"})).exit_code, 0);
    const Finished rest =
        run(parts, tiny_with({how}), {"--restart", (parts / "mini.restart.h5").string()});
    ASSERT_EQ(rest.exit_code, 0) << rest.err;
    expect_same_state(whole / "mini.restart.h5", parts / "mini.restart.h5");
  }
}

#ifdef ERMINE_MPIEXEC
TEST(ChannelApp, ProcessesAgree) {
  const ScratchFolder one;
  ASSERT_EQ(run(one, tiny).exit_code, 0);
  const Hdf5Reader a(one / "mini.restart.h5");
  for (const char* processes : {"2", "4"}) {
    const ScratchFolder several;
    Words words = arguments(several, tiny);
    words.insert(words.begin(), {ERMINE_MPIEXEC, "-n", processes});
    const Finished done =
        run_program(words, {.environment = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                            {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                                            {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                                            {"OMP_NUM_THREADS", "1"}}});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const Hdf5Reader b(several / "mini.restart.h5");
    for (const char* name : {"u", "v", "w", "temperature"}) {
      const auto x = a.numbers(fmt::format("fields/{}", name));
      const auto y = b.numbers(fmt::format("fields/{}", name));
      ASSERT_EQ(x.size(), y.size());
      double difference = 0, size = 0;
      for (std::size_t n = 0; n < x.size(); ++n) {
        difference = std::max(difference, std::abs(x[n] - y[n]));
        size = std::max(size, std::abs(x[n]));
      }
      EXPECT_LT(difference, 1e-12 * size) << name << " of " << processes;
    }
  }
}
#endif

TEST(ChannelApp, BadInputIsExplained) {
  const ScratchFolder folder;
  const auto refused = [&](const std::string& change, const Words& parts) {
    expect_refused(run(folder, {change}), parts);
  };
  refused("grid.cells=[8,8]", {"--set grid.cells", "2 numbers, give 3"});
  refused("grid.cells=[1,8,8]", {"grid.cells", "2 cells or more"});
  refused("grid.cels=[8,8,8]", {"--set grid.cels", "no such key", "stretching"});
  refused("flow.reynolds=-1", {"flow.reynolds", "out of range"});
  refused("flow.start=sideways", {"flow.start", "sideways", "turbulent"});
  refused("time.courant=5", {"time.courant", "out of range"});
  refused("temperature.walls=[955]", {"temperature.walls", "give 2"});
  refused("output.planes=[3.0]", {"output.planes", "3", "within the channel"});
  refused("radiation.planck=0.1", {"radiation.capacity", "planck"});
  refused("radiation.case.medium.gas=Xe", {"mini.toml", "medium"});
  refused("nonsense", {"--set nonsense", "KEY=VALUE"});
  refused("foo.bar=1", {"--set foo.bar", "no such key"});
  refused("flow.start=rest", {"flow.start", "pressure_gradient"});
  refused("output.planes=[]", {"output.planes", "slices"});
  expect_refused(run_program({ERMINE_TOOL, folder.path().string()}), {"cannot be read"});
  const auto broken = folder / "broken.toml";
  ermine::test::write_file(broken, "[grid]\ncells = [8, 8, 8]\n[flow]\nreynolds = \"fast\"\n");
  expect_refused(run_program({ERMINE_TOOL, broken.string()}),
                 {"broken.toml:4: flow.reynolds: must be a number"});
  ermine::test::write_file(broken, "[grid\n");
  expect_refused(run_program({ERMINE_TOOL, broken.string()}), {"broken.toml:1: "});
  expect_refused(run_program({ERMINE_TOOL, (folder / "none.toml").string()}),
                 {"none.toml", "cannot be read"});
  expect_refused(run(folder, tiny, {"--restart", mini}), {"mini.toml", "restart file"});
}

TEST(ChannelApp, RestartIsOfTheSameChannel) {
  const ScratchFolder folder;
  const auto file = (folder / "mini.restart.h5").string();
  ASSERT_EQ(run(folder, tiny).exit_code, 0);
  const auto again = [&](const Words& changes) {
    return run(folder, tiny_with(changes), {"--restart", file});
  };
  expect_refused(again({}), {"step 12", "later time.until or time.steps"});
  expect_refused(again({"time.steps=14", "grid.stretching=0.5"}), {"stretching"});
  expect_refused(again({"time.steps=14", "grid.cells=[8,10,6]"}), {"8 x 6 x 10", "8 x 10 x 6"});
  const Finished other =
      again({"time.steps=14", "flow.reynolds=50", "output.statistics_every=1", "time.step=0.001"});
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_NE(other.err.find("averages begin anew"), std::string::npos) << other.err;
  const Hdf5Reader state(file);
  EXPECT_EQ(state.numbers("sums/samples")[0], 2);
  EXPECT_NEAR(state.numbers("clock")[1], 12 * 0.02 + 2 * 0.001, 1e-12);
}

TEST(ChannelApp, WhatIsNotFiniteStopsTheRun) {
  const ScratchFolder folder;
  const Finished done =
      run(folder, tiny_with({"time.step=20", "time.steps=400", "time.every=1",
                             "radiation.capacity=1e12", "radiation.case.coupling.interval=1000"}));
  expect_refused(done, {"step ", " in cell (", "smaller time.step"});
  // The radiation may be the first to see it.
  expect_refused(run(folder, tiny_with({"time.step=20", "time.steps=400", "time.every=1000"})),
                 {"step ", " in cell (", "smaller time.step"});
  EXPECT_FALSE(fs::exists(folder / "mini.restart.h5"));
}

/// However long the run had, what lies there afterwards is a whole file to go on from.
TEST(ChannelApp, KilledRunsLeaveTheirRestartFile) {
  const ScratchFolder folder;
  const Words often = tiny_with({"output.restart_every=1", "time.steps=100000"});
  Words words = arguments(folder, often);
  for (int milliseconds = 350; milliseconds < 520; milliseconds += 40) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      ::setenv("OMP_NUM_THREADS", "1", 1);
      ::execv(pointers[0], pointers.data());
      ::_exit(127);
    }
    for (int waits = 0; waits < 12'000 && !fs::exists(folder / "mini.restart.h5"); ++waits) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds % 97));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ASSERT_TRUE(fs::exists(folder / "mini.restart.h5"));
    const Hdf5Reader file(folder / "mini.restart.h5");
    const int step = static_cast<int>(file.numbers("clock")[0]);
    EXPECT_GT(step, 0);
    const Finished rest = run(folder, tiny_with({fmt::format("time.steps={}", step + 1)}),
                              {"--restart", (folder / "mini.restart.h5").string()});
    EXPECT_EQ(rest.exit_code, 0) << rest.err;
  }
}

TEST(ChannelApp, FullDiskIsReported) {
  const ScratchFolder folder;
  ASSERT_EQ(run(folder, tiny_with({"time.steps=4"})).exit_code, 0);
  const std::string before = ermine::test::contents_of(folder / "mini.restart.h5");
  for (const rlim_t bytes : {2000, 20000}) {
    const Finished done = run(folder, tiny_with({"output.slices_every=0", "output.fields_every=0"}),
                              {}, {.file_size = bytes});
    expect_refused(done, {"mini.", "failed", "free space"});
    EXPECT_EQ(ermine::test::contents_of(folder / "mini.restart.h5"), before);
  }
}

/// HDF5 takes most of these for good.
TEST(ChannelApp, DamagedRestartFilesAreRefused) {
  const ScratchFolder folder;
  const auto file = folder / "mini.restart.h5";
  ASSERT_EQ(run(folder, tiny).exit_code, 0);
  const std::string good = ermine::test::contents_of(file);
  const auto again = [&] {
    return run(folder, tiny_with({"time.steps=13"}), {"--restart", file.string()});
  };
  for (std::size_t n = 1; n < 6; ++n) {
    std::string damaged = good;
    const std::size_t at = n * 104729 % good.size();
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << n));
    ermine::test::write_file(file, damaged);
    expect_refused(again(), {"mini.restart.h5", "damaged"});
  }
  ermine::test::write_file(file, good.substr(0, good.size() / 2));
  expect_refused(again(), {"mini.restart.h5", "truncated or damaged"});
  ermine::test::write_file(file, good.substr(512));
  expect_refused(again(), {"mini.restart.h5", "ermine 0.1", "start anew"});
  ermine::test::write_file(file, good);
  EXPECT_EQ(again().exit_code, 0);
}

TEST(ChannelApp, NamesThatAreNoFilesAreRefused) {
  const ScratchFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const std::string pipe = (folder / "pipe").string();
  expect_refused(run_program({ERMINE_TOOL, pipe}), {pipe, "cannot be read"});
  expect_refused(run_program({ERMINE_TOOL, "/dev/zero"}), {"/dev/zero", "cannot be read"});
  expect_refused(run(folder, tiny, {"--restart", pipe}), {pipe, "a pipe or a device"});
  fs::rename(folder / "pipe", folder / "mini.restart.h5");
  expect_refused(run(folder, tiny), {"mini.restart.h5", "it is a pipe"});
}

TEST(ChannelApp, OneRunAtATimeAndNothingLeftOver) {
  const ScratchFolder folder;
  ermine::test::write_file(folder / ".mini.restart.h5.0123456789abcdef.tmp", "left over");
  ermine::test::write_file(folder / ".mini.fields.00000004.h5.0123456789abcdef.tmp", "left over");
  {
    const auto lock = ermine::FileLock::of_run(folder / "mini");
    expect_refused(run(folder, tiny), {"another process is writing", "choose another name"});
  }
  ASSERT_EQ(run(folder, tiny).exit_code, 0);
  for (const std::string& name : ermine::test::names_in(folder)) EXPECT_NE(name.front(), '.');
}

/// Radiation may join a flow, or change: it begins anew, and so do averages.
TEST(ChannelApp, GoesOnWithOtherRadiation) {
  const ScratchFolder folder;
  const auto file = (folder.path() / "mini.restart.h5").string();
  ASSERT_EQ(run(folder, tiny).exit_code, 0);
  const auto samples = Hdf5Reader(file).numbers("sums/samples");
  EXPECT_GT(samples[0], 1);
  const Finished more = run(folder,
                            tiny_with({"time.steps=14", "output.statistics_every=1",
                                       "radiation.case.solver.rays_per_cell=32"}),
                            {"--restart", file});
  ASSERT_EQ(more.exit_code, 0) << more.err;
  EXPECT_EQ(Hdf5Reader(file).numbers("clock")[0], 14);
  EXPECT_EQ(Hdf5Reader(file).numbers("sums/samples")[0], 2);  // of the last two steps
}

TEST(ChannelApp, IsAVerbOfTheTool) {
  const Finished help = run_program({ERMINE_MAIN_TOOL, "channel", "--help"}, {});
  EXPECT_EQ(help.exit_code, 0) << help.err;
  EXPECT_NE(help.out.find("--restart"), std::string::npos) << help.out;
}

TEST(ChannelApp, ItsFilesAreDrawn) {
  const auto draws = [](const char* python) {
    return run_program({python, "-c", "import h5py, matplotlib"}, {}).exit_code == 0;
  };
  if (!draws("python3") && !draws("/usr/bin/python3")) {
    GTEST_SKIP()
        << "plot needs Python with h5py and matplotlib: tools/install_dependencies.sh --plot";
  }
  const ScratchFolder folder;
  ASSERT_EQ(run(folder, tiny_with({"output.slices_every=12"})).exit_code, 0);
  for (const char* name : {"mini.statistics.h5", "mini.slices.00000012.h5"}) {
    const Finished plot =
        run_program({ERMINE_MAIN_TOOL, "plot", (folder.path() / name).string()}, {});
    EXPECT_EQ(plot.exit_code, 0) << plot.err;
    EXPECT_GT(fs::file_size((folder.path() / name).replace_extension(".png")), 10000u);
  }
  std::ofstream(folder.path() / "precious") << "precious";
  fs::create_symlink("precious", folder.path() / "link.png");
  fs::create_symlink("/dev/null", folder.path() / "device.png");
  for (const auto& [target, code] : {std::pair("link.png", 0), std::pair("device.png", 1)}) {
    const std::string file = (folder.path() / target).string();
    const std::string drawn = (folder.path() / "mini.statistics.h5").string();
    const Finished plot = run_program({ERMINE_MAIN_TOOL, "plot", drawn, "--output", file}, {});
    EXPECT_EQ(plot.exit_code, code) << target << ": " << plot.err;
  }
  EXPECT_FALSE(fs::is_symlink(folder.path() / "link.png"));
  EXPECT_EQ(fs::file_size(folder.path() / "precious"), 8u);
  EXPECT_TRUE(fs::is_symlink(folder.path() / "device.png"));
  const Finished refused =
      run_program({ERMINE_MAIN_TOOL, "plot", (folder.path() / "no.statistics.h5").string()}, {});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("no such file"), std::string::npos) << refused.err;
}

/// A flow that feels nothing of the radiation, so that all runs have the same temperatures. Error
/// bars are of each cell by itself: those of the net are averages over more planes than are here.
Words with_rays(int rays, const Words& more = {}) {
  Words all{"radiation.capacity=1e12",
            "time.steps=120",
            "radiation.case.coupling={ interval = 12, lag = 1 }",
            "radiation.case.solver.method=classic",
            "radiation.case.solver.rays_per_wall_face=2",
            "radiation.case.medium.absorption_coefficient=10",
            fmt::format("radiation.case.solver.rays_per_cell={}", rays)};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Fluctuations are those of the gas, however few rays they were found with.
TEST(ChannelApp, FluctuationsAreWithoutTheNoiseOfRays) {
  const ScratchFolder few, many;
  ASSERT_EQ(run(few, with_rays(16, {"grid.cells=[8,12,16]"})).exit_code, 0);
  ASSERT_EQ(run(many, with_rays(1024, {"grid.cells=[8,12,16]"})).exit_code, 0);
  const Hdf5Reader noisy(few / "mini.statistics.h5"), good(many / "mini.statistics.h5");
  for (const std::string name : {"source", "absorption", "absorption_over_planck_mean"}) {
    const auto rms = noisy.numbers("radiation/rms/" + name);
    const auto expected = good.numbers("radiation/rms/" + name);
    const auto correlation = noisy.numbers("radiation/temperature_correlation/" + name);
    const auto wanted = good.numbers("radiation/temperature_correlation/" + name);
    const double largest = *std::max_element(expected.begin(), expected.end());
    int compared = 0;
    for (std::size_t i = 0; i < rms.size(); ++i) {
      if (expected[i] < 0.7 * largest) continue;
      EXPECT_NEAR(rms[i], expected[i], 0.1 * expected[i]) << name << i;
      EXPECT_NEAR(correlation[i], wanted[i], 0.1) << name << i;
      ++compared;
    }
    EXPECT_GE(compared, 3) << name;
  }
  const auto noise = noisy.numbers("radiation/noise/source");
  EXPECT_GT(noise[2], 0.6 * good.numbers("radiation/rms/source")[2]) << "there is nothing to see";
  EXPECT_NEAR(noise[2] / good.numbers("radiation/noise/source")[2], 8, 0.8);  // root of 1024 / 16
}

/// Modes of the noise add up to its variance, as those of Q to its mean square.
TEST(ChannelApp, NoiseOfSpectraIsThatOfTheirPlane) {
  const ScratchFolder folder;
  ASSERT_EQ(run(folder, with_rays(16, {"grid.cells=[8,6,9]", "time.steps=5"})).exit_code, 0);
  const Hdf5Reader file(folder / "mini.statistics.h5");
  const auto x = file.numbers("x"), noise = file.numbers("radiation/noise/source");
  for (const std::string plane : {"spectra/plane_0/", "spectra/plane_1/"}) {
    const double at = file.numbers(plane + "x")[0];
    const auto i = static_cast<std::size_t>(std::find(x.begin(), x.end(), at) - x.begin());
    ASSERT_LT(i, x.size());
    for (const std::string axis : {"along_y/", "along_z/"}) {
      const auto modes = file.numbers(plane + axis + "source_noise");
      ASSERT_EQ(modes.size(), file.numbers(plane + axis + "source").size());
      const double sum = std::accumulate(modes.begin(), modes.end(), 0.0);
      EXPECT_NEAR(sum, noise[i] * noise[i], 1e-9 * sum);
      EXPECT_NEAR(modes[1], 2 * modes[0], 1e-9 * modes[1]);
      EXPECT_NEAR(modes.back(), (axis == "along_y/" ? 1 : 2) * modes[0], 1e-9 * modes[0]);
    }
  }
}

TEST(ChannelApp, AveragesOfOtherPlanesBeginAnew) {
  const ScratchFolder folder;
  const auto file = (folder.path() / "mini.restart.h5").string();
  const auto samples_with = [&](const std::string& planes, int steps) {
    const Finished more = run(folder,
                              tiny_with({fmt::format("time.steps={}", steps),
                                         "output.statistics_every=1", "output.planes=" + planes}),
                              {"--restart", file});
    EXPECT_EQ(more.exit_code, 0) << more.err;
    return Hdf5Reader(file).numbers("sums/samples")[0];
  };
  ASSERT_EQ(run(folder, tiny_with({"output.statistics_every=1"})).exit_code, 0);
  EXPECT_EQ(samples_with("[1.1,1.97]", 14), 14);
  EXPECT_EQ(samples_with("[1.97,1.1]", 16), 2);
  EXPECT_EQ(samples_with("[1.97,0.3]", 19), 3);
  EXPECT_EQ(samples_with("[1.97]", 20), 1);
}

TEST(ChannelApp, RunsWithoutRaysFromWalls) {
  const ScratchFolder folder;
  const Finished done =
      run(folder, tiny_with({"radiation.case.solver.rays_per_wall_face=0"}), {"--json"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(nlohmann::json::parse(done.out)["radiation"]["ledger"]["gas"].get<double>(), 0);
}

/// A gas of 0 K does not tell its absorption coefficient.
TEST(ChannelApp, SumsOfRadiationStayFiniteWithoutEmission) {
  const Layout layout{1, 1, 1};
  const auto field = [&](double value) {
    return std::vector<double>(static_cast<std::size_t>(layout.size()), value);
  };
  const auto nothing = field(0), source = field(-5), absorption = field(5), error = field(1);
  std::vector<double> sums(RadiationSums::quantities, std::nan(""));
  RadiationSums{.layout = layout,
                .temperature = nothing.data(),
                .source = source.data(),
                .emission = nothing.data(),
                .absorption = absorption.data(),
                .error = error.data(),
                .out = sums.data()}(0, 0, 1);
  EXPECT_EQ(sums[RadiationSums::k], 0);
  EXPECT_EQ(sums[RadiationSums::r], 0);
  EXPECT_EQ(sums[RadiationSums::noise], 1);
  for (const double sum : sums) EXPECT_TRUE(std::isfinite(sum));
}

}  // namespace
}  // namespace channel
