#include "io/write_fields.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstdint>

namespace ermine {
namespace {

static_assert(std::endian::native == std::endian::little, "the .vtr header says LittleEndian");

std::string array_tag(const std::string& name, std::uint64_t offset) {
  return fmt::format(
      "        <DataArray type=\"Float64\" Name=\"{}\" format=\"appended\" offset=\"{}\"/>\n", name,
      offset);
}

/// A number of the whole file, as VTK has them; it takes "TimeValue" for the time.
std::string number_tag(const std::string& name, double value) {
  return fmt::format(
      "      <DataArray type=\"Float64\" Name=\"{}\" NumberOfTuples=\"1\" format=\"ascii\">{:.17g}"
      "</DataArray>\n",
      name, value);
}

/// XML comments cannot hold two hyphens in a row.
std::string without_comment_end(std::string text) {
  for (auto at = text.find("--"); at != std::string::npos; at = text.find("--", at)) {
    text.replace(at, 2, "- -");
  }
  return text;
}

void append(PendingFile& out, std::span<const double> values) {
  const std::uint64_t bytes = values.size_bytes();
  out.write({reinterpret_cast<const char*>(&bytes), sizeof bytes});
  out.write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

}  // namespace

void write_vtr(const Case& problem, const Result& result, PendingFile& file) {
  const Grid& grid = problem.grid;
  const std::string extent =
      fmt::format("0 {} 0 {} 0 {}", grid.cells(0), grid.cells(1), grid.cells(2));
  std::uint64_t offset = 0;
  const auto next_offset = [&](std::size_t values) {
    return std::exchange(offset, offset + sizeof(std::uint64_t) + values * sizeof(double));
  };
  std::string numbers = number_tag("TimeValue", problem.output.time);
  for (const NamedField& fraction : named_composition(problem).uniform) {
    numbers += number_tag(fraction.name, fraction.values.front());
  }
  std::string header = fmt::format(
      "<?xml version=\"1.0\"?>\n<!-- case:\n{1}\n-->\n<VTKFile type=\"RectilinearGrid\" "
      "version=\"1.0\" "
      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  <RectilinearGrid "
      "WholeExtent=\"{0}\">\n    <FieldData>\n{2}    </FieldData>\n    <Piece Extent=\"{0}\">\n    "
      "  <CellData Scalars=\"Q\">\n",
      extent, without_comment_end(problem.text), numbers);
  const auto fields = named_fields(problem, result);
  for (const NamedField& field : fields) {
    header += array_tag(field.name, next_offset(field.values.size()));
  }
  header += "      </CellData>\n      <Coordinates>\n";
  for (std::size_t a = 0; a < 3; ++a) {
    header += array_tag(fmt::format("{}", "xyz"[a]), next_offset(grid.axis(a).faces.size()));
  }
  header +=
      "      </Coordinates>\n    </Piece>\n  </RectilinearGrid>\n"
      "  <AppendedData encoding=\"raw\">\n_";

  file.write(header);
  for (const NamedField& field : fields) append(file, field.values);
  for (std::size_t a = 0; a < 3; ++a) append(file, grid.axis(a).faces);
  file.write("\n  </AppendedData>\n</VTKFile>\n");
}

}  // namespace ermine
