#pragma once

#include "core/ranks.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace ermine {

/// Memory that all ranks of a machine have in common. Each of them lets go of it by itself.
class MachineMemory {
 public:
  /// Collective. Null on all ranks where one of them cannot have it.
  static std::shared_ptr<MachineMemory> make(Ranks& ranks, std::size_t bytes);
  ~MachineMemory();
  MachineMemory(const MachineMemory&) = delete;
  MachineMemory& operator=(const MachineMemory&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  explicit MachineMemory(std::span<std::byte> bytes) : bytes_(bytes) {}

  std::span<std::byte> bytes_;
};

}  // namespace ermine
