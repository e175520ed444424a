#pragma once

#include <hdf5.h>

#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <unistd.h>

namespace ermine::fuzz {

/// A regular file that no disk ever sees, for readers that open files by name. HDF5 wants one that
/// a folder holds.
class FileInMemory {
 public:
  FileInMemory() : descriptor_(::mkstemp(path_.data())) {
    if (descriptor_ < 0) std::abort();
  }
  ~FileInMemory() {
    ::close(descriptor_);
    ::unlink(path_.c_str());
  }
  FileInMemory(const FileInMemory&) = delete;
  FileInMemory& operator=(const FileInMemory&) = delete;

  std::filesystem::path path() const { return path_; }
  void hold(std::span<const char> bytes) const {
    if (::ftruncate(descriptor_, 0) != 0 || ::pwrite(descriptor_, bytes.data(), bytes.size(), 0) !=
                                                static_cast<ssize_t>(bytes.size())) {
      std::abort();
    }
  }

 private:
  std::string path_ = "/dev/shm/ermine-fuzz-XXXXXX";
  int descriptor_;
};

/// A folder without files: names in a case lead nowhere, unless they are absolute.
inline std::filesystem::path empty_folder() { return "/proc/self/map_files/none"; }

/// Once, before HDF5 is used: memory that it gives back to the system would be new to it, and slow,
/// for each of its files.
inline void keep_memory_of_hdf5() {
  if (H5set_free_list_limits(-1, -1, -1, -1, -1, -1) < 0) std::abort();
}

}  // namespace ermine::fuzz
