#include "parallel/machine_fields.hpp"

#include "parallel/box_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ermine {

MachineFields::MachineFields(std::shared_ptr<Ranks> ranks, std::vector<Box> boxes, const Box& all)
    : ranks_(std::move(ranks)),
      boxes_(std::move(boxes)),
      all_(all),
      first_of_machine_(gather_one(*ranks_, ranks_->first_of_machine())) {}

CommonField MachineFields::operator()(std::vector<double> own) {
  const auto by_itself = [](std::vector<double> values) {
    const auto held = std::make_shared<const std::vector<double>>(std::move(values));
    return CommonField{held, *held};
  };
  if (ranks_->alone()) return by_itself(std::move(own));
  gather_one(*ranks_, 0);  // until nobody reads any more what they have let go of
  const std::shared_ptr<MachineMemory> memory = free_memory();
  if (!memory) return by_itself(gather_field(std::move(own), boxes_, all_, *ranks_));

  auto* const field = reinterpret_cast<double*>(memory->bytes().data());
  const auto rows = [&](int rank, const auto& visit) {
    const Box& box = boxes_[static_cast<std::size_t>(rank)];
    for_each_row(box, [&](std::int64_t j, std::int64_t k) {
      visit(field + all_.at(box.begin[0], j, k), static_cast<std::size_t>(box.extent(0)));
    });
  };
  const auto each_on_machine = [&](int machine, const auto& visit) {
    for (int r = 0; r < ranks_->size(); ++r) {
      if (first_of_machine_[static_cast<std::size_t>(r)] == machine) visit(r);
    }
  };
  const double* next = own.data();
  rows(ranks_->rank(), [&](double* row, std::size_t cells) {
    std::copy_n(next, cells, row);
    next += cells;
  });
  gather_one(*ranks_, 0);  // until all of them have

  // Between machines the first rank of each speaks for it.
  const int machine = ranks_->first_of_machine();
  const bool speaks = machine == ranks_->rank();
  std::vector<int> others;
  for (int r = 0; r < ranks_->size(); ++r) {
    if (first_of_machine_[static_cast<std::size_t>(r)] == r && r != machine) others.push_back(r);
  }
  if (others.empty()) return {memory, {field, all_.count()}};
  std::vector<Bytes> leaving(static_cast<std::size_t>(ranks_->size()));
  if (speaks) {
    std::vector<double> packed;
    each_on_machine(machine, [&](int rank) {
      rows(rank, [&](const double* row, std::size_t cells) {
        packed.insert(packed.end(), row, row + cells);
      });
    });
    for (const int other : others) {
      leaving[static_cast<std::size_t>(other)] = to_bytes(std::span<const double>(packed));
    }
  }
  const std::vector<Bytes> arrived = ranks_->exchange(leaving);
  for (const int other : speaks ? others : std::vector<int>{}) {
    const std::byte* from = arrived[static_cast<std::size_t>(other)].data();
    each_on_machine(other, [&](int rank) {
      rows(rank, [&](double* row, std::size_t cells) {
        std::memcpy(row, from, cells * sizeof(double));
        from += cells * sizeof(double);
      });
    });
  }
  gather_one(*ranks_, 0);  // until the others' part is there, too
  return {memory, {field, all_.count()}};
}

std::shared_ptr<MachineMemory> MachineFields::free_memory() {
  const auto unused = [](const auto& memory) { return memory.use_count() == 1; };
  const auto found = std::find_if(memories_.begin(), memories_.end(), unused);
  if (found != memories_.end()) return *found;
  auto memory = MachineMemory::make(*ranks_, all_.count() * sizeof(double));
  if (memory) memories_.push_back(memory);
  return memory;
}

}  // namespace ermine
