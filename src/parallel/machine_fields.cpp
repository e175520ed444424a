#include "parallel/machine_fields.hpp"

#include "core/fresh_memory.hpp"
#include "core/thread_count.hpp"
#include "parallel/box_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ermine {
namespace {

/// One that nobody else holds; null: there is none.
template <class Memory>
std::shared_ptr<Memory> unused(const std::vector<std::shared_ptr<Memory>>& memories) {
  for (const auto& memory : memories) {
    if (memory.use_count() == 1) return memory;
  }
  return nullptr;
}

}  // namespace

MachineFields::MachineFields(std::shared_ptr<Ranks> ranks, std::vector<Box> boxes, const Box& all)
    : ranks_(std::move(ranks)),
      boxes_(std::move(boxes)),
      all_(all),
      first_of_machine_(gather_one(*ranks_, ranks_->first_of_machine())) {}

CommonField MachineFields::operator()(std::span<const double> own) {
  if (ranks_->alone()) return by_itself(own);
  gather_one(*ranks_, 0);  // until nobody reads any more what they have let go of
  const std::shared_ptr<MachineMemory> memory = free_memory();
  if (!memory) {
    const auto held = std::make_shared<const std::vector<double>>(
        gather_field({own.begin(), own.end()}, boxes_, all_, *ranks_));
    return {held, *held};
  }

  auto* const field = reinterpret_cast<double*>(memory->bytes().data());
  const double* next = own.data();
  each_row(ranks_->rank(), field, [&](double* row, std::size_t cells) {
    std::copy_n(next, cells, row);
    next += cells;
  });
  gather_one(*ranks_, 0);  // until all of them have
  share_between_machines(field);
  return {memory, {field, all_.count()}};
}

template <class Visit>
void MachineFields::each_row(int rank, double* field, const Visit& visit) const {
  const Box& box = boxes_[static_cast<std::size_t>(rank)];
  for_each_row(box, [&](std::int64_t j, std::int64_t k) {
    visit(field + all_.at(box.begin[0], j, k), static_cast<std::size_t>(box.extent(0)));
  });
}

void MachineFields::share_between_machines(double* field) const {
  // The first rank of each speaks for it.
  const int machine = ranks_->first_of_machine();
  const bool speaks = machine == ranks_->rank();
  std::vector<int> others;
  for (int r = 0; r < ranks_->size(); ++r) {
    if (first_of_machine_[static_cast<std::size_t>(r)] == r && r != machine) others.push_back(r);
  }
  if (others.empty()) return;
  const auto each_row_of_machine = [&](int first, const auto& visit) {
    for (int r = 0; r < ranks_->size(); ++r) {
      if (first_of_machine_[static_cast<std::size_t>(r)] == first) each_row(r, field, visit);
    }
  };
  std::vector<Bytes> leaving(static_cast<std::size_t>(ranks_->size()));
  if (speaks) {
    std::vector<double> packed;
    each_row_of_machine(machine, [&](const double* row, std::size_t cells) {
      packed.insert(packed.end(), row, row + cells);
    });
    for (const int other : others) {
      leaving[static_cast<std::size_t>(other)] = to_bytes(std::span<const double>(packed));
    }
  }
  const std::vector<Bytes> arrived = ranks_->exchange(leaving);
  for (const int other : speaks ? others : std::vector<int>{}) {
    const std::byte* from = arrived[static_cast<std::size_t>(other)].data();
    each_row_of_machine(other, [&](double* row, std::size_t cells) {
      std::memcpy(row, from, cells * sizeof(double));
      from += cells * sizeof(double);
    });
  }
  gather_one(*ranks_, 0);  // until the others' part is there, too
}

CommonField MachineFields::by_itself(std::span<const double> own) {
  auto memory = unused(own_memories_);
  if (!memory) {
    memory = std::make_shared<UnsetVector<double>>(own.size());
    own_memories_.push_back(memory);
    get_pages(memory->data(), own.size() * sizeof(double), thread_count(0));
  }
  double* const to = memory->data();
#pragma omp parallel for schedule(static) num_threads(thread_count(0))
  for (std::size_t i = 0; i < own.size(); ++i) to[i] = own[i];
  return {memory, {to, own.size()}};
}

std::shared_ptr<MachineMemory> MachineFields::free_memory() {
  if (auto memory = unused(memories_)) return memory;
  auto memory = MachineMemory::make(*ranks_, all_.count() * sizeof(double));
  if (memory) memories_.push_back(memory);
  return memory;
}

}  // namespace ermine
