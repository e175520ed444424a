#pragma once

#include "case.hpp"

#include <nlohmann/json_fwd.hpp>

namespace channel {

/// Time of flow steps with 1, 2, ... threads, or on the GPU, next to what the memory allows.
nlohmann::json bench(const ChannelCase& problem, const std::string& backend);
std::string table(const nlohmann::json& bench);

}  // namespace channel
