#pragma once

#include <ermine/error.hpp>

#include <filesystem>
#include <string>
#include <system_error>

namespace ermine::cli {

/// Makes a folder for results, or throws Error.
inline void create_folder(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!std::filesystem::is_directory(directory, error)) {
    throw Error("cannot create output folder " + directory +
                ", choose another (a file may be in the way)");
  }
}

}  // namespace ermine::cli
