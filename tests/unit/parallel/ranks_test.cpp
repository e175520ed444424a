#include "parallel/box_exchange.hpp"
#include "parallel/delegated_ranks.hpp"
#include "support/thread_ranks.hpp"

#include <gtest/gtest.h>

#include <future>
#include <thread>

namespace ermine {
namespace {

TEST(BoxExchange, BringsCellsAndTheirPeriodicImages) {
  constexpr std::int64_t n = 6;
  const auto value = [](std::int64_t i, std::int64_t j, std::int64_t k) {
    return static_cast<double>(i + 10 * j + 100 * k);
  };
  test::ThreadTeam::run(3, [&](const std::shared_ptr<Ranks>& ranks) {
    const int r = ranks->rank();
    const Box from{{0, 0, 2 * r}, {n, n, 2 * r + 2}};
    // One wants cells beyond both periodic ends, one nothing, one a part.
    const Box to = r == 0   ? Box{{-2, 1, -3}, {8, 2, 9}}
                   : r == 1 ? Box{}
                            : Box{{1, 0, 1}, {3, 6, 5}};
    const BoxExchange bring(ranks, from, to, {n, 0, n});
    std::vector<double> values;
    for_each_row(from, [&](std::int64_t j, std::int64_t k) {
      for (std::int64_t i = 0; i < n; ++i) values.push_back(value(i, j, k));
    });
    const auto arrived = bring(std::span<const double>(values));
    ASSERT_EQ(arrived.size(), to.count());
    for_each_row(to, [&](std::int64_t j, std::int64_t k) {
      for (std::int64_t i = to.begin[0]; i < to.end[0]; ++i) {
        EXPECT_EQ(arrived[to.at(i, j, k)], value((i + n) % n, j, (k + n) % n));
      }
    });
  });
}

TEST(Ranks, AllThrowWhatOneThrows) {
  std::array<std::string, 3> said;
  test::ThreadTeam::run(3, [&](const std::shared_ptr<Ranks>& ranks) {
    try {
      together(*ranks, [&] {
        if (ranks->rank() == 1) fail("no room for {}", 7);
      });
    } catch (const Error& error) {
      said[static_cast<std::size_t>(ranks->rank())] = error.what();
    }
  });
  for (const std::string& message : said) EXPECT_EQ(message, "no room for 7 (rank 1 of 3)");
}

TEST(DelegatedRanks, ServeAWorkerOnTheThreadThatMaySpeak) {
  test::ThreadTeam::run(2, [&](const std::shared_ptr<Ranks>& ranks) {
    DelegatedRanks talk(ranks);
    auto worker = std::async(std::launch::async, [&] {
      const auto all = gather_one(talk, 10 * talk.rank());
      talk.end();
      return all;
    });
    talk.wait_for_worker();
    ASSERT_TRUE(talk.asking());
    talk.serve();
    EXPECT_EQ(worker.get(), (std::vector<int>{0, 10}));
    EXPECT_TRUE(talk.ended());
  });
}

/// Alone, and for one thread only.
class LoneRank : public OneRank {
 public:
  Gathered gather(std::span<const std::byte> mine) override {
    EXPECT_EQ(std::this_thread::get_id(), thread_);
    return OneRank::gather(mine);
  }
  std::vector<Bytes> exchange(const std::vector<Bytes>& to) override {
    EXPECT_EQ(std::this_thread::get_id(), thread_);
    return OneRank::exchange(to);
  }

 private:
  std::thread::id thread_ = std::this_thread::get_id();
};

TEST(DelegatedRanks, AWorkerAloneDoesNotSpeakItself) {
  DelegatedRanks talk(std::make_shared<LoneRank>());
  auto worker = std::async(std::launch::async, [&] {
    talk.exchange({Bytes(3)});
    return gather_one(talk, 7);
  });
  EXPECT_EQ(worker.get(), std::vector<int>{7});
}

TEST(DelegatedRanks, LetsAWorkerGoThatIsAbandoned) {
  test::ThreadTeam::run(2, [&](const std::shared_ptr<Ranks>& ranks) {
    DelegatedRanks talk(ranks);
    auto worker = std::async(std::launch::async, [&] { gather_one(talk, 1); });
    talk.abandon();
    EXPECT_THROW(worker.get(), Error);
  });
}

}  // namespace
}  // namespace ermine
