#pragma once

#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ermine::cli {

/// Writes a report of `ermine bench` into a folder, and what a Python script draws of it where
/// there is matplotlib.
void write_report(const std::string& json, const std::string& directory, const std::string& name,
                  const std::string& script);

/// SHA-256 of what a study says, however it is laid out.
std::string checksum_of(const nlohmann::ordered_json& json);

/// JSON for people and programs, with its checksum as "sha256"; file names may hold bytes that are
/// no UTF-8.
std::string json_text(const nlohmann::ordered_json& json);

/// Writes the page of a study just made into a folder and tells the study so ("report"); nothing if
/// the folder has no name.
void add_bench_page(nlohmann::ordered_json& study, const std::string& directory);

/// Says where that page is, if there is one.
void print_page(const nlohmann::ordered_json& study);

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
