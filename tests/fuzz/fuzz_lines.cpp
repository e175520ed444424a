// Bytes as a file of HITRAN records, and spectra of what it holds.
#include <ermine/error.hpp>
#include <ermine/lines.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ermine;
  static const PartitionSums sums = [] {
    std::istringstream in("# T[K],161,181\n200,97,98\n296,174,176\n500,380,384\n1000,1200,1216\n");
    return PartitionSums::read(in, "sums");
  }();
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  try {
    std::vector<SpectralLine> lines;
    read_lines(in, "fuzz", [&](const SpectralLine& line) { lines.push_back(line); });
    LineByLineOptions options;
    options.from_cm1 = 990;
    options.to_cm1 = 1010;
    options.step_cm1 = 0.1;
    options.mole_fraction = 0.5;
    options.threads = 1;
    for (const double k : line_by_line_spectrum(lines, sums, 700, options)) {
      if (!(k >= 0)) std::abort();
    }
  } catch (const Error&) {
  }
  return 0;
}
