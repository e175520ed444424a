#include "support/statistics.hpp"
#include "transport/draw/entry_distribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ermine {
namespace {

constexpr int draws = 100000;

struct EntrySamplerTest : testing::TestWithParam<RaySampler> {
  static bool sorted() { return GetParam() == RaySampler::sorted; }

  /// Entries of the rays of one batch.
  static std::vector<int> batch(const EntryDistribution& entries, int rays,
                                std::uint32_t number = 0) {
    const EntrySampler sample = entries.view(InPlace{});
    OrderedUniforms ordered(static_cast<std::uint32_t>(rays));
    std::vector<int> drawn;
    for (int i = 0; i < rays; ++i) {
      const Draw draw = RayStream({31, 0, number, static_cast<std::uint32_t>(i)}).next();
      drawn.push_back(sample(draw, ordered));
    }
    EXPECT_TRUE(!sorted() || std::is_sorted(drawn.begin(), drawn.end()));
    return drawn;
  }

  /// Draws in batches of `rays` follow p ~ share.
  static void expect_proportional(const std::vector<double>& share, int rays) {
    const EntryDistribution entries(share, GetParam());
    std::vector<int> count(share.size());
    for (int number = 0; number < draws / rays; ++number) {
      for (const int entry : batch(entries, rays, static_cast<std::uint32_t>(number))) {
        ASSERT_GE(entry, 0);
        ASSERT_LT(entry, static_cast<int>(share.size()));
        ++count[static_cast<std::size_t>(entry)];
      }
    }
    double total = 0.0;
    for (const double s : share) total += s;
    std::vector<double> p;
    for (const double s : share) p.push_back(s / total);
    EXPECT_NEAR(entries.total(), total, 1e-12 * total);
    test::expect_frequencies(count, p);
  }
};

INSTANTIATE_TEST_SUITE_P(Both, EntrySamplerTest,
                         testing::Values(RaySampler::random, RaySampler::sorted),
                         [](const auto& param) {
                           return param.param == RaySampler::random ? "random" : "sorted";
                         });

TEST_P(EntrySamplerTest, DrawsInProportion) {
  const std::vector<double> few{3, 0.5, 1, 7, 2};
  for (const int rays : {1, 2, 5, 37, 1000, draws}) expect_proportional(few, rays);
}

TEST_P(EntrySamplerTest, NeverDrawsWhatCannotBe) {
  for (const std::vector<double>& share : std::vector<std::vector<double>>{
           {0, 0, 1, 3, 0, 6, 0, 0}, {0, 1}, {1, 0}, {1, 0, 0, 0, 1}}) {
    expect_proportional(share, draws);
    expect_proportional(share, 10);
  }
}

TEST_P(EntrySamplerTest, FindsItsWayInLongLists) {
  // Strengths over 16 decades, as lines have, with dark entries among them.
  std::vector<double> share;
  for (int i = 0; i < 3000; ++i) {
    const Draw draw = RayStream({3, 0, 0, static_cast<std::uint32_t>(i)}).next();
    share.push_back(i % 7 == 3 ? 0.0 : std::pow(10.0, -16 * draw.uniform<double>(0)));
  }
  share.resize(3100, 0.0);
  expect_proportional(share, draws);
  expect_proportional(share, 100);
}

/// The same entries as by bisection.
TEST_P(EntrySamplerTest, AgreesWithASlowTwin) {
  std::vector<double> share;
  for (int i = 0; i < 1000; ++i) share.push_back(i % 3 == 0 ? 0.0 : 1.0 / (1 + i * i % 101));
  const EntryDistribution entries(share, GetParam());
  const EntrySampler sample = entries.view(InPlace{});
  const double* end = sample.cumulative + share.size();
  for (const std::uint32_t rays : {1u, 10u, 20000u}) {
    OrderedUniforms ordered(rays), twin(rays);
    for (std::uint32_t i = 0; i < rays; ++i) {
      const Draw draw = RayStream({5, 0, rays, i}).next();
      const double quantile = sorted() ? twin.next(draw.word[2]) : draw.fine_uniform();
      ASSERT_EQ(sample(draw, ordered),
                std::upper_bound(sample.cumulative, end, quantile) - sample.cumulative);
    }
  }
}

/// A guess by single precision is one entry too far there now and then.
TEST_P(EntrySamplerTest, AgreesWithASlowTwinBesideTheEdgesOfTheGuide) {
  const std::vector<double> share(8, 1.0);
  const EntryDistribution entries(share, GetParam());
  const EntrySampler sample = entries.view(InPlace{});
  ASSERT_EQ(sample.guides, 8);
  int too_far = 0;
  for (std::uint64_t edge = 1; edge < 8; ++edge) {
    for (int beside = -2000; beside < 2000; ++beside) {
      const auto word =
          static_cast<std::uint32_t>((edge << 29) + static_cast<std::uint64_t>(beside));
      const Draw draw{{0, 0, word, ~0u}};
      OrderedUniforms ordered(1), twin(1);
      const double quantile = sorted() ? twin.next(word) : draw.fine_uniform();
      const auto exact =
          std::upper_bound(sample.cumulative, sample.cumulative + 8, quantile) - sample.cumulative;
      const auto single = static_cast<float>(quantile);
      const float guess = 8 * (sorted() ? 1 - decay(single) : single);
      too_far += static_cast<int>(guess) > exact;
      ASSERT_EQ(sample(draw, ordered), exact) << word;
    }
  }
  EXPECT_GT(too_far, 0);
}

TEST_P(EntrySamplerTest, EndsOfTheUnitIntervalFallOnEntriesThatShine) {
  const EntryDistribution entries(std::vector<double>{0, 0.1, 0.2, 0.3, 0.1, 0}, GetParam());
  const EntrySampler sample = entries.view(InPlace{});
  const Draw lowest{{0, 0, 0, 0}};
  const Draw highest{{~0u, ~0u, ~0u, ~0u}};
  // Random: a large word is a large quantile. Sorted: a large word is a small step.
  OrderedUniforms one(1), other(1);
  EXPECT_EQ(sample(lowest, one), sorted() ? 4 : 1);
  EXPECT_EQ(sample(highest, other), sorted() ? 1 : 4);
}

TEST_P(EntrySamplerTest, OneEntryIsAllThereIs) {
  for (const double share : {2.5, 0.0}) {
    const EntryDistribution entries(std::vector<double>{share}, GetParam());
    EXPECT_EQ(entries.total(), share);
    for (const int entry : batch(entries, 1000)) ASSERT_EQ(entry, 0);
  }
}

TEST_P(EntrySamplerTest, DarkEntriesAreDrawnEvenly) {
  const EntryDistribution entries(std::vector<double>(4, 0.0), GetParam());
  EXPECT_EQ(entries.total(), 0.0);
  std::vector<int> count(4);
  for (const int entry : batch(entries, draws)) ++count[static_cast<std::size_t>(entry)];
  test::expect_frequencies(count, {0.25, 0.25, 0.25, 0.25});
}

}  // namespace
}  // namespace ermine
