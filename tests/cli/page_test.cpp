#include "json_output.hpp"

namespace ermine::test {
namespace {

using Words = std::vector<std::string>;

/// Of `ermine validate` with few cells and rays.
Words small_page(const std::string& name, const std::string& folder) {
  return {"validate", name,
          "--set",    "grid.x.cells=8",
          "--set",    "grid.y.cells=2",
          "--set",    "grid.z.cells=2",
          "--set",    "solver.rays_per_cell=16",
          "--json",   "--quiet",
          "--report", folder};
}

/// It needs nothing from elsewhere, and ends as it should.
void expect_self_contained(const std::string& page) {
  EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0u);
  EXPECT_NE(page.find("</html>\n"), std::string::npos);
  for (const char* outside : {"src=", "<script", "@import", "url(", "href=\"http", "href=\"/"}) {
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  }
}

void expect_in(const std::string& page, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
}

TEST(ValidationPage, HoldsFigureNumbersAndVerdict) {
  const ScratchFolder folder;
  const Finished run = run_tool(small_page("1", (folder / "new/page").string()));
  const Json report = Json::parse(run.out);
  EXPECT_EQ(report.at("report"), (folder / "new/page/index.html").string());
  const std::string page = contents_of(folder / "new/page/index.html");
  expect_self_contained(page);
  expect_in(page, {"<title>ermine: validation</title>", "data-row=\"01\"", "id=\"01\"", "<svg",
                   "<circle", "0.3 %", "rays per cell", "average", "seed", "8 x 2 x 2",
                   "2 CPU threads", "ermine validate 01", "grid.x.cells"});
  EXPECT_EQ(run.exit_code == 0, page.find("All 1 passed") != std::string::npos);
}

TEST(ValidationPage, SaysWhatFailed) {
  const ScratchFolder folder;
  Words words = small_page("thick-slab", folder.path().string());
  words.insert(words.end(), {"--set", "solver.mesh_correction=false"});
  const Finished run = run_tool(words);
  EXPECT_EQ(run.exit_code, 1);
  const std::string page = contents_of(folder / "index.html");
  expect_in(page, {"1 of 1 FAILED", "class=\"badge fail\""});
}

TEST(ValidationPage, NeedsAFolder) {
  const ScratchFolder folder;
  write_file(folder / "taken", "");
  expect_refusal(run_tool(small_page("1", (folder / "taken").string())),
                 {"cannot create", (folder / "taken").string()});
  expect_refusal(run_tool(small_page("1", "")), {"--report", "is empty"}, 2);
}

TEST(ValidationPage, OfAFullDiskLeavesNothingBehind) {
  const ScratchFolder folder;
  expect_refusal(run_tool(small_page("1", folder.path().string()), {.file_size = 1000}),
                 {"writing", (folder / "index.html").string(), "free space"});
  EXPECT_EQ(names_in(folder), std::set<std::string>{});
}

TEST(Validate, WantsThePublishedCurvesItIsToldOf) {
  const ScratchFolder folder;
  expect_refusal(
      run_tool({"validate", "s1", "--json", "--quiet", "--published", folder.path().string()}),
      {(folder / "ex_S1_LBL.dat").string(), "--published"});
}

Words page_of(const std::vector<std::string>& files, const ScratchFolder& folder) {
  Words words{"bench", "--json", "--report", (folder / "page").string(), "--from"};
  words.insert(words.end(), files.begin(), files.end());
  return words;
}

/// Measured long ago on another machine: nothing is measured, all of it is shown.
TEST(BenchPage, ShowsStoredResultsBesideThePaper) {
  const std::string results = ERMINE_BENCH_RESULTS;
  const ScratchFolder folder;
  const Json report = parsed(run_tool(
      page_of({results + "/2026-11-15-ladder-h200.json", results + "/2026-11-15-error-h200.json",
               results + "/2026-11-16-scaling-16-cores.json"},
              folder)));
  EXPECT_EQ(report.at("studies").size(), 3u);
  const std::string page = contents_of(folder / "page/index.html");
  expect_self_contained(page);
  expect_in(page,
            {"NVIDIA H200", "data-row=\"finding multigrid_over_classic\"", "18.2, 160^3",
             "data-row=\"grids 256\"", "data-row=\"rays 150000\"", "data-row=\"strong 8\"",
             "data-row=\"model weak 1024\"", "data-row=\"error channel 192 NVIDIA H200 net 0.01\"",
             "2026-11-15-error-h200.json", "Silvestri"});
}

TEST(BenchPage, RefusesOtherFiles) {
  const ScratchFolder folder;
  write_file(folder / "broken.json", "{\"machine\": ");
  write_file(folder / "other.json", "{\"machine\": {}, \"results\": []}");
  write_file(folder / "half.json", "{\"machine\": {}, \"results\": [{\"part\": \"grids\"}]}");
  for (const std::string name : {"broken.json", "other.json"}) {
    expect_refusal(run_tool(page_of({(folder / name).string()}, folder)),
                   {(folder / name).string(), "holds no result of ermine bench"});
  }
  expect_refusal(run_tool(page_of({(folder / "half.json").string()}, folder)),
                 {"half.json is not whole", "ermine bench ladder"});
  expect_refusal(run_tool(page_of({(folder / "absent.json").string()}, folder)),
                 {"cannot read", "absent.json"});
  expect_refusal(run_tool(page_of({folder.path().string()}, folder)), {"cannot read"});
  EXPECT_FALSE(std::filesystem::exists(folder / "page"));
  expect_refusal(run_tool({"bench", "--from", (folder / "other.json").string()}), {"--report DIR"});
  EXPECT_FALSE(std::filesystem::exists(folder / "page/index.html"));
}

TEST(BenchPage, DamagedStudiesAreRefused) {
  const ScratchFolder folder;
  const Finished made =
      run_tool({"bench", "--grid", "4", "--rays", "2", "--repeats", "1", "--json"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const auto file = folder / "study.json";
  write_file(file, made.out);
  EXPECT_EQ(run_tool(page_of({file.string()}, folder)).exit_code, 0);
  for (const std::string text :
       {"\"rays", "\"machine", "sha256"}) {  // a key, a key, the checksum's
    std::string damaged = made.out;
    const std::size_t at = damaged.find(text);
    ASSERT_NE(at, std::string::npos) << text;
    damaged[at + 2] = static_cast<char>(damaged[at + 2] ^ 1);
    write_file(file, damaged);
    expect_refusal(run_tool(page_of({file.string()}, folder)), {"study.json", "damaged"});
  }
}

TEST(BenchPage, TellsOfAStudyThatHadNoTime) {
  const ScratchFolder folder;
  write_file(folder / "none.json",
             R"({"study": "ladder", "machine": {}, "results": [], "findings": [], "bias": [],
                 "left_out": [{"problem": "case 10", "method": "classic", "grid": 64,
                               "why": "no time"}]})");
  parsed(run_tool(page_of({(folder / "none.json").string()}, folder)));
  expect_in(contents_of(folder / "page/index.html"),
            {"1 study, 1 run left out", "data-study=\"ladder\"", "no time"});
}

TEST(BenchPage, OfOneStudy) {
  const ScratchFolder folder;
  const Json report = parsed(
      run_tool({"bench", "ladder", "--part", "grids", "--grids", "8", "--rays", "16", "--budget",
                "600", "--quiet", "--json", "--report", folder.path().string()}));
  EXPECT_EQ(report.at("report"), (folder / "index.html").string());
  expect_in(contents_of(folder / "index.html"),
            {"data-study=\"ladder\"", "data-row=\"grids 8\"", "1 study"});
}

}  // namespace
}  // namespace ermine::test
