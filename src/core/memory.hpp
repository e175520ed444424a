#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>  // says whether it is glibc
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/resource.h>
#include <unistd.h>

namespace ermine {

/// Memory of this machine [bytes].
inline double physical_memory() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(::sysconf(_SC_PAGESIZE));
}

/// Most memory that this program has held at a time [bytes].
inline std::int64_t peak_memory() {
  // ru_maxrss also counts what the process held before exec(), such as the memory of a shell or
  // test driver; VmHWM of Linux begins anew with the program.
  if (std::FILE* file = std::fopen("/proc/self/status", "r")) {
    long kilobytes = 0;
    char line[256];
    while (kilobytes == 0 && std::fgets(line, sizeof line, file)) {
      if (std::sscanf(line, "VmHWM: %ld", &kilobytes) != 1) kilobytes = 0;
    }
    std::fclose(file);
    if (kilobytes > 0) return std::int64_t{kilobytes} * 1024;
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

/// Gives back to the system what this process has freed: the library of C keeps much of it.
inline void give_memory_back() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

/// Memory that this process holds now [bytes].
inline std::int64_t resident_memory() {
  long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%*s %ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return std::int64_t{pages} * ::sysconf(_SC_PAGESIZE);
}

}  // namespace ermine
