#pragma once

#include <filesystem>
#include <vector>

namespace ermine {

/// Numbers of a CSV file, column by column.
struct CsvTable {
  std::vector<std::vector<double>> columns;
  std::vector<int> lines;  ///< line number of each row, for messages
};

/// Reads comma- or blank-separated numbers. Lines starting with # and one header line are skipped;
/// every row must have exactly `columns` finite numbers. Errors name file and line.
CsvTable read_csv(const std::filesystem::path& file, std::size_t columns);

}  // namespace ermine
