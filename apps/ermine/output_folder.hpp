#pragma once

#include <ermine/error.hpp>

#include <filesystem>
#include <initializer_list>
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

/// The same for those that have a name.
inline void create_folders(std::initializer_list<std::string> directories) {
  for (const std::string& directory : directories) {
    if (!directory.empty()) create_folder(directory);
  }
}

}  // namespace ermine::cli
