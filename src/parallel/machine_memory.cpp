#include "parallel/machine_memory.hpp"

#include <array>
#include <atomic>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace ermine {
namespace {

/// A shared memory object of the system, not those of MPI: to free one of MPI's all ranks of the
/// machine would have to come together, and a flow code drops its objects where it likes.
class SharedObject {
 public:
  using Name = std::array<char, 64>;

  /// Null: there is no room for so much.
  static std::span<std::byte> create(Name& name, std::size_t size) {
    static std::atomic<int> number{0};
    const std::string text = "/ermine." + std::to_string(getpid()) + "." + std::to_string(++number);
    text.copy(name.data(), name.size() - 1);
    const int file = shm_open(name.data(), O_CREAT | O_EXCL | O_RDWR, S_IRUSR | S_IWUSR);
    if (file < 0) {
      name = {};
      return {};
    }
    // Room is taken now: where it were missing later, writing would end the process.
    if (posix_fallocate(file, 0, static_cast<off_t>(size)) == 0) return map(file, size);
    close(file);
    remove(name);
    return {};
  }
  static std::span<std::byte> open(const Name& name, std::size_t size) {
    const int file = shm_open(name.data(), O_RDWR, 0);
    if (file < 0) return {};
    return map(file, size);
  }
  /// Its memory stays with those that have it.
  static void remove(const Name& name) {
    if (name[0] != 0) shm_unlink(name.data());
  }

 private:
  static std::span<std::byte> map(int file, std::size_t size) {
    void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED) return {};
    return {static_cast<std::byte*>(memory), size};
  }
};

}  // namespace

std::shared_ptr<MachineMemory> MachineMemory::make(Ranks& ranks, std::size_t bytes) {
  const bool first = ranks.first_of_machine() == ranks.rank();
  SharedObject::Name name{};
  std::span<std::byte> memory;
  if (first) memory = SharedObject::create(name, bytes);
  const auto names = gather_one(ranks, name);
  const auto& common = names[static_cast<std::size_t>(ranks.first_of_machine())];
  if (!first && common[0] != 0) memory = SharedObject::open(common, bytes);
  std::shared_ptr<MachineMemory> made(memory.empty() ? nullptr : new MachineMemory(memory));
  for (const int has_it : gather_one(ranks, static_cast<int>(made != nullptr))) {
    if (!has_it) made.reset();
  }
  if (first) SharedObject::remove(name);
  return made;
}

MachineMemory::~MachineMemory() { munmap(bytes_.data(), bytes_.size()); }

}  // namespace ermine
