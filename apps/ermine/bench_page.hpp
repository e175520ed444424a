#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

/// The page of `ermine bench --report`, made from the JSON that studies print: from those of today
/// as from those of files.
namespace ermine::cli {

struct StudyResult {
  std::string source;  ///< where it comes from: a file, "measured now"
  nlohmann::ordered_json json;
};

/// Reads what `ermine bench [STUDY] --json` printed. Throws Error.
StudyResult read_study(const std::string& file);

/// The whole page. Throws Error where a result is none of `ermine bench`.
std::string bench_page(const std::vector<StudyResult>& studies);

/// The part of the page that belongs to one kind of study, without its heading.
std::string throughput_section(const nlohmann::ordered_json& study);
std::string ladder_section(const nlohmann::ordered_json& study);
std::string error_section(const nlohmann::ordered_json& study);
std::string scaling_section(const nlohmann::ordered_json& study);

/// What a study left out, and why; nothing if it did everything.
std::string left_out_list(const nlohmann::ordered_json& study);

/// A number to some digits, with a star if it was scaled and not measured.
std::string digits(double value, bool scaled = false, int count = 3);

/// What traced the rays of a row: "NVIDIA H200", "8 CPU threads".
std::string tracer_of(const nlohmann::ordered_json& row, const nlohmann::ordered_json& study);

}  // namespace ermine::cli
