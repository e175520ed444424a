#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace ermine::cli {

struct ScalingOptions {
  int grid = 32;  ///< cells per axis, for one process
  int rays = 128;
  int repeats = 3;
  std::string backend = "auto";
};

/// Times of 1, 2, 4, ... of the processes there are and, where there is one on a CPU, of 1, 2, 4,
/// ... threads; with a model for more. All processes call it; of the first it is the answer.
nlohmann::ordered_json study_scaling(const ScalingOptions& options);

/// As tables for people to read.
void print_scaling(const nlohmann::ordered_json& study, const ScalingOptions& options);

}  // namespace ermine::cli
