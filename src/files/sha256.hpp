#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace ermine {

/// SHA-256 (FIPS 180-4) in hexadecimal digits, as sha256sum prints it.
std::string sha256(std::span<const char> bytes);

/// The same of a file's contents.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace ermine
