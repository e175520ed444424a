#include "backend/kept_copies.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace ermine {
namespace {

TEST(KeptCopies, AreMadeOnceForEachDeviceAndArray) {
  const std::vector<int> arrays(2);
  KeptCopies copies;
  int made = 0;
  const auto copy = [&](const KeptCopies& of, int device, const int* array) {
    return of.get(device, array, [&] { return std::make_shared<const int>(++made); });
  };
  const auto first = copy(copies, 0, arrays.data());
  EXPECT_EQ(copy(copies, 0, arrays.data()), first);
  EXPECT_NE(copy(copies, 1, arrays.data()), first);
  EXPECT_NE(copy(copies, 0, arrays.data() + 1), first);
  const KeptCopies moved = std::move(copies);
  EXPECT_EQ(copy(moved, 0, arrays.data()), first);
  EXPECT_EQ(made, 3);
}

TEST(KeptCopies, OutliveTheirOwnerInTheHandsOfUsers) {
  std::weak_ptr<const void> watched;
  KeptCopies::Copy used;
  {
    const KeptCopies copies;
    used = copies.get(0, &used, [] { return std::make_shared<const int>(7); });
    watched = used;
  }
  EXPECT_EQ(*static_cast<const int*>(used.get()), 7);
  used.reset();
  EXPECT_TRUE(watched.expired());
}

TEST(KeptCopies, ThreadsWaitForTheOneThatMakesThem) {
  const KeptCopies copies;
  std::vector<KeptCopies::Copy> found(8);
  std::vector<std::thread> threads;
  for (auto& copy : found) {
    threads.emplace_back(
        [&] { copy = copies.get(0, &copies, [] { return std::make_shared<const int>(1); }); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& copy : found) EXPECT_EQ(copy, found.front());
}

}  // namespace
}  // namespace ermine
