// Whatever a CSV file holds, it is read as finite numbers, with lines that grow, or refused.

#include <ermine/error.hpp>

#include "files/csv.hpp"
#include "in_memory.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ermine;
  static fuzz::FileInMemory file;
  file.hold({reinterpret_cast<const char*>(data), size});
  for (const std::size_t columns : {1, 2}) {
    try {
      const CsvTable table = read_csv(file.path(), columns);
      if (table.columns.size() != columns || table.lines.empty()) std::abort();
      for (const auto& column : table.columns) {
        if (column.size() != table.lines.size()) std::abort();
        for (const double value : column) {
          if (!std::isfinite(value)) std::abort();
        }
      }
    } catch (const Error&) {
    }
  }
  return 0;
}
