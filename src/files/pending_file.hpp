#pragma once

#include <filesystem>
#include <string_view>

namespace ermine {

/// A file being written under a temporary name beside its final one. commit() gives it the final
/// name; without it the temporary file is removed, so that no partial file is ever left behind.
class PendingFile {
 public:
  explicit PendingFile(std::filesystem::path target);
  ~PendingFile();
  PendingFile(PendingFile&& other) noexcept;
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  const std::filesystem::path& target() const { return target_; }
  const std::filesystem::path& temporary() const { return temporary_; }
  void write(std::string_view contents) const;
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;  ///< empty: nothing to remove
};

}  // namespace ermine
