#pragma once

namespace ermine {

inline constexpr double pascal_per_atmosphere = 101325.0;  ///< standard atmosphere, by definition

}  // namespace ermine
