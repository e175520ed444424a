#pragma once

#include "flow.hpp"
#include "initial.hpp"
#include "ranks.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace channel {

struct TimeOptions {
  double step = 0;         ///< [h/U]; 0: by the Courant number
  double courant = 1.0;    ///< of the sum over three directions; Wray's scheme is stable to 1.73
  double diffusion = 2.0;  ///< the same of diffusion, stable to 2.51
  int every = 10;          ///< steps from one choice of the step to the next, and of checks
  int steps = 0;           ///< in all, from the start of the first run; 0: no limit
  double until = 0;        ///< [h/U]; 0: no limit
};

enum class Emission { explicit_, implicit };

struct RadiationOptions {
  std::string text;  ///< case of ermine, in TOML
  std::filesystem::path name;
  std::vector<std::string> overrides;
  Emission emission = Emission::implicit;
  /// rho cp U/h [W/(m3 K)]: heat that a gas of 1 K gives off in the time h/U.
  double capacity = 0;
  double half_height = 1;  ///< [m]
};

struct OutputOptions {
  std::filesystem::path directory = ".";
  std::string name;
  int restart_every = 0;  ///< steps; 0: at the end only
  bool restart = true;
  int statistics_every = 0;    ///< steps; 0: none
  double statistics_from = 0;  ///< [h/U]
  int slices_every = 0;
  std::vector<double> planes;  ///< x of slices and spectra, in half heights
  int fields_every = 0;        ///< 0: none, -1: at the end
};

/// A complete, checked case.
struct ChannelCase {
  std::string title;
  std::string text;   ///< in TOML, overrides applied
  Settings settings;  ///< all keys of it, dotted, and their values in TOML
  FlowOptions flow;
  StartOptions start;
  TimeOptions time;
  std::optional<RadiationOptions> radiation;
  OutputOptions output;
};

/// Throws ermine::Error with file and line.
ChannelCase read_channel_case(const std::filesystem::path& file,
                              const std::vector<std::string>& overrides);

}  // namespace channel
