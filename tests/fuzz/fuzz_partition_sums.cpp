// Bytes as a CSV file of partition sums, and interpolation in it.
#include <ermine/error.hpp>
#include <ermine/lines.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ermine;
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  try {
    const auto sums = PartitionSums::read(in, "fuzz");
    for (std::size_t i = 1; i <= sums.isotopologues(); ++i) {
      for (const double share : {0.0, 0.3, 1.0}) {
        const double kelvin = (1 - share) * sums.first() + share * sums.last();
        if (!(sums(static_cast<int>(i), kelvin) >= 0)) std::abort();
      }
    }
  } catch (const Error&) {
  }
  return 0;
}
