#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace ermine {

/// Files that survive a crash and whose damage is detected: for results, and for restart files of
/// programs that hold a Radiation. Every failure throws Error.

/// Keeps other processes from writing a file, or all files of a run that begin with one name, as
/// long as it lives. It is an empty file in the same folder, .NAME.lock or .NAME.run.lock, which
/// the kernel unlocks however the process ends. File systems without locks keep nobody out.
class FileLock {
 public:
  /// Throws Error where another process holds it for so long [s]; messages name `name`. Who looks
  /// for what was left behind holds the locks of others for a moment.
  explicit FileLock(const std::filesystem::path& name, double patience = 1.0);
  /// Of all files NAME.* of a run. Another name than that of a file, since a run may have the name
  /// of a file of another one.
  static FileLock of_run(const std::filesystem::path& name);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  /// False on file systems without locks, or whose locks cannot be verified.
  bool held() const { return held_; }

 private:
  /// `file` is the lock of what messages call `name`.
  FileLock(std::filesystem::path file, const std::filesystem::path& name, double patience);

  std::filesystem::path file_;
  int descriptor_ = -1;
  bool held_ = false;
};

/// Removes what killed processes have left behind of NAME and of files NAME.*; live ones keep
/// theirs.
void remove_left_over(const std::filesystem::path& name);

/// Throws Error where a file of this name cannot be replaced by another: it is there, and is a
/// folder, a device, a pipe, or a link to one.
void require_replaceable(const std::filesystem::path& target);

/// A file being written beside its final place under an unpredictable temporary name.
/// commit() brings it to the disk and gives it the final name; without commit() it is removed, so
/// that no partial file is ever left behind. What a killed process left behind of the same target
/// is removed by the next one.
class PendingFile {
 public:
  explicit PendingFile(std::filesystem::path target);
  ~PendingFile();
  PendingFile(PendingFile&& other) noexcept;
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  const std::filesystem::path& target() const { return target_; }
  /// For libraries that open files by name.
  const std::filesystem::path& temporary() const { return temporary_; }
  void write(std::string_view contents);  ///< behind what was written before
  void commit();

 private:
  std::filesystem::path target_;
  FileLock lock_;
  std::filesystem::path temporary_;  ///< empty: nothing to remove
  int descriptor_ = -1;
};

/// What a sealed file is. Its first 512 bytes, which HDF5 calls a user block and passes over, are
///   ermine KIND VERSION\n
///   sha256 <checksum of everything after the block>\n
///   zeros
/// A truncated, foreign or damaged file is refused before the HDF5 library, which is not made
/// for broken input, looks at it.
struct Seal {
  std::string_view kind;    ///< "table"
  int version;              ///< of what is behind the block
  std::string_view origin;  ///< ends messages: "build one with ermine spectra"
};

inline constexpr std::size_t seal_size = 512;

/// Puts the seal into the first 512 bytes of a file that was written behind them.
void write_seal(const PendingFile& file, const Seal& seal);

/// Throws Error with what is wrong with the seal of a file, if anything is.
void check_seal(const std::filesystem::path& file, const Seal& seal);

}  // namespace ermine
