#include "json_output.hpp"

/// References mean the same as the Q they are compared with, and energy is checked where it
/// balances.
namespace ermine::test {
namespace {

using Words = std::vector<std::string>;

Words with_settings(Words words, const Words& settings) {
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  return words;
}

/// The verdict on a problem, whatever it is, with these settings.
Json verdict_on(const std::string& name, const Words& settings) {
  const Finished run = run_tool(with_settings({"validate", name, "--json", "--quiet"}, settings));
  const Json report = Json::parse(run.out, nullptr, false);
  EXPECT_TRUE(report.is_object()) << run.err;
  return report.at("cases").at(0);
}

/// Slabs are the same however few cells they have along themselves.
Words slab_of(const std::string& cells, const std::string& rays, const std::string& start) {
  return {"grid.x.cells=" + cells, "grid.y.cells=2", "grid.z.cells=2",
          "solver.rays_per_cell=" + rays, "solver.start=" + start};
}

/// Hot gas between cold walls, on 8 cells: at a wall the average over a cell is 15 % of the largest
/// Q away from the value at its centre.
TEST(Validate, ComparesGasSlabsWithWhatQIs) {
  for (const std::string start : {"average", "uniform", "point"}) {
    EXPECT_LT(verdict_on("6", slab_of("8", "2000", start)).at("error"), 0.01) << start;
  }
}

/// Averages and values at centres of this slab differ by 2 % of the largest Q.
TEST(Validate, ComparesGreySlabsWithWhatQIs) {
  for (const std::string start : {"average", "uniform"}) {
    EXPECT_LT(verdict_on("thick-slab", slab_of("32", "2000", start)).at("error"), 0.012) << start;
  }
}

/// Column of the file that validate writes of a slab.
std::vector<double> column(const std::filesystem::path& file, std::size_t number) {
  std::istringstream rows(contents_of(file));
  std::vector<double> values;
  std::string line;
  std::getline(rows, line);
  while (std::getline(rows, line)) {
    std::istringstream words(line);
    std::string word;
    for (std::size_t i = 0; i <= number; ++i) std::getline(words, word, ',');
    values.push_back(std::stod(word));
  }
  return values;
}

/// Stored are values at centres.
TEST(Validate, TurnsStoredCurvesIntoAverages) {
  const ScratchFolder folder;
  const auto reference = [&](const std::string& start) {
    const std::string place = (folder / start).string();
    run_tool(with_settings({"validate", "10-lines", "--quiet", "-o", place},
                           slab_of("64", "16", start)));
    return column(folder / start / "case10-lines.csv", 3);
  };
  const auto values = reference("point");
  const auto averages = reference("average");
  ASSERT_EQ(values.size(), 64u);
  ASSERT_EQ(averages.size(), 64u);
  // Q falls steeply from the wall on and bends upwards: the average over the first cell is larger.
  const double first = averages[0] / values[0] - 1;
  EXPECT_GT(first, 0.001);
  EXPECT_LT(first, 0.05);
  EXPECT_NEAR(averages[32] / values[32], 1.0, 0.001);
}

/// The balance is that of uniform starts on one level with all points in cells, whatever the run
/// has.
TEST(Validate, ChecksEnergyWhereItBalances) {
  const auto on_16_cubed = [](const Words& more) {
    Words settings{"grid.x.cells=16", "grid.y.cells=16", "grid.z.cells=16",
                   "solver.rays_per_cell=16"};
    settings.insert(settings.end(), more.begin(), more.end());
    return verdict_on("5", settings);
  };
  const Json blocks = on_16_cubed({"solver.thin_starts=blocks"});
  const Json cells = on_16_cubed({"solver.thin_starts=cells", "solver.levels=1"});
  EXPECT_NE(blocks.at("error"), cells.at("error"));
  EXPECT_EQ(blocks.at("ledger"), cells.at("ledger"));
}

/// Averages over cells of a front balance, and values at their centres do not.
TEST(Validate, ChecksTheBalanceOfFronts) {
  for (const std::string start : {"average", "point"}) {
    const Json verdict =
        verdict_on("spherical-front", {"solver.rays_per_cell=512", "solver.start=" + start});
    const Json& check = verdict.at("checks").back();
    EXPECT_EQ(check.at("name"), "imbalance over the heat exchanged");
    EXPECT_EQ(check.at("expected"), 0.0);
    EXPECT_LE(check.at("bound"), 0.01);
    EXPECT_EQ(check.at("pass"), start == "average") << check;
  }
}

/// A smooth temperature in cells of optical thickness `thickness`.
Words thick_run(const std::string& folder, double thickness, const std::string& start,
                bool corrected) {
  return with_settings(
      {"run", valid_case, "-o", folder},
      {"temperature=700 + 150*cos(2*pi*x)", "walls.x_low.temperature=850",
       "walls.x_high.temperature=850",
       "medium.absorption_coefficient=" + std::to_string(8 * thickness), "solver.rays_per_cell=64",
       "solver.rays_per_wall_face=64", "solver.start=" + start,
       corrected ? "solver.mesh_correction=true" : "solver.mesh_correction=false"});
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Run, SaysWhatThickCellsDoToQ) {
  const ScratchFolder folder;
  const auto warnings = [&](const std::string& start, bool corrected) {
    Words words = thick_run(folder.path().string(), 12.5, start, corrected);
    words.insert(words.end(), {"--json", "--quiet"});
    return Json::parse(run_tool(words).out).at("warnings").dump();
  };
  for (const std::string start : {"point", "average", "uniform"}) {
    EXPECT_EQ(warnings(start, true), "[]") << start;
    const std::string text = warnings(start, false);
    EXPECT_TRUE(contains(text, "12.5 mean free paths wide")) << text;
    EXPECT_EQ(contains(text, "too small"), start != "uniform") << text;
    EXPECT_EQ(contains(text, "too large"), start != "point") << text;
  }
}

TEST(Run, SaysWhatHelpsWithTheBalance) {
  const ScratchFolder folder;
  const auto printed = [&](const std::string& start) {
    return run_tool(thick_run(folder.path().string(), 2.5, start, false)).out;
  };
  const std::string average = printed("average");
  EXPECT_TRUE(contains(average, "is not in balance")) << average;
  EXPECT_TRUE(contains(average, "What helps: solver.mesh_correction = true, a finer grid"))
      << average;
  EXPECT_TRUE(contains(average, "solver.start = \"uniform\"")) << average;
  EXPECT_FALSE(contains(average, "solver.levels")) << "there is one level";
  const std::string uniform = printed("uniform");
  EXPECT_FALSE(contains(uniform, "is not in balance")) << uniform;
}

}  // namespace
}  // namespace ermine::test
