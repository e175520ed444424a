#include "files/csv.hpp"

#include "core/check.hpp"
#include "files/input_file.hpp"

#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace ermine {
namespace {

constexpr std::size_t longest_line = 1u << 16;

bool separates(char c) { return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\r'; }

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t i = 0;
  while (i < line.size()) {
    while (i < line.size() && separates(line[i])) ++i;
    const std::size_t start = i;
    while (i < line.size() && !separates(line[i])) ++i;
    if (i > start) words.push_back(line.substr(start, i - start));
  }
  return words;
}

std::optional<double> to_number(std::string_view word) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

}  // namespace

CsvTable read_csv(const std::filesystem::path& file, std::size_t columns) {
  require_regular(file);
  std::ifstream in(file);
  ERMINE_REQUIRE(in, "cannot read {}, check that the file exists and may be read", file.string());
  CsvTable table;
  table.columns.resize(columns);
  // Bounded: a file without line breaks would fill the memory.
  std::string line(longest_line, '\0');
  bool header_allowed = true;
  int number = 1;
  for (; in.getline(line.data(), longest_line); ++number) {
    const auto count = static_cast<std::size_t>(in.gcount()) - (in.eof() ? 0 : 1);
    const auto words = split({line.data(), count});
    if (words.empty() || words.front().front() == '#') continue;
    if (std::exchange(header_allowed, false) && !to_number(words.front())) continue;
    ERMINE_REQUIRE(words.size() == columns, "{}:{}: found {} columns, give {} numbers per line",
                   file.string(), number, words.size(), columns);
    for (std::size_t c = 0; c < columns; ++c) {
      const auto value = to_number(words[c]);
      ERMINE_REQUIRE(value && std::isfinite(*value),
                     "{}:{}: '{}' is not a finite number, correct the file", file.string(), number,
                     words[c].substr(0, 40));
      table.columns[c].push_back(*value);
    }
    table.lines.push_back(number);
  }
  ERMINE_REQUIRE(!in.bad(), "reading {} failed, check the disk", file.string());
  ERMINE_REQUIRE(in.eof(), "{}:{}: line of more than 64 KiB, give a row of {} numbers per line",
                 file.string(), number, columns);
  ERMINE_REQUIRE(!table.lines.empty(), "{} holds no numbers, give {} columns of them",
                 file.string(), columns);
  return table;
}

}  // namespace ermine
