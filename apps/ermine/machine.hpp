#pragma once

#include <string>

namespace ermine::cli {

/// The hardware and compiler behind a measurement.
struct Machine {
  std::string processor;
  int threads;
  std::string compiler;
};

Machine this_machine();

}  // namespace ermine::cli
