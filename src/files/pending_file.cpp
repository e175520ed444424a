#include <ermine/files.hpp>

#include "core/check.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ermine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t random_digits = 16;

std::string temporary_name(const fs::path& target) {
  std::random_device random;
  return fmt::format(".{}.{:08x}{:08x}.tmp", target.filename().string(), random(), random());
}

/// The file name that a temporary one was made for; none where temporary_name() did not make it.
std::string target_of(const std::string& name) {
  constexpr std::size_t ending = 1 + random_digits + 4;
  if (!name.starts_with('.') || !name.ends_with(".tmp") || name.size() <= 1 + ending) return {};
  const std::string end = name.substr(name.size() - ending);
  const bool digits =
      end.find_first_not_of("0123456789abcdef", 1) == static_cast<std::size_t>(1 + random_digits);
  return end.front() == '.' && digits ? name.substr(1, name.size() - 1 - ending) : std::string();
}

/// The same of a lock.
std::string locked_of(const std::string& name) {
  constexpr std::string_view ending = ".lock";
  if (!name.starts_with('.') || !name.ends_with(ending) || name.size() <= 1 + ending.size()) {
    return {};
  }
  return name.substr(1, name.size() - 1 - ending.size());
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  return names;
}

/// Whoever holds the lock of the target has no live file beside its own.
void remove_stale(const fs::path& target) {
  for (const std::string& name : names_in(folder_of(target))) {
    std::error_code ignored;
    if (target_of(name) == target.filename()) fs::remove(folder_of(target) / name, ignored);
  }
}

/// File systems that cannot flush, or not folders, say so.
bool flushed(int descriptor) {
  return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

/// So that the name outlasts the machine as well.
void flush_folder(const fs::path& file) {
  const int descriptor = ::open(folder_of(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

void remove_left_over(const fs::path& name) {
  std::set<std::string> targets;
  for (const std::string& file : names_in(folder_of(name))) {
    for (const std::string& target : {target_of(file), locked_of(file)}) {
      const std::string own = name.filename().string();
      if (target == own || target.starts_with(own + ".")) targets.insert(target);
    }
  }
  for (const std::string& target : targets) {
    try {
      const FileLock lock(folder_of(name) / target, 0.0);  // removes its file in the end
      if (lock.held()) remove_stale(folder_of(name) / target);
    } catch (const Error&) {
      continue;  // it is alive
    }
  }
}

void require_replaceable(const fs::path& target) {
  std::error_code missing;
  const fs::file_type type = fs::status(target, missing).type();
  const auto what = [&] {
    if (type == fs::file_type::directory) return "a folder of that name is in the way";
    if (type == fs::file_type::fifo || type == fs::file_type::socket) return "it is a pipe";
    if (type == fs::file_type::block || type == fs::file_type::character) return "it is a device";
    return "it is no regular file";
  };
  const bool free = type == fs::file_type::not_found || type == fs::file_type::regular ||
                    type == fs::file_type::none;
  ERMINE_REQUIRE(free, "cannot write {} ({}), choose another name", target.string(), what());
  // /dev/stdout and its like, where a stream goes into a file.
  const fs::path link = fs::read_symlink(target, missing);
  ERMINE_REQUIRE(missing || !link.string().starts_with("/proc/"),
                 "cannot write {} (it is a stream), choose another name", target.string());
}

PendingFile::PendingFile(fs::path target)
    : target_((require_replaceable(target), std::move(target))), lock_(target_) {
  if (lock_.held()) remove_stale(target_);
  constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  while (descriptor_ < 0) {
    temporary_ = target_.parent_path() / temporary_name(target_);
    descriptor_ = ::open(temporary_.c_str(), flags, 0666);
    if (descriptor_ >= 0 || errno == EEXIST) continue;
    const std::string reason = std::strerror(errno);
    temporary_.clear();
    fail("writing {} failed ({}), check permissions and free space on the disk", target_.string(),
         reason);
  }
}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : target_(std::move(other.target_)),
      lock_(std::move(other.lock_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

PendingFile::~PendingFile() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
  if (descriptor_ >= 0) ::close(descriptor_);
}

void PendingFile::write(std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t count = ::write(descriptor_, contents.data(), contents.size());
    if (count < 0 && errno == EINTR) continue;
    ERMINE_REQUIRE(count > 0,
                   "writing {} failed ({}), check permissions and free space on the disk",
                   target_.string(), std::strerror(errno));
    contents.remove_prefix(static_cast<std::size_t>(count));
  }
}

void PendingFile::commit() {
  ERMINE_REQUIRE(flushed(descriptor_), "writing {} failed ({}), check free space on the disk",
                 target_.string(), std::strerror(errno));
  require_replaceable(target_);
  std::error_code error;
  fs::rename(temporary_, target_, error);
  ERMINE_REQUIRE(!error, "cannot create {} ({}), check permissions", target_.string(),
                 error.message());
  temporary_.clear();
  flush_folder(target_);
}

}  // namespace ermine
