#include "parallel/field_exchange.hpp"

#include "support/distributed.hpp"
#include "support/spectra.hpp"
#include "transport/run/solving.hpp"
#include "transport/scene/field_memory.hpp"
#include "transport/scene/lane_field.hpp"
#include "transport/scene/scene.hpp"

#include <gtest/gtest.h>

namespace ermine {
namespace {

/// Windows of all levels hold what complete ones do.
TEST(FieldExchange, HaveTheSameTemperatures) {
  for (const Grid& grid : {test::walled_grid(), test::channel_grid(), test::odd_grid()}) {
    const Tracer tracer(grid, test::enclosure(grid, test::wall(400)), test::three_points(),
                        test::distributed_options(ThinStarts::blocks));
    const auto temperature = test::structures(grid);
    const Levels levels(grid, 0, tracer.options().steps_per_level);
    std::vector<double> all = temperature;
    levels.extend(all, average_of(tracer.options().coarse_temperature));
    for (const auto& cuts : test::tilings) {
      test::share_out(test::boxes(grid, cuts), tracer, temperature,
                      [&](const TemperatureField& field, Ranks& ranks) {
                        const FieldWindows& windows = field.parts().windows;
                        const bool even = grid.cells(2) % 2 == 0;  // else slabs are complete
                        if (even) {
                          EXPECT_EQ(windows.count() < all.size(), ranks.size() > 1);
                        }
                        for (int l = 0; l < levels.count(); ++l) {
                          const LevelView& level = levels.views()[static_cast<std::size_t>(l)];
                          const Box box = windows.box(l);
                          for_each_row(box, [&](std::int64_t j, std::int64_t k) {
                            for (std::int64_t i = box.begin[0]; i < box.end[0]; ++i) {
                              Vec3<int> index{};
                              int a = 0;
                              for (const std::int64_t n : {i, j, k}) {
                                const int cells = level.cells[a];
                                index[a++] = (static_cast<int>(n) + cells) % cells;
                              }
                              const CellId cell = level.cell(index);
                              const int place = place_of(cell, windows.all().data());
                              ASSERT_EQ(place,
                                        windows.level(l).first + static_cast<int>(box.at(i, j, k)));
                              ASSERT_EQ(field.parts().values[static_cast<std::size_t>(place)],
                                        all[static_cast<std::size_t>(cell.value)]);
                            }
                          });
                        }
                      });
    }
  }
}

TEST(FieldExchange, RefuseWhatNeedsTheWholeField) {
  const Grid grid = test::walled_grid();
  const auto expect_refused = [&](const Medium& medium, const Options& with, const char* what) {
    const Tracer tracer(grid, test::enclosure(grid, test::wall(400)), medium, with);
    test::expect_error([&] { check_distributed(tracer); }, {what, "replicated"});
  };
  Options with = test::distributed_options(ThinStarts::blocks);
  check_distributed(
      Tracer(grid, test::enclosure(grid, test::wall(400)), test::three_points(), with));
  with.unbiased = true;
  expect_refused(test::three_points(), with, "unbiased");
  expect_refused(GreyMedium(std::vector<double>(grid.cell_count(), 1.0)),
                 test::distributed_options(ThinStarts::blocks), "from cell to cell");
  expect_refused(test::three_points(), test::with_method(Method::multigrid, {}), "sampler");
}

TEST(FieldExchange, TakeTheMemoryThatWasPredicted) {
  for (const Boundary boundary : {Boundary::walled, Boundary::periodic}) {
    const Axis axis = Axis::uniform(128, 0, 1, boundary);
    const Grid grid({axis, axis, axis});
    const Tracer tracer(grid, test::enclosure(grid, test::wall(400)), test::three_points(),
                        test::distributed_options(ThinStarts::blocks, 8));
    const std::vector<double> temperature(grid.cell_count(), 700.0);
    const Levels levels(grid, 0, 8, 1);
    const double all = static_cast<double>(field_memory(tracer).total());
    for (const auto& cuts : std::vector<std::array<std::vector<double>, 3>>{
             {{{0.5}, {0.5}, {0.5}}}, {{{}, {}, {0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875}}}}) {
      const auto blocks = test::boxes(grid, cuts);
      ASSERT_EQ(blocks.size(), 8u);
      test::share_out(
          blocks, tracer, temperature, [&](const TemperatureField& field, Ranks& ranks) {
            const FieldMemory memory =
                field_memory(tracer, blocks[static_cast<std::size_t>(ranks.rank())]);
            EXPECT_LE(static_cast<double>(memory.total()), 0.35 * all);
            const auto bytes = [](std::size_t count, std::size_t size) {
              return static_cast<std::int64_t>(count * size);
            };
            EXPECT_EQ(memory.kelvin, bytes(field.parts().values.capacity(), sizeof(double)));
            with_scene_in<float>(tracer, levels, field, {}, [&](auto& scene) {
              using SceneType = std::remove_reference_t<decltype(scene)>;
              if constexpr (is_table<typename SceneType::View>) {
                EXPECT_EQ(memory.coordinate, bytes(scene.coordinate().size(), sizeof(float)));
                const InPlace place;
                const PlainField<float> known{place(scene.coordinate()), scene.window(place)};
                const auto march =
                    scene.template march<Spacing::uniform, Detail::levelled>(place, known);
                const LaneField lanes(march, 1);
                EXPECT_EQ(memory.entries, bytes(lanes.levels().entries(), sizeof(float)));
              } else {
                FAIL();
              }
            });
          });
    }
  }
}

}  // namespace
}  // namespace ermine
