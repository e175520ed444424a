#pragma once

#include "transport/scene/lane_scene.hpp"

#include <span>

namespace ermine {

/// Instructions that work on many numbers at once. scalar: none, each ray is traced by itself.
enum class Instructions { scalar, avx2, avx512 };

/// Those that there is code for and that this processor has, the best ones last.
std::span<const Instructions> usable_instructions();

/// Null where there is no code for them.
TraceLanes lanes_tracer(Instructions instructions, LaneMedium medium, bool uniform);

}  // namespace ermine
