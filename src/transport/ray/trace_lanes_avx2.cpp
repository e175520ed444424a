#include "transport/scene/lane_scene.hpp"

// Compiled for these instructions where the compiler knows them, see core/pack.hpp.
#if defined(__AVX2__) && defined(__FMA__)
#include "core/pack_avx2.hpp"
#include "transport/ray/march_lanes.hpp"

ermine::TraceLanes ermine::lanes_tracer_avx2(LaneMedium medium, bool uniform) {
  return tracer_of_lanes<Avx2Pack>(medium, uniform);
}
#else
ermine::TraceLanes ermine::lanes_tracer_avx2(LaneMedium, bool) { return nullptr; }
#endif
