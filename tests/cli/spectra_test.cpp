#include "run_tool.hpp"

#include <nlohmann/json.hpp>

namespace ermine::test {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

/// Narrow-band parameters at 300, 400 and 500 K in four bands of 25 1/cm.
const std::string snb =
    "1000 0.5 0.4 0.3\n1025 1.0 0.8 0.6\n1050 2.0 1.5 1.0\n1075 1e-20 1e-20 1e-20\n"
    "1000 0.2 0.3 0.4\n1025 0.2 0.3 0.4\n1050 0.3 0.4 0.5\n1075 0.3 0.4 0.5\n";

/// HITRAN records of CO near 2150 1/cm.
const std::string lines = [] {
  std::string text;
  for (const char* numbers :
       {" 51 2147.081130 4.420E-19 2.050E+01.0680.076    3.84500.750.000000",
        " 51 2150.856010 8.650E-19 2.120E+01.0650.072   11.53500.740.000000",
        " 51 2154.595580 1.250E-18 2.170E+01.0630.069   23.06900.730.000000"}) {
    std::string line = numbers;
    line.resize(160, ' ');
    text += line + "\n";
  }
  return text;
}();

const std::string sums =
    "# partition sums; T[K],26\n200,72.6\n296,107.4\n400,145.2\n600,219.0\n1000,382.0\n";

/// A folder with these inputs, and runs of `ermine spectra` inside it.
struct Bench {
  ScratchFolder folder;

  Bench() {
    write_file(folder / "snb", snb);
    write_file(folder / "lines.par", lines);
    write_file(folder / "sums.csv", sums);
  }
  Finished run(Words words) const {
    words.insert(words.begin(), "spectra");
    return run_tool(words, {.folder = folder.path().string()});
  }
  nlohmann::json json(Words words) const {
    words.push_back("--json");
    const Finished done = run(words);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return nlohmann::json::parse(done.out, nullptr, false);
  }
  /// Refused with one line; nothing is left behind.
  void refuses(const Words& words, const Words& expected, int exit_code = 1) const {
    const auto before = names_in(folder);
    expect_refusal(run(words), expected, exit_code);
    EXPECT_EQ(names_in(folder), before);
  }
  void make_table(const std::string& name = "t.h5") const {
    expect_success(run({"from-snb", "snb", "--gas", "H2O", "-o", name}));
  }
  Words from_lines(const Words& more) const {
    Words words{"from-lines", "lines.par", "--partition-sums", "sums.csv", "-o", "l.h5"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST(FromSnb, WritesATable) {
  const Bench bench;
  const auto report = bench.json({"from-snb", "snb", "--gas", "H2O", "-o", "t.h5", "--points", "8",
                                  "--temperatures", "300:500:50", "--mole-fraction", "0.5"});
  EXPECT_EQ(report["file"], "t.h5");
  EXPECT_EQ(report["kind"], "k-distribution");
  const auto info = bench.json({"info", "t.h5"});
  EXPECT_EQ(info["gas"], "H2O");
  EXPECT_EQ(info["bands"], 4);
  EXPECT_EQ(info["points"], 8);
  EXPECT_EQ(info["temperatures"], 5);
  EXPECT_EQ(info["mole_fraction"], 0.5);
  EXPECT_EQ(info["from_cm1"], 987.5);
  EXPECT_EQ(info["manifest"]["inputs"][0]["name"], "snb");
  EXPECT_EQ(info["manifest"]["inputs"][0]["sha256"].get<std::string>().size(), 64u);
  EXPECT_EQ(info["bytes"], fs::file_size(bench.folder / "t.h5"));
}

TEST(FromSnb, NamesTheInputWithoutItsFolder) {
  const Bench bench;
  expect_success(
      bench.run({"from-snb", (bench.folder / "snb").string(), "--gas", "H2O", "-o", "t.h5"}));
  EXPECT_EQ(bench.json({"info", "t.h5"})["manifest"]["inputs"][0]["name"], "snb");
}

TEST(FromSnb, WritesParametersForAnyPressure) {
  const Bench bench;
  expect_success(bench.run(
      {"from-snb", "snb", "--gas", "CO2", "--parameters", "--extend-to", "250", "-o", "p.h5"}));
  const auto info = bench.json({"info", "p.h5"});
  EXPECT_EQ(info["kind"], "narrow-band parameters");
  EXPECT_EQ(info["coldest"], 250);
  const auto one = bench.json({"planck-mean", "--table", "p.h5", "--temperature", "400"});
  const auto two = bench.json(
      {"planck-mean", "--table", "p.h5", "--temperature", "400", "--pressure", "202650"});
  EXPECT_NEAR(two["values"][0]["absorption_coefficient"].get<double>(),
              2 * one["values"][0]["absorption_coefficient"].get<double>(), 1e-3);
}

/// Mean kbar of the file, weighted with the blackbody: 1/(cm atm) is 100 1/m at one atmosphere.
TEST(FromSnb, KeepsTheMeanOfABand) {
  if (!can_draw())
    GTEST_SKIP() << "needs Python with matplotlib: tools/install_dependencies.sh --plot";
  const Bench bench;
  write_file(bench.folder / "flat", "1000 0.5\n1025 0.5\n1000 0.2\n1025 0.2\n");
  expect_success(bench.run({"from-snb", "flat", "--gas", "H2O", "-o", "f.h5", "--points", "64"}));
  const auto picture = bench.json({"plot", "--table", "f.h5", "-o", "f.png"});
  EXPECT_NEAR(picture["curves"][0]["y"][0].get<double>(), 50.0, 0.05);
}

TEST(FromLines, WritesBothTablesAndTheirDifference) {
  const Bench bench;
  const auto report = bench.json(bench.from_lines(
      {"--gas", "CO", "--line-by-line", "lbl.h5", "--temperatures", "300:900:300", "--from", "2100",
       "--to", "2200", "--band-width", "50", "--step", "0.02", "--threads", "1"}));
  ASSERT_EQ(report["transmissivity_errors"].size(), 12u);
  for (const auto& error : report["transmissivity_errors"]) {
    EXPECT_LT(error["largest"].get<double>(), 0.05);
  }
  EXPECT_EQ(bench.json({"info", "l.h5"})["bands"], 2);
  const auto spectrum = bench.json({"info", "lbl.h5"});
  EXPECT_EQ(spectrum["kind"], "line-by-line");
  EXPECT_EQ(spectrum["bands"], 100);
  EXPECT_EQ(spectrum["points"], 50);
  ASSERT_EQ(spectrum["manifest"]["inputs"].size(), 2u);
  EXPECT_EQ(spectrum["manifest"]["inputs"][1]["name"], "sums.csv");
  EXPECT_NE(spectrum["manifest"]["citation"].get<std::string>().find("HITRAN"), std::string::npos);
}

TEST(FromLines, SaysHowMuchMemoryItNeeds) {
  const Bench bench;
  const Finished done = bench.run(bench.from_lines({"--gas", "CO", "--temperatures", "300:300:1"}));
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.err.find("2100 to 2200 1/cm"), std::string::npos) << done.err;
  EXPECT_NE(done.err.find("of memory"), std::string::npos) << done.err;
}

TEST(FromLines, RefusesWhatDoesNotFitTheMemory) {
  const Bench bench;
  bench.refuses(bench.from_lines({"--gas", "CO", "--temperatures", "200:1000:0.1", "--step", "1e-6",
                                  "--from", "0", "--to", "3000"}),
                {"of memory, this machine has", "use fewer temperatures"});
}

TEST(FromLines, RefusesInputsThatDoNotFit) {
  const Bench bench;
  const auto refuses = [&](const Words& more, const Words& expected) {
    bench.refuses(bench.from_lines(more), expected);
  };
  refuses({"--gas", "H2O", "--temperatures", "300:900:300"}, {"molecule 5", "H2O is number 1"});
  refuses({"--gas", "CO", "--temperatures", "300:1500:300"},
          {"300 to 1500 K", "200 to 1000 K", "--temperatures"});
  refuses({"--gas", "CO", "--temperatures", "300:900:300", "--from", "2200", "--to", "2100"},
          {"2200 to 2100"});
  bench.refuses({"from-lines", "absent.par", "--partition-sums", "sums.csv", "--gas", "CO", "-o",
                 "l.h5", "--temperatures", "300:900:300"},
                {"absent.par"});
  write_file(bench.folder / "lines.par", lines.substr(0, 100) + "\n");
  refuses({"--gas", "CO", "--temperatures", "300:900:300"}, {"lines.par:1"});
}

TEST(PlanckMean, FallsWithTemperature) {
  const Bench bench;
  const auto values = bench.json({"planck-mean", "--gas", "H2O"})["values"];
  ASSERT_EQ(values.size(), 6u);
  for (std::size_t i = 1; i < values.size(); ++i) {
    EXPECT_LT(values[i]["absorption_coefficient"], values[i - 1]["absorption_coefficient"]);
  }
}

TEST(PlanckMean, IsPerAtmosphereOfTheGas) {
  const Bench bench;
  const auto value = bench.json({"planck-mean", "--gas", "CO2", "--temperature", "1000",
                                 "--mole-fraction", "0.1", "--pressure", "202650"})["values"][0];
  EXPECT_NEAR(value["absorption_coefficient"].get<double>(),
              0.2 * value["per_atmosphere"].get<double>(), 1e-12);
}

TEST(Emissivity, OfAMixtureLiesBetweenTheGasesAndTheirSum) {
  const Bench bench;
  const auto of = [&](Words gases) {
    gases.insert(gases.begin(), "emissivity");
    for (const char* word : {"--temperature", "1000", "--length", "0.5", "2"})
      gases.push_back(word);
    return bench.json(gases)["emissivity"];
  };
  const auto h2o = of({"--gas", "H2O=0.2"});
  const auto co2 = of({"--gas", "CO2=0.1"});
  const auto both = of({"--gas", "H2O=0.2", "--gas", "CO2=0.1"});
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GT(both[i][0], h2o[i][0]);
    EXPECT_LT(both[i][0].get<double>(), h2o[i][0].get<double>() + co2[i][0].get<double>());
  }
}

TEST(SpectraPlot, DrawsEachKind) {
  if (!can_draw())
    GTEST_SKIP() << "needs Python with matplotlib: tools/install_dependencies.sh --plot";
  const Bench bench;
  const std::vector<std::pair<std::string, std::string>> kinds{{"k", "g"},
                                                               {"spectrum", "wavenumber"},
                                                               {"planck-mean", "temperature"},
                                                               {"emissivity", "length"}};
  for (const auto& [what, over] : kinds) {
    const std::string file = what + ".svg";
    const auto report = bench.json({"plot", "--gas", "CO", "--what", what, "-o", file});
    EXPECT_FALSE(report["curves"].empty()) << what;
    EXPECT_EQ(report["x"]["label"].get<std::string>().rfind(over, 0), 0u) << report["x"];
    EXPECT_NE(contents_of(bench.folder / file).find("<svg"), std::string::npos) << what;
  }
}

TEST(SpectraPlot, RefusesWhatItCannotDraw) {
  const Bench bench;
  bench.refuses({"plot", "--gas", "CO", "-o", "p.jpg"}, {"p.jpg", ".png, .svg or .pdf"});
  bench.refuses({"plot", "--gas", "CO", "--what", "k", "--wavenumber", "10", "-o", "p.png"},
                {"no band of CO holds 10 1/cm"});
  bench.refuses({"plot", "--gas", "CO=0.1", "--gas", "H2O=0.1", "-o", "p.png"}, {"for one gas"});
  bench.refuses({"plot", "--gas", "CO", "--from", "20", "--to", "30", "-o", "p.png"},
                {"nothing absorbs between 20 and 30"});
  const Finished run =
      run_tool({"spectra", "plot", "--gas", "CO", "-o", (bench.folder / "p.png").string()},
               {.environment = {{"ERMINE_PYTHON", "/absent"}}});
  expect_refusal(run, {"cannot start Python", "matplotlib", "ERMINE_PYTHON"});
}

TEST(Spectra, RefusesMissingFilesAndUnknownGases) {
  const Bench bench;
  bench.refuses({"from-snb", "absent", "--gas", "H2O", "-o", "t.h5"}, {"cannot read absent"});
  bench.refuses({"from-snb", "snb", "--gas", "XYZ", "-o", "t.h5"}, {"XYZ", "H2O, CO2, CO, CH4"});
  bench.refuses({"info", "absent.h5"}, {"cannot read absent.h5"});
  bench.refuses({"planck-mean", "--table", "absent.h5"}, {"cannot read absent.h5"});
  bench.refuses({"emissivity", "--gas", "H2O=2", "--temperature", "500", "--length", "1"},
                {"H2O=2", "mole fraction"});
  bench.refuses({"emissivity", "--gas", "H2O=0.7", "--gas", "CO=0.7", "--temperature", "500",
                 "--length", "1"},
                {"add up to 1.4"});
}

TEST(Spectra, RefusesTemperaturesOutsideTheData) {
  const Bench bench;
  bench.refuses({"from-snb", "snb", "--gas", "H2O", "-o", "t.h5", "--temperatures", "300:600:100"},
                {"600 K is outside", "300 to 500 K"});
  bench.refuses({"from-snb", "snb", "--gas", "H2O", "-o", "t.h5", "--extend-to", "350"},
                {"350 K", "300 K"});
  bench.refuses({"planck-mean", "--gas", "CH4", "--temperature", "2001"}, {"2001 K", "2000 K"});
  bench.make_table();
  bench.refuses({"emissivity", "--table", "t.h5", "--temperature", "299", "--length", "1"},
                {"299 K", "300 to 500 K"});
}

TEST(Spectra, RefusesATableThatIsNotWhole) {
  const Bench bench;
  bench.make_table();
  const std::string whole = contents_of(bench.folder / "t.h5");
  std::string flipped = whole;
  flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 1);
  const std::vector<std::pair<std::string, std::string>> broken{
      {whole.substr(0, whole.size() - 100), "truncated or damaged"},
      {whole.substr(0, 300), "truncated"},
      {flipped, "its checksum does not fit"},
      {whole.substr(512), "is not a table of ermine"},
      {"", "is not a table of ermine"}};
  for (const auto& [contents, message] : broken) {
    write_file(bench.folder / "b.h5", contents);
    bench.refuses({"info", "b.h5"}, {"b.h5", message});
    bench.refuses({"planck-mean", "--table", "b.h5"}, {"b.h5", message});
  }
}

TEST(Spectra, RefusesBadNumbers) {
  const Bench bench;
  const auto refuses = [&](const Words& more, const Words& expected) {
    Words words{"from-snb", "snb", "--gas", "H2O", "-o", "t.h5"};
    words.insert(words.end(), more.begin(), more.end());
    bench.refuses(words, expected, 2);
  };
  for (const char* text : {"300", "300:500", "a:b:c", "300:500:", "300:500:50:1", "300:500:50x"}) {
    refuses({"--temperatures", text}, {text, "is not FROM:TO:STEP"});
  }
  for (const char* text : {"500:300:50", "300:500:0", "300:500:-1", "0:500:50"}) {
    refuses({"--temperatures", text}, {text, "FROM > 0"});
  }
  refuses({"--temperatures", "300:500:60"}, {"whole steps"});
  refuses({"--temperatures", "300:500:1e-3"}, {"at most 10000"});
  for (const char* text : {"0", "-1", "nan", "x"}) {
    refuses({"--pressure", text}, {"--pressure", "give pascals above 0"});
  }
  refuses({"--mole-fraction", "1.1"}, {"--mole-fraction", "up to 1"});
  refuses({"--points", "0"}, {"--points"});
  refuses({"--quadrature", "round"}, {"--quadrature"});
  refuses({"--parameters", "--pressure", "5"}, {"--parameters"});
}

TEST(Spectra, RefusesAnOutputThatCannotBeWritten) {
  const Bench bench;
  const auto refuses = [&](const std::string& output, const Words& expected) {
    bench.refuses({"from-snb", "snb", "--gas", "H2O", "-o", output}, expected);
    bench.refuses({"plot", "--gas", "H2O", "-o", output + ".png"}, {"cannot write"});
  };
  refuses("absent/t.h5", {"cannot write absent/t.h5", "no folder absent"});
  fs::create_directories(bench.folder / "taken");
  fs::create_directories(bench.folder / "taken.png");
  refuses("taken", {"cannot write taken", "it is a folder"});
}

TEST(Spectra, LeavesNothingBehindOnAFullDisk) {
  const Bench bench;
  const auto before = names_in(bench.folder);
  expect_refusal(run_tool({"spectra", "from-snb", "snb", "--gas", "H2O", "-o", "t.h5"},
                          {.folder = bench.folder.path().string(), .file_size = 1000}),
                 {"writing t.h5 failed"});
  EXPECT_EQ(names_in(bench.folder), before);
}

TEST(Spectra, WrongCommandLinesNameTheHelpToRead) {
  const Bench bench;
  bench.refuses({}, {"no subcommand given", "from-snb", "see ermine spectra --help"}, 2);
  bench.refuses({"fly"}, {"unknown subcommand fly", "see ermine spectra --help"}, 2);
  bench.refuses({"from-snb"}, {"file is required", "see ermine spectra from-snb --help"}, 2);
  bench.refuses({"info"}, {"see ermine spectra info --help"}, 2);
  bench.refuses({"planck-mean"}, {"--gas or --table", "see ermine spectra planck-mean --help"}, 2);
}

}  // namespace
}  // namespace ermine::test
