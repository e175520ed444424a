#include "transport/scene/scene_cache.hpp"

#include "support/net_problems.hpp"
#include "support/same_bits.hpp"
#include "transport/scene/levels_of.hpp"
#include "transport/scene/scene.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <type_traits>

namespace ermine::test {
namespace {

struct Value {
  int number;
  std::size_t size;

  std::size_t bytes() const { return size; }
};
struct OtherValue : Value {};

/// Counts how often values are made.
class Maker {
 public:
  template <class Made = Value>
  int number(int key, std::size_t size = 8) {
    return cache_.get<Made>(key,
                            [&] {
                              return std::make_shared<const Made>(Made{++made_, size});
                            })
        ->number;
  }
  bool null(int key) {
    return cache_.get<Value>(key, [&]() -> std::shared_ptr<const Value> {
      ++made_;
      return nullptr;
    }) == nullptr;
  }
  int made() const { return made_; }

 private:
  SceneCache cache_;
  int made_ = 0;
};

TEST(SceneCache, MakesTheValueOfAKeyOnce) {
  Maker maker;
  EXPECT_EQ(maker.number(5), 1);
  EXPECT_EQ(maker.number(5), 1);
  EXPECT_EQ(maker.number(6), 2);
  EXPECT_EQ(maker.number<OtherValue>(5), 3);
  EXPECT_EQ(maker.number(5), 1);
  EXPECT_TRUE(maker.null(7));
  EXPECT_TRUE(maker.null(7));
  EXPECT_EQ(maker.made(), 4);
}

TEST(SceneCache, KeepsAFewOfEachTypeThoseUsedLast) {
  Maker maker;
  const int most = static_cast<int>(SceneCache::most_values);
  maker.number<OtherValue>(0);
  for (int key = 0; key < most; ++key) maker.number(key);
  maker.number(0);
  maker.number(most);  // in place of 1
  const int made = maker.made();
  maker.number(0);
  for (int key = 2; key <= most; ++key) maker.number(key);
  maker.number<OtherValue>(0);
  EXPECT_EQ(maker.made(), made);
  maker.number(1);
  EXPECT_EQ(maker.made(), made + 1);
}

TEST(SceneCache, KeepsTheLastValueHoweverLarge) {
  Maker maker;
  maker.number(1, SceneCache::most_bytes / 2);
  maker.number(2, SceneCache::most_bytes / 2);
  maker.number(1);
  EXPECT_EQ(maker.made(), 2);
  maker.number(3, 2 * SceneCache::most_bytes);
  maker.number(3);
  EXPECT_EQ(maker.made(), 3);
  maker.number(1);
  EXPECT_EQ(maker.made(), 4);
}

TEST(SceneCache, IsSafeForManyThreads) {
  SceneCache cache;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&cache, t] {
      for (int i = 0; i < 2000; ++i) {
        const int key = (i * (t + 1)) % 7;
        const auto value = cache.get<Value>(key, [&] {
          return std::make_shared<const Value>(Value{key, 1});
        });
        ASSERT_EQ(value->number, key);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

/// Two waves of eddies whose range hardly differs, and one whose range does.
std::vector<double> eddies(const Grid& grid, double phase, double mean = 750) {
  return evaluate(grid, [&](std::array<double, 3> at) {
    return mean + 150 * std::sin(9 * at[0] + 1 + phase) * std::cos(7 * at[1]) +
           100 * std::sin(12 * at[2] + phase);
  });
}

struct NamedMedium {
  std::string name;
  Medium medium;
};

std::vector<NamedMedium> media(std::size_t cells) {
  std::vector<double> k;
  for (std::size_t i = 0; i < cells; ++i) k.push_back(0.5 + 1e-4 * static_cast<double>(i));
  return {{"one gas", steam()},
          {"mixture", h2o_co2()},
          {"fields", h2o_co2_fields(cells)},
          {"list", three_points()},
          {"grey", GreyMedium(k)}};
}

/// With averaged starts, thin points in blocks, levels and walls.
Options all_options(Precision precision) {
  Options options = net(4);
  options.rays_per_wall_face = 4;
  options.precision = precision;
  options.threads = 2;
  options.levels = 2;
  return options;
}

/// Solves fields of a run whose scene is known, becomes another one, and is known again.
void expect_same_bits_in_run(int cells, Precision precision) {
  const Grid grid = box_grid(cells);
  const std::vector fields{eddies(grid, 0), eddies(grid, 0.02), eddies(grid, 0, 1100),
                           eddies(grid, 0.01)};
  for (const auto& [name, medium] : media(grid.cell_count())) {
    SCOPED_TRACE(name);
    const Options options = all_options(precision);
    const Tracer kept(grid, enclosure(grid, wall(700)), medium, options);
    for (std::uint32_t update = 0; update < fields.size(); ++update) {
      const Tracer fresh(grid, enclosure(grid, wall(700)), medium, options);
      expect_same_bits(kept.solve(fields[update], update), fresh.solve(fields[update], update));
    }
  }
}

TEST(Scene, KnownBeforeHasTheSameBitsAsANewOne) {
  expect_same_bits_in_run(16, Precision::single_precision);
  expect_same_bits_in_run(6, Precision::double_precision);
}

/// Updates of differences look up two fields at once.
TEST(Scene, KnownBeforeHasTheSameBitsInDifferences) {
  const Grid grid = box_grid(16);
  for (const auto& [name, medium] : media(grid.cell_count())) {
    SCOPED_TRACE(name);
    Options options = all_options(Precision::single_precision);
    options.temporal = Temporal::difference;
    const Tracer kept(grid, enclosure(grid, wall(700)), medium, options);
    History of_kept, of_fresh;
    for (std::uint32_t update = 0; update < 3; ++update) {
      const Tracer fresh(grid, enclosure(grid, wall(700)), medium, options);
      const auto field = eddies(grid, 0.05 * update);
      expect_same_bits(kept.solve(field, update, of_kept), fresh.solve(field, update, of_fresh));
    }
  }
}

TEST(Scene, ThreadsMayShareATracer) {
  const Grid grid = box_grid(16);
  for (const auto& [name, medium] : media(grid.cell_count())) {
    SCOPED_TRACE(name);
    const Options options = all_options(Precision::single_precision);
    const Tracer shared(grid, enclosure(grid, wall(700)), medium, options);
    const auto field = [&](int t) { return eddies(grid, 0.01 * t, t % 2 == 0 ? 750 : 900); };
    std::vector<Result> results(4);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back(
          [&, t] { results[static_cast<std::size_t>(t)] = shared.solve(field(t)); });
    }
    for (std::thread& thread : threads) thread.join();
    for (int t = 0; t < 4; ++t) {
      const Tracer alone(grid, enclosure(grid, wall(700)), medium, options);
      expect_same_bits(results[static_cast<std::size_t>(t)], alone.solve(field(t)));
    }
  }
}

/// Where the strengths of the points of a scene lie: the same place, the same scene.
const void* place_of_points(const Tracer& tracer, const std::vector<double>& field,
                            std::span<const double> earlier = {}, int levels = 2) {
  const void* place = nullptr;
  with_scene(tracer, Levels(tracer.grid(), levels, 2), field, earlier,
             [&](auto& scene) { place = scene.strengths().data(); });
  return place;
}

TEST(Scene, IsMadeAnewWhereAnythingDiffers) {
  const Grid grid = box_grid(16);
  const std::vector<double> field = eddies(grid, 0);
  for (const auto& [name, medium] : media(grid.cell_count())) {
    SCOPED_TRACE(name);
    const Options options = all_options(Precision::single_precision);
    const Tracer tracer(grid, enclosure(grid, wall(700)), medium, options);
    const void* first = place_of_points(tracer, field);
    EXPECT_EQ(place_of_points(tracer, field), first);
    EXPECT_EQ(place_of_points(tracer, eddies(grid, 0.02)), first);
    EXPECT_EQ(place_of_points(Tracer(tracer), field), first);
    EXPECT_NE(place_of_points(tracer, eddies(grid, 0, 1100)), first);
    EXPECT_NE(place_of_points(tracer, field, eddies(grid, 0, 1100)), first);
    EXPECT_NE(place_of_points(tracer, field, {}, 3), first);
    EXPECT_EQ(place_of_points(tracer, field), first);
    const Tracer other(grid, enclosure(grid, wall(700)), medium, options);
    EXPECT_NE(place_of_points(other, field), first);
  }
}

}  // namespace
}  // namespace ermine::test
