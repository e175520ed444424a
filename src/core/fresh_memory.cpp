#include "core/fresh_memory.hpp"

#include <cstdint>
#include <sys/mman.h>

namespace ermine {

void get_pages(void* array, std::size_t bytes, int threads) {
  constexpr std::size_t worth_it = std::size_t{4} << 20;
  constexpr std::size_t page = 4096;
  if (bytes < worth_it) return;
  auto* const first = static_cast<std::byte*>(array);
  const std::size_t skipped = (page - reinterpret_cast<std::uintptr_t>(array) % page) % page;
  // Where it is refused, pages are small.
  madvise(first + skipped, (bytes - skipped) / page * page, MADV_HUGEPAGE);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t at = 0; at < bytes; at += page) first[at] = std::byte{0};
}

}  // namespace ermine
