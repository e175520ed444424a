// Whatever a case file holds, reading it ends with a case or with an Error that says why not. What
// is read must be sound: as many temperatures as cells, all of them physical.

#include <ermine/case.hpp>
#include <ermine/error.hpp>

#include "case/case_file.hpp"
#include "in_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace ermine;

/// Fields on grids of millions of cells are legal, and take minutes.
bool few_cells(const toml::table& table) {
  double cells = 1;
  for (const char* axis : {"x", "y", "z"}) {
    cells *= table["grid"][axis]["cells"].value_or(1.0);
  }
  return cells <= 1000;
}

/// Everything of a gas is read, up to its pressure: building it takes seconds with sanitizers.
const std::string cheap_gas = "medium.pressure=1";
const std::string grey = "medium={absorption_coefficient=1}";
const std::string small_x = "grid.x={cells=2,to=1}", small_y = "grid.y={cells=2,to=1}",
                  small_z = "grid.z={cells=2,to=1}";

void read(const std::string& text, std::vector<std::string> overrides) {
  static const std::filesystem::path name = fuzz::empty_folder() / "fuzz.toml";
  try {
    if (!few_cells(parse_case_file(text, name, {}).table)) {
      overrides.insert(overrides.end(), {small_x, small_y, small_z});
    }
  } catch (const Error&) {
  }
  try {
    const Case found = parse_case(text, name, overrides);
    if (found.temperature.size() != found.grid.cell_count()) std::abort();
    for (const double kelvin : found.temperature) {
      if (!(kelvin >= 0 && kelvin <= 1e5)) std::abort();
    }
  } catch (const Error&) {
  }
  try {
    parse_coupled_case(text, name, overrides);
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const bool may_be_gas = text.find("pressure") != text.npos;
  read(text, {grey});
  read(text, {may_be_gas ? cheap_gas : "title=fuzz"});
  return 0;
}
