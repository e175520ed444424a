#pragma once

#include <ermine/tracer.hpp>

#include "geometry/field_windows.hpp"

#include <cstdint>

namespace ermine {

/// Memory of the temperature that rays march through, on one process [bytes].
struct FieldMemory {
  std::int64_t kelvin = 0;      ///< as it was given, or exchanged
  std::int64_t coordinate = 0;  ///< of all levels, as the medium has it
  std::int64_t entries = 0;     ///< of the same with their halos, for rays that march in segments

  std::int64_t total() const { return kelvin + coordinate + entries; }
};

/// Before any of it is allocated. `windows`: null where the process has all cells.
FieldMemory field_memory(const Tracer& tracer, const FieldWindows* windows = nullptr);
/// Of a process with distributed levels whose cells are a block.
FieldMemory field_memory(const Tracer& tracer, const Box& block);

}  // namespace ermine
