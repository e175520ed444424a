#pragma once

#include "simulation.hpp"

#include <nlohmann/json_fwd.hpp>

namespace channel {

/// What a run has done, for programs. Collective.
nlohmann::json report(Simulation& run, double seconds);
/// The same for people.
std::string summary(const nlohmann::json& report);

}  // namespace channel
