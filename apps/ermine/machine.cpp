#include "machine.hpp"

#include <omp.h>

#include <fstream>

namespace ermine::cli {
namespace {

std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

std::string compiler_name() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

}  // namespace

Machine this_machine() { return {processor_name(), omp_get_max_threads(), compiler_name()}; }

}  // namespace ermine::cli
