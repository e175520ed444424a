#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ermine::cli {

/// Writes a report of `ermine bench` into a folder, and what a Python script draws of it where
/// there is matplotlib.
void write_report(const std::string& json, const std::string& directory, const std::string& name,
                  const std::string& script);

/// In increasing order, each once.
template <class Number>
void tidy(std::vector<Number>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// Each once, in the order given.
inline void drop_repeats(std::vector<std::string>& names) {
  std::vector<std::string> kept;
  for (const std::string& name : names) {
    if (std::find(kept.begin(), kept.end(), name) == kept.end()) kept.push_back(name);
  }
  names = std::move(kept);
}

}  // namespace ermine::cli
