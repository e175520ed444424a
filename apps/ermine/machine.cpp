#include "machine.hpp"

#include <ermine/device.hpp>
#include <ermine/version.hpp>

#include "progress_line.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
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

std::string first_device() {
  const auto found = devices();
  return found.empty() ? "" : found.front().name;
}

}  // namespace

Machine this_machine() {
  return {processor_name(), omp_get_max_threads(), first_device(), compiler_name()};
}

nlohmann::ordered_json machine_json(const Machine& machine) {
  return {{"processor", machine.processor}, {"threads", machine.threads},
          {"device", machine.device},       {"compiler", machine.compiler},
          {"flags", ERMINE_BUILD_FLAGS},    {"ermine_version", ERMINE_VERSION}};
}

std::string hardware_of(const Result& result) {
  if (result.backend == Backend::cuda) {
    return fmt::format("{} ({} of its memory)", result.device,
                       human_bytes(static_cast<double>(result.device_memory)));
  }
  return fmt::format("{} CPU thread{}", result.threads, result.threads == 1 ? "" : "s");
}

}  // namespace ermine::cli
