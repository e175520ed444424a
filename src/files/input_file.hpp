#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace ermine {

/// Throws Error unless a file is regular: pipes and devices may never end, and to open a pipe waits
/// for somebody to write into it. Links to regular files are regular.
void require_regular(const std::filesystem::path& file, std::string_view what = "");

/// All bytes of a file.
std::vector<char> read_bytes(const std::filesystem::path& file);

}  // namespace ermine
