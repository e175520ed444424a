#include "files/pending_file.hpp"

#include "core/check.hpp"

#include <fstream>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ermine {

PendingFile::PendingFile(std::filesystem::path target)
    : target_(std::move(target)),
      temporary_(target_.parent_path() /
                 fmt::format(".{}.{}.tmp", target_.filename().string(), ::getpid())) {}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : target_(std::move(other.target_)), temporary_(std::exchange(other.temporary_, {})) {}

PendingFile::~PendingFile() {
  std::error_code ignored;
  if (!temporary_.empty()) std::filesystem::remove(temporary_, ignored);
}

void PendingFile::write(std::string_view contents) const {
  std::ofstream out(temporary_, std::ios::binary);
  out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  out.close();
  ERMINE_REQUIRE(out, "writing {} failed, check permissions and free space on the disk",
                 target_.string());
}

void PendingFile::commit() {
  std::error_code error;
  std::filesystem::rename(temporary_, target_, error);
  ERMINE_REQUIRE(
      !error,
      "cannot create {} ({}), check permissions and whether a folder of that name is in the way",
      target_.string(), error.message());
  temporary_.clear();
}

}  // namespace ermine
