#include "parallel/machine_fields.hpp"

#include "support/thread_ranks.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

namespace ermine {
namespace {

constexpr Box whole{{0, 0, 0}, {6, 5, 4}};

/// Four unequal unequal_pencils.
const std::vector<Box> unequal_pencils{
    {{0, 0, 0}, {6, 2, 1}}, {{0, 2, 0}, {6, 5, 1}}, {{0, 0, 1}, {6, 2, 4}}, {{0, 2, 1}, {6, 5, 4}}};

std::vector<double> numbers(double first) {
  std::vector<double> values(whole.count());
  std::iota(values.begin(), values.end(), first);
  return values;
}

bool same(const CommonField& field, const std::vector<double>& values) {
  return std::vector<double>(field.values.begin(), field.values.end()) == values;
}

class OnMachines : public testing::TestWithParam<int> {};

TEST_P(OnMachines, FieldsAreCompleteOnAllRanks) {
  test::ThreadTeam::run_on_machines(4, GetParam(), [](const std::shared_ptr<Ranks>& ranks) {
    const Box& own = unequal_pencils[static_cast<std::size_t>(ranks->rank())];
    MachineFields fields(ranks, unequal_pencils, whole);
    const CommonField one = fields(part_of(numbers(1), whole, own));
    CommonField two = fields(part_of(numbers(1000), whole, own));
    EXPECT_TRUE(same(one, numbers(1)));
    EXPECT_TRUE(same(two, numbers(1000)));
    // What all ranks have let go of serves again, what they hold stays as it is.
    const double* const place = two.values.data();
    two = {};
    const CommonField three = fields(part_of(numbers(2000), whole, own));
    EXPECT_EQ(three.values.data(), place);
    EXPECT_TRUE(same(three, numbers(2000)));
    EXPECT_TRUE(same(one, numbers(1)));
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, OnMachines, testing::Values(4, 2, 3, 1),
                         [](const auto& each) { return std::to_string(each.param) + "_each"; });

TEST(MachineFields, RanksOfAMachineSendNothing) {
  test::ThreadTeam::run_on_machines(4, 2, [](const std::shared_ptr<Ranks>& ranks) {
    MachineFields fields(ranks, unequal_pencils, whole);
    const std::vector<double> own =
        part_of(numbers(1), whole, unequal_pencils[static_cast<std::size_t>(ranks->rank())]);
    CommonField field = fields(own);
    field = {};
    const std::int64_t before = ranks->bytes_sent();
    field = fields(own);
    // An integer to each, three times, says that all have come; the first rank of a machine sends
    // its cells to the other machine.
    const std::int64_t cells =
        ranks->rank() == 0   ? unequal_pencils[0].count() + unequal_pencils[1].count()
        : ranks->rank() == 2 ? unequal_pencils[2].count() + unequal_pencils[3].count()
                             : 0;
    const std::int64_t sent = ranks->bytes_sent() - before;
    EXPECT_GE(sent, 8 * cells);
    EXPECT_LE(sent, 8 * cells + 64);
  });
}

TEST(MachineMemory, IsTheSameForAllRanksOfAMachine) {
  test::ThreadTeam::run_on_machines(4, 2, [](const std::shared_ptr<Ranks>& ranks) {
    const auto memory = MachineMemory::make(*ranks, 4096);
    ASSERT_TRUE(memory);
    ASSERT_EQ(memory->bytes().size(), 4096u);
    memory->bytes()[static_cast<std::size_t>(ranks->rank())] = std::byte{7};
    gather_one(*ranks, 0);
    for (int r = 0; r < 4; ++r) {
      EXPECT_EQ(memory->bytes()[static_cast<std::size_t>(r)] == std::byte{7},
                r / 2 == ranks->rank() / 2);
    }
  });
}

TEST(MachineMemory, IsNoneWhereThereIsNoRoom) {
  test::ThreadTeam::run(2, [](const std::shared_ptr<Ranks>& ranks) {
    EXPECT_FALSE(MachineMemory::make(*ranks, std::size_t{1} << 55));
  });
}

}  // namespace
}  // namespace ermine
