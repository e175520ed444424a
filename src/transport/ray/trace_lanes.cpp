#include "transport/ray/trace_lanes.hpp"

#include <array>

namespace ermine {
namespace {

bool has(Instructions instructions) {
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_cpu_init();
  switch (instructions) {
    case Instructions::scalar:
      return true;
    case Instructions::avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case Instructions::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("fma");
  }
#endif
  return instructions == Instructions::scalar;
}

}  // namespace

std::span<const Instructions> usable_instructions() {
  struct List {
    std::array<Instructions, 3> entries{};
    std::size_t count = 0;
  };
  static const List list = [] {
    List usable;
    for (const Instructions i : {Instructions::scalar, Instructions::avx2, Instructions::avx512}) {
      const bool code =
          i == Instructions::scalar || lanes_tracer(i, LaneMedium::table, true) != nullptr;
      if (code && has(i)) usable.entries[usable.count++] = i;
    }
    return usable;
  }();
  return {list.entries.data(), list.count};
}

TraceLanes lanes_tracer(Instructions instructions, LaneMedium medium, bool uniform) {
  switch (instructions) {
    case Instructions::scalar:
      return nullptr;
    case Instructions::avx2:
      return lanes_tracer_avx2(medium, uniform);
    case Instructions::avx512:
      return lanes_tracer_avx512(medium, uniform);
  }
  return nullptr;
}

}  // namespace ermine
