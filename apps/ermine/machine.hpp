#pragma once

#include <ermine/result.hpp>

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace ermine::cli {

/// The hardware and compiler behind a measurement.
struct Machine {
  std::string processor;
  int threads;
  std::string device;  ///< name of the first GPU, empty if there is none
  std::string compiler;
};

Machine this_machine();

/// What a report of measurements says of the machine, flags and version included.
nlohmann::ordered_json machine_json(const Machine& machine);

/// What traced the rays: "8 CPU threads", "NVIDIA H200 (1.2 GB of its memory)".
std::string hardware_of(const Result& result);

}  // namespace ermine::cli
