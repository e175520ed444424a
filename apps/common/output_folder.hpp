#pragma once

#include <ermine/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <system_error>
#include <unistd.h>

namespace ermine {

/// Makes a folder for results and writes a file there for a moment, so that a folder that takes
/// none is found before hours are spent on them. Throws Error.
/// `needed`: bytes that the results take at least.
inline void create_folder(const std::filesystem::path& directory, double needed = 0.0) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  std::error_code no_status;
  if (!std::filesystem::is_directory(directory, no_status)) {
    throw Error(fmt::format("cannot create output folder {} ({}), choose another",
                            directory.string(), error ? error.message() : "a file is in the way"));
  }
  std::string name = (directory / ".write-test.XXXXXX").string();
  const int file = ::mkstemp(name.data());
  const bool written = file >= 0 && ::write(file, "?", 1) == 1;
  const std::string problem = written ? "" : std::strerror(errno);
  if (file >= 0) {
    ::close(file);
    ::unlink(name.c_str());
  }
  if (!written) {
    throw Error(fmt::format(
        "cannot write to output folder {} ({}), check permissions and free space on the disk, or "
        "choose another",
        directory.string(), problem));
  }
  const auto space = std::filesystem::space(directory, error);
  if (!error && static_cast<double>(space.available) < needed) {
    throw Error(fmt::format(
        "not enough disk space in {} ({:.3g} MB free, at least {:.3g} MB needed), free some or "
        "choose another output folder",
        directory.string(), static_cast<double>(space.available) / 1e6, needed / 1e6));
  }
}

/// The same for those that have a name.
inline void create_folders(std::initializer_list<std::string> directories) {
  for (const std::string& directory : directories) {
    if (!directory.empty()) create_folder(directory);
  }
}

}  // namespace ermine
