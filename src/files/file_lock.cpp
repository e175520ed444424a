#include <ermine/files.hpp>

#include "core/check.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace ermine {
namespace {

/// Follows no links, waits for nobody. A lock that somebody else left can be taken, too.
int open_lock(const std::filesystem::path& file) {
  constexpr int flags = O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const int descriptor = ::open(file.c_str(), O_RDWR | flags, 0666);
  if (descriptor >= 0 || errno != EACCES) return descriptor;
  const int existing = ::open(file.c_str(), O_RDONLY | (flags & ~O_CREAT));
  if (existing < 0) errno = EACCES;  // there is none, and none may be made
  return existing;
}

/// Whether a descriptor is still of the file of that name: who held the lock before removes it.
bool is_of(int descriptor, const std::filesystem::path& file) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(file.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

bool is_regular(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

std::filesystem::path lock_of(const std::filesystem::path& name, const char* kind) {
  return name.parent_path() / fmt::format(".{}{}.lock", name.filename().string(), kind);
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& name, double patience)
    : FileLock(lock_of(name, ""), name, patience) {}

FileLock FileLock::of_run(const std::filesystem::path& name) {
  return {lock_of(name, ".run"), name, 1.0};
}

FileLock::FileLock(std::filesystem::path file, const std::filesystem::path& name, double patience)
    : file_(std::move(file)) {
  const auto begun = std::chrono::steady_clock::now();
  const auto may_wait = [&] {
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begun;
    if (waited.count() >= patience) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return true;
  };
  constexpr int usual = 10;  // who held the lock before may have removed it just now
  int replaced = 0;
  while (descriptor_ < 0) {
    const int descriptor = open_lock(file_);
    ERMINE_REQUIRE(descriptor >= 0,
                   "cannot write to output folder {} ({}), check permissions and free space on "
                   "the disk, or choose another",
                   file_.has_parent_path() ? file_.parent_path().string() : ".",
                   std::strerror(errno));
    const bool regular = is_regular(descriptor);
    const bool locked = regular && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    const int reason = errno;
    if (locked && !is_of(descriptor, file_)) {
      ::close(descriptor);
      if (++replaced <= usual || may_wait()) continue;
      return;  // not of this file system: nobody can tell who holds what
    }
    const bool busy = regular && !locked && reason == EWOULDBLOCK;
    if (!regular || busy) ::close(descriptor);
    if (busy && may_wait()) continue;
    ERMINE_REQUIRE(regular, "cannot lock {} ({} is in the way), remove that", name.string(),
                   file_.string());
    ERMINE_REQUIRE(!busy,
                   "another process is writing {} (it has locked {}), wait for its end or choose "
                   "another name",
                   name.string(), file_.string());
    descriptor_ = descriptor;
    held_ = locked;
  }
}

FileLock::FileLock(FileLock&& other) noexcept
    : file_(std::move(other.file_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      held_(other.held_) {}

FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  ::unlink(file_.c_str());
  ::flock(descriptor_, LOCK_UN);  // of child processes as well, which have the same descriptor
  ::close(descriptor_);
}

}  // namespace ermine
