// A formula gives one number wherever it is evaluated, the same each time, or an Error.

#include <ermine/error.hpp>

#include "case/expression.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ermine;
  try {
    Expression formula(std::string(reinterpret_cast<const char*>(data), size));
    for (const std::array<double, 3>& at :
         {std::array{0.0, 0.0, 0.0}, std::array{0.3, -1e12, 1e9}}) {
      const auto bits = std::bit_cast<std::uint64_t>(formula(at));
      if (std::bit_cast<std::uint64_t>(formula(at)) != bits) std::abort();
    }
  } catch (const Error&) {
  }
  return 0;
}
