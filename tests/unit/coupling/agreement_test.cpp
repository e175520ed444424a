#include "core/fingerprint.hpp"
#include "coupling/blocks.hpp"
#include "coupling/client_array.hpp"
#include "support/radiation.hpp"
#include "support/thread_ranks.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace ermine {
namespace {

/// What each of two ranks throws; empty: nothing.
template <class Work>
std::array<std::string, 2> messages_of_two(const Work& work) {
  std::array<std::string, 2> said;
  test::ThreadTeam::run(2, [&](const std::shared_ptr<Ranks>& ranks) {
    try {
      work(ranks);
    } catch (const Error& error) {
      said[static_cast<std::size_t>(ranks->rank())] = error.what();
    }
  });
  return said;
}

void expect_both_say(const std::array<std::string, 2>& said, const std::string& words) {
  EXPECT_NE(said[0].find(words), std::string::npos) << said[0];
  EXPECT_EQ(said[0], said[1]);
}

TEST(Fingerprint, NamesWhatDiffersAndWhere) {
  expect_both_say(messages_of_two([](const std::shared_ptr<Ranks>& ranks) {
                    const bool other = ranks->rank() == 1;
                    const std::vector<double> field{1, 2, other ? 4.0 : 3.0};
                    Fingerprint parts;
                    parts.add("seed", other ? 7 : 1).add("levels", 3);
                    parts.add("temperature", std::span<const double>(field));
                    if (other) parts.add("grid", 1);
                    require_same(*ranks, parts);
                  }),
                  "seed (7, not 1), temperature and grid of rank 1 are not those of rank 0");
}

TEST(Fingerprint, OfTheSameValuesIsTheSame) {
  const auto said = messages_of_two([](const std::shared_ptr<Ranks>& ranks) {
    const std::vector<double> field{1, 2, 3};
    require_same(*ranks,
                 Fingerprint().add("seed", 1).add("temperature", std::span<const double>(field)));
  });
  EXPECT_EQ(said[0] + said[1], "");
}

TEST(Agreement, RanksOfOtherProblemsAreRefused) {
  struct Change {
    const char* named;
    std::function<void(CoupledCase&)> apply;
  };
  const std::vector<Change> changes{
      {"solver.seed (9, not 1) of rank 1", [](CoupledCase& c) { c.options.seed = 9; }},
      {"solver.rays_per_cell", [](CoupledCase& c) { c.options.rays_per_cell = 64; }},
      {"coupling.lag", [](CoupledCase& c) { c.coupling.lag = 2; }},
      {"medium", [](CoupledCase& c) { c.medium = GreyMedium(1.0); }},
      {"walls.y_high.temperature", [](CoupledCase& c) { c.walls[3].temperature = {1000.0}; }},
      {"grid.y", [](CoupledCase& c) {
         c.grid = Grid({c.grid->axis(0), Axis::uniform(10, 0, 1), c.grid->axis(2)});
       }}};
  for (const Change& change : changes) {
    expect_both_say(messages_of_two([&](const std::shared_ptr<Ranks>& ranks) {
                      CoupledCase problem = test::coupled_case();
                      if (ranks->rank() == 1) change.apply(problem);
                      const Radiation radiation(problem, Communicator(ranks));
                    }),
                    change.named);
  }
}

TEST(Agreement, RanksMayHaveOtherNumbersOfThreads) {
  const auto said = messages_of_two([](const std::shared_ptr<Ranks>& ranks) {
    CoupledCase problem = test::coupled_case();
    problem.options.threads = 1 + ranks->rank();
    const Radiation radiation(problem, Communicator(ranks));
  });
  EXPECT_EQ(said[0] + said[1], "");
}

TEST(Agreement, TracersOfOtherProblemsAndFieldsAreRefused) {
  const Grid grid = test::coupled_grid();
  const auto tracer = [&](const std::shared_ptr<Ranks>& ranks, double k) {
    return Tracer(grid, test::six_walls(grid), GreyMedium(k),
                  {.backend = Backend::cpu, .rays_per_cell = 16, .threads = 1},
                  Communicator(ranks));
  };
  expect_both_say(messages_of_two([&](const std::shared_ptr<Ranks>& ranks) {
                    tracer(ranks, 1.0 + ranks->rank());
                  }),
                  "medium.absorption_coefficient (2, not 1) of rank 1");
  expect_both_say(messages_of_two([&](const std::shared_ptr<Ranks>& ranks) {
                    tracer(ranks, 1.0).solve(test::flowing(grid, ranks->rank()));
                  }),
                  "temperature of rank 1");
}

TEST(Agreement, SettingsThatDifferAreRefusedAndLeaveNoTrace) {
  CoupledCase grey = test::coupled_case();
  grey.medium = GreyMedium(1.0);
  grey.particles = {{"mist"}};
  using Set = std::function<void(Radiation&, double)>;
  const std::vector<std::pair<const char*, Set>> settings{
      {"the absorption coefficient (2, not 1) of rank 1",
       [](Radiation& r, double value) { r.set_absorption(value); }},
      {"its values (2, not 1) of rank 1",
       [](Radiation& r, double value) {
         r.set_particles("mist", ParticleProperty::scattering, value);
       }},
      {"walls.x_low.temperature (2, not 1) of rank 1",
       [](Radiation& r, double value) { r.set_wall(Face::x_low, test::wall(value)); }},
      {"the offset of the scaling (2, not 1) of rank 1",
       [](Radiation& r, double value) { r.set_scaling({.offset = value}); }},
      {"grid.x of rank 1", [](Radiation& r, double value) {
         r.set_grid({Axis::uniform(12, 0, value), Axis::uniform(10, 0, 1), Axis::uniform(8, 0, 1)});
       }}};
  Radiation alone(grey);
  alone.advance(test::flowing(*grey.grid, 0).data());
  const auto expected = test::values_of(alone, Quantity::source);
  for (const auto& [named, set] : settings) {
    expect_both_say(messages_of_two([&](const std::shared_ptr<Ranks>& ranks) {
                      Radiation radiation(grey, Communicator(ranks));
                      std::string said;
                      try {
                        set(radiation, 1.0 + ranks->rank());
                      } catch (const Error& error) {
                        said = error.what();
                      }
                      const Box all = all_cells(*grey.grid);
                      const Box own = cells_of(radiation.block());
                      radiation.advance(part_of(test::flowing(*grey.grid, 0), all, own).data());
                      EXPECT_EQ(test::values_of(radiation, Quantity::source),
                                part_of(expected, all, own));
                      throw Error(said);
                    }),
                    named);
  }
}

TEST(Agreement, AWrongShapeOnOneRankIsToldToAll) {
  const CoupledCase problem = test::coupled_case();
  const std::vector<double> temperature(problem.grid->cell_count(), 800.0);
  expect_both_say(messages_of_two([&](const std::shared_ptr<Ranks>& ranks) {
                    Radiation radiation(problem, Communicator(ranks));
                    radiation.expect_shape({12, 10, ranks->rank() == 0 ? 4 : 5});
                    radiation.submit(temperature.data());
                  }),
                  "the temperature is 12 x 10 x 5, give the cells of this process: 12 x 10 x 4 "
                  "(rank 1 of 2)");
}

TEST(Agreement, OtherCallsAreRefused) {
  CoupledCase grey = test::coupled_case();
  grey.medium = GreyMedium(1.0);
  const std::vector<double> temperature(grey.grid->cell_count(), 800.0);
  expect_both_say(messages_of_two([&](const std::shared_ptr<Ranks>& ranks) {
                    Radiation radiation(grey, Communicator(ranks));
                    if (ranks->rank() == 0) radiation.set_absorption(2.0);
                    if (ranks->rank() == 1) radiation.submit(temperature.data());
                  }),
                  "rank 1 calls submit while rank 0 calls set_absorption");
  // One that has skipped a step is found at the next one that needs all.
  expect_both_say(messages_of_two([&](const std::shared_ptr<Ranks>& ranks) {
                    Radiation radiation(grey, Communicator(ranks));
                    radiation.advance(temperature.data());
                    if (ranks->rank() == 0) radiation.cancel();
                    radiation.advance(temperature.data());
                  }),
                  "rank 1 calls advance (step 2) while rank 0 calls cancel");
}

}  // namespace
}  // namespace ermine
