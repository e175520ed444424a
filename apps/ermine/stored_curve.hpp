#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace ermine::cli {

/// A stored curve: rows of numbers under comment lines.
inline std::vector<std::vector<double>> parse_curve(const std::string& text) {
  std::vector<std::vector<double>> rows;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    std::vector<double>& row = rows.emplace_back();
    for (double value; words >> value;) row.push_back(value);
  }
  return rows;
}

}  // namespace ermine::cli
