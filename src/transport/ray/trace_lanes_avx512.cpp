#include "transport/scene/lane_scene.hpp"

// Compiled for these instructions where the compiler knows them, see core/pack.hpp.
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#include "core/pack_avx512.hpp"
#include "transport/ray/march_lanes.hpp"

ermine::TraceLanes ermine::lanes_tracer_avx512(LaneMedium medium, bool uniform) {
  return tracer_of_lanes<Avx512Pack>(medium, uniform);
}
#else
ermine::TraceLanes ermine::lanes_tracer_avx512(LaneMedium, bool) { return nullptr; }
#endif
