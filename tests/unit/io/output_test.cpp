#include <ermine/output.hpp>

#include "files/hdf5.hpp"
#include "support/problems.hpp"
#include "support/scratch.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace ermine {
namespace {

struct Solved {
  Case problem;
  Result result;
};

Solved solve_into(const std::filesystem::path& folder) {
  Case problem = parse_case(R"(
temperature = "500 + 400*x + 100*y"
medium = { absorption_coefficient = 1.0 }
grid.x = { cells = 3, to = 1.0, stretching = 1.0 }
grid.y = { cells = 2, to = 1.0 }
grid.z = { cells = 4, to = 1.0, periodic = true }
walls.x_low = { temperature = 500 }
walls.x_high = { temperature = 900 }
walls.y_low = { temperature = 700, emissivity = 0.5 }
walls.y_high = { temperature = 700 }
solver = { rays_per_cell = 64, batches = 8 }
output = { name = "out", vtr = true }
)",
                            "test.toml");
  problem.output.directory = folder;
  Result result = problem.tracer().solve(problem.temperature);
  return {std::move(problem), std::move(result)};
}

std::string slurp(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(PlaneAverage, WeighsByArea) {
  const Grid grid({Axis::uniform(2, 0, 1), Axis{{0.0, 0.25, 1.0}}, Axis::uniform(1, 0, 1)});
  Result result;
  result.flux_divergence = {4, 8, 8, 16};
  result.standard_error = {1, 1, 1, 1};
  result.emission = result.absorption = {0, 0, 0, 0};
  const Profile x = plane_average(grid, {300, 300, 500, 500}, result, 0);
  EXPECT_DOUBLE_EQ(x.flux_divergence[0], 0.25 * 4 + 0.75 * 8);
  EXPECT_DOUBLE_EQ(x.flux_divergence[1], 0.25 * 8 + 0.75 * 16);
  EXPECT_DOUBLE_EQ(x.standard_error[0], std::sqrt(0.25 * 0.25 + 0.75 * 0.75));
  EXPECT_DOUBLE_EQ(x.temperature[0], 450);
  const Profile y = plane_average(grid, {300, 300, 500, 500}, result, 1);
  EXPECT_DOUBLE_EQ(y.flux_divergence[1], 12);
}

TEST(WriteOutput, Hdf5HoldsTheWholeResult) {
  const test::ScratchFolder scratch;
  const Solved solved = solve_into(scratch.path());
  prepare_output(solved.problem);
  const auto files = write_output(solved.problem, solved.result);
  ASSERT_EQ(files.size(), 5u);
  for (const auto& file : files) EXPECT_TRUE(std::filesystem::exists(file)) << file;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.path()), {}), 5);

  const Hdf5Array q = read_hdf5(scratch / "out.h5", "/fields/Q");
  EXPECT_EQ(q.shape, (std::vector<std::size_t>{4, 2, 3}));
  EXPECT_EQ(q.values, solved.result.flux_divergence);
  const Hdf5Array wall = read_hdf5(scratch / "out.h5", "/walls/y_low/net_flux");
  EXPECT_EQ(wall.shape, (std::vector<std::size_t>{4, 3}));
  EXPECT_EQ(wall.values, solved.result.wall_flux[2].net_flux);
  const Profile profile =
      plane_average(solved.problem.grid, solved.problem.temperature, solved.result, 1);
  EXPECT_EQ(read_hdf5(scratch / "out.h5", "/profiles/y/Q").values, profile.flux_divergence);
}

Case mixture_in(const std::filesystem::path& folder) {
  Case problem = parse_case(R"(
temperature = 900
medium.pressure = 101325
medium.mole_fractions = { H2O = "0.1 + 0.1*x + 0.05*z", CO2 = 0.05 }
medium.quadrature_points = 2
grid.x = { cells = 3, to = 1.0, stretching = 1.0 }
grid.y = { cells = 2, to = 1.0, periodic = true }
grid.z = { cells = 4, to = 1.0, periodic = true }
walls.x_low = { temperature = 500 }
walls.x_high = { temperature = 900 }
solver = { rays_per_cell = 8 }
output = { name = "out", vtr = true, time = 0.125 }
)",
                            "test.toml");
  problem.output.directory = folder;
  return problem;
}

/// Those of a species that varies are fields, those of the others one number.
TEST(WriteOutput, EveryFileHasTheComposition) {
  const test::ScratchFolder scratch;
  const Case problem = mixture_in(scratch.path());
  const Result result = problem.tracer().solve(problem.temperature);
  write_output(problem, result);
  std::vector<double> water;
  for (std::size_t cell = 0; cell < problem.grid.cell_count(); ++cell) {
    const auto centre = problem.grid.centre(cell);
    water.push_back(0.1 + 0.1 * centre[0] + 0.05 * centre[2]);
  }
  const Hdf5Array written = read_hdf5(scratch / "out.h5", "/fields/mole_fraction_H2O");
  ASSERT_EQ(written.values.size(), water.size());
  for (std::size_t i = 0; i < water.size(); ++i) EXPECT_NEAR(written.values[i], water[i], 1e-12);
  EXPECT_THROW(read_hdf5(scratch / "out.h5", "/fields/mole_fraction_CO2"), Error);
  const Hdf5Array profile = read_hdf5(scratch / "out.h5", "/profiles/x/mole_fraction_H2O");
  ASSERT_EQ(profile.values.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(profile.values[i], 0.125 + 0.1 * problem.grid.centre(0, i), 1e-12);
  }
  const std::string xdmf = slurp(scratch / "out.xdmf");
  EXPECT_NE(xdmf.find("out.h5:/fields/mole_fraction_H2O"), std::string::npos);
  EXPECT_NE(xdmf.find("<Information Name=\"mole_fraction_CO2\" Value=\"0.05\"/>"),
            std::string::npos);
  const std::string vtr = slurp(scratch / "out.vtr");
  EXPECT_NE(vtr.find("Name=\"mole_fraction_H2O\" format=\"appended\""), std::string::npos);
  EXPECT_NE(vtr.find("Name=\"mole_fraction_CO2\" NumberOfTuples=\"1\""), std::string::npos);
  const std::string csv = slurp(scratch / "out_x.csv");
  EXPECT_NE(csv.find("# mole fraction of CO2: 0.05\n"), std::string::npos);
  EXPECT_NE(csv.find("absorption [W/m3],mole fraction of H2O\n"), std::string::npos);
  EXPECT_NE(csv.find(fmt::format(",{:.10g}\n", profile.values[1])), std::string::npos);
  const auto report = nlohmann::json::parse(report_json(problem, result, {}));
  EXPECT_EQ(report["mole_fractions"]["CO2"], 0.05);
  EXPECT_NEAR(report["mole_fractions"]["H2O"]["largest"], *std::ranges::max_element(water), 1e-12);
  EXPECT_NEAR(report["mole_fractions"]["H2O"]["least"], *std::ranges::min_element(water), 1e-12);
}

TEST(WriteOutput, FilesHaveTheSoot) {
  const test::ScratchFolder scratch;
  Case problem = parse_case(R"(
temperature = 900
medium.soot = { volume_fraction = "1e-6*x", constant = 5.5 }
grid.x = { cells = 3, to = 1.0 }
grid.y = { cells = 1, to = 1.0, periodic = true }
grid.z = { cells = 1, to = 1.0, periodic = true }
walls.x_low = { temperature = 500 }
walls.x_high = { temperature = 500 }
solver = { rays_per_cell = 8 }
output = { name = "out", vtr = true }
)",
                            "test.toml");
  problem.output.directory = scratch.path();
  const Result result = problem.tracer().solve(problem.temperature);
  write_output(problem, result);
  const std::vector<double>& soot = std::get<GasMedium>(problem.medium).soot()->volume_fraction;
  ASSERT_EQ(soot.size(), 3u);
  EXPECT_EQ(read_hdf5(scratch / "out.h5", "/fields/soot_volume_fraction").values, soot);
  EXPECT_NE(slurp(scratch / "out.xdmf").find("/fields/soot_volume_fraction"), std::string::npos);
  EXPECT_NE(slurp(scratch / "out.vtr").find("soot_volume_fraction"), std::string::npos);
  EXPECT_NE(slurp(scratch / "out_x.csv").find(",volume fraction of soot\n"), std::string::npos);
  const auto report = nlohmann::json::parse(report_json(problem, result, {}));
  EXPECT_EQ(report["soot"]["constant"], 5.5);
  EXPECT_EQ(report["soot"]["volume_fraction"]["largest"], soot[2]);
}

/// ParaView makes a series of files that differ in it.
TEST(WriteOutput, FilesForParaViewHaveTheTime) {
  const test::ScratchFolder scratch;
  const Case problem = mixture_in(scratch.path());
  write_output(problem, problem.tracer().solve(problem.temperature));
  const std::string xdmf = slurp(scratch / "out.xdmf");
  std::size_t times = 0;
  for (auto at = xdmf.find("<Time Value=\"0.125\"/>"); at != std::string::npos;
       at = xdmf.find("<Time Value=\"0.125\"/>", at + 1)) {
    ++times;
  }
  EXPECT_EQ(times, 3u);  // the gas and two walls
  const std::string vtr = slurp(scratch / "out.vtr");
  EXPECT_NE(vtr.find("Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.125<"),
            std::string::npos);
}

/// What is written must fit on a disk that was found large enough, whatever the shape of the grid.
TEST(WriteOutput, TakesAsMuchAsWasSaid) {
  for (const char* const cells :
       {"grid.x = { cells = 4000, to = 1.0 }\ngrid.y = { cells = 1, to = 1.0 }\n"
        "grid.z = { cells = 1, to = 1.0 }\n",
        "grid.x = { cells = 30, to = 1.0 }\ngrid.y = { cells = 20, to = 1.0 }\n"
        "grid.z = { cells = 10, to = 1.0 }\n"}) {
    const test::ScratchFolder scratch;
    Case problem =
        parse_case(std::string("temperature = 800\nmedium = { pressure = 101325, mole_fractions = "
                               "{ H2O = \"0.1 + 0.01*x\", ") +
                       "CO2 = \"0.1 + 0.02*x\" }, quadrature_points = 2 }\n" + cells +
                       "walls.x_low = { temperature = 500 }\nwalls.x_high = { temperature = 500 }\n"
                       "walls.y_low = { temperature = 500 }\nwalls.y_high = { temperature = 500 }\n"
                       "walls.z_low = { temperature = 500 }\nwalls.z_high = { temperature = 500 }\n"
                       "solver = { rays_per_cell = 2 }\noutput = { vtr = true }\n",
                   "test.toml");
    problem.output.directory = scratch.path();
    const Result result = problem.tracer().solve(problem.temperature);
    double written = 0.0;
    for (const auto& file : write_output(problem, result)) {
      written += static_cast<double>(std::filesystem::file_size(file));
    }
    EXPECT_GE(output_bytes(problem), written);
    EXPECT_LE(output_bytes(problem), 1.3 * written + 2e5);
  }
}

TEST(WriteOutput, VtrHasItsDataWhereTheHeaderSays) {
  const test::ScratchFolder scratch;
  const Solved solved = solve_into(scratch.path());
  write_output(solved.problem, solved.result);
  const std::string text = slurp(scratch / "out.vtr");
  const auto tag = text.find("Name=\"Q\"");
  const auto offset = std::stoul(text.substr(text.find("offset=\"", tag) + 8));
  const auto data = text.find("encoding=\"raw\">\n_") + 17;
  std::uint64_t bytes = 0;
  std::copy_n(text.data() + data + offset, sizeof bytes, reinterpret_cast<char*>(&bytes));
  ASSERT_EQ(bytes, 24 * sizeof(double));
  std::vector<double> q(24);
  std::copy_n(text.data() + data + offset + sizeof bytes, bytes, reinterpret_cast<char*>(q.data()));
  EXPECT_EQ(q, solved.result.flux_divergence);
}

TEST(WriteOutput, XdmfNamesOnlyDatasetsThatExist) {
  const test::ScratchFolder scratch;
  const Solved solved = solve_into(scratch.path());
  write_output(solved.problem, solved.result);
  const std::string text = slurp(scratch / "out.xdmf");
  int references = 0;
  for (auto at = text.find("out.h5:"); at != std::string::npos; at = text.find("out.h5:", at + 1)) {
    const std::string path = text.substr(at + 7, text.find('<', at) - at - 7);
    EXPECT_NO_THROW(read_hdf5(scratch / "out.h5", path)) << path;
    ++references;
  }
  EXPECT_EQ(references, 3 + 5 + 4 * 5);
}

TEST(WriteOutput, CsvReadsBack) {
  const test::ScratchFolder scratch;
  const Solved solved = solve_into(scratch.path());
  write_output(solved.problem, solved.result);
  const std::string text = slurp(scratch / "out_x.csv");
  EXPECT_NE(text.find("# case: solver = { rays_per_cell = 64, batches = 8 }"), std::string::npos);
  EXPECT_NE(text.find("x [m],temperature [K],Q [W/m3],Q standard error [W/m3]"), std::string::npos);
}

TEST(Report, IsOneJsonObjectWithErrorBars) {
  const test::ScratchFolder scratch;
  const Solved solved = solve_into(scratch.path());
  const auto report = nlohmann::json::parse(report_json(solved.problem, solved.result, {"a.h5"}));
  EXPECT_EQ(report["cells"], 24);
  EXPECT_EQ(report["rays"], solved.result.rays.traced);
  EXPECT_EQ(report["ledger"]["value"], solved.result.ledger.total.value);
  EXPECT_GT(report["wall_flux"]["x_low"]["standard_error"], 0.0);
  EXPECT_EQ(report["files"][0], "a.h5");
}

TEST(Report, SaysWhatTracedTheRaysAndHow) {
  const test::ScratchFolder scratch;
  Solved solved = solve_into(scratch.path());
  set_method(solved.problem.options, Method::multigrid);
  solved.result.backend = Backend::cuda;
  solved.result.device = "a GPU";
  solved.result.device_memory = 1'234'567'890'123;
  solved.result.levels = 4;
  solved.result.steps_per_level = 5;
  auto report = nlohmann::json::parse(report_json(solved.problem, solved.result, {}));
  EXPECT_EQ(report["backend"], "cuda");
  EXPECT_EQ(report["device"], "a GPU");
  EXPECT_EQ(report["device_memory"], 1'234'567'890'123);
  EXPECT_EQ(report["method"], "multigrid");
  EXPECT_EQ(report["sampler"], "sorted");
  EXPECT_EQ(report["field_access"], "texture");
  EXPECT_EQ(report["levels"], 4);
  EXPECT_EQ(report["steps_per_level"], 5);
  EXPECT_EQ(report["coarse_temperature"], "mean");

  solved.problem.options.steps_per_level = 8;
  solved.result.steps_per_level = 8;
  solved.problem.options.coarse_temperature = CoarseTemperature::mean_fourth_power;
  report = nlohmann::json::parse(report_json(solved.problem, solved.result, {}));
  EXPECT_EQ(report["method"], "custom");
  EXPECT_EQ(report["steps_per_level"], 8);
  EXPECT_EQ(report["coarse_temperature"], "mean_fourth_power");
}

}  // namespace
}  // namespace ermine
