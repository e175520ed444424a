#pragma once

#include "case/section.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace ermine {

/// A case file after parsing: TOML with the lines it came from, overrides applied.
struct CaseFile {
  toml::table table;
  std::string text;  ///< the case as it will run
};

std::string read_case_text(const std::filesystem::path& file);

CaseFile parse_case_file(const std::string& text, const std::filesystem::path& name,
                         const std::vector<std::string>& overrides);

}  // namespace ermine
