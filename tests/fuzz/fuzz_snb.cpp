// Whatever a narrow-band file holds, reading it ends with parameters that pass their own check or
// with an Error that says why not.

#include <ermine/error.hpp>
#include <ermine/narrow_band.hpp>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream in(std::string(data, data + size));
  try {
    const auto parameters = ermine::read_snb(in, "fuzz", ermine::Species::co2);
    parameters.check();
    if (parameters.temperature.size() >= 2) ermine::extended_down(parameters, 250.0).check();
  } catch (const ermine::Error&) {
  }
  return 0;
}
