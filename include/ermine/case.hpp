#pragma once

#include <ermine/coupling.hpp>
#include <ermine/grid.hpp>
#include <ermine/medium.hpp>
#include <ermine/options.hpp>
#include <ermine/particles.hpp>
#include <ermine/tracer.hpp>
#include <ermine/walls.hpp>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ermine {

/// Which files a run writes, and where.
struct OutputOptions {
  std::filesystem::path directory = ".";
  std::string name;   ///< stem of all files
  bool hdf5 = true;   ///< fields, walls, profiles and the case in NAME.h5, with NAME.xdmf beside it
  bool vtr = false;   ///< fields in NAME.vtr (VTK rectilinear grid)
  bool csv = true;    ///< plane-averaged profiles in NAME_x.csv, ...
  double time = 0.0;  ///< [s], of the temperature: for files of a series, as ParaView reads them
};

/// A complete, checked problem in SI units: what a case file says, defaults filled in.
struct Case {
  std::string title;
  std::string text;  ///< the case as it was run, in TOML, overrides applied
  Grid grid;
  Walls walls;
  Medium medium;                    ///< with what particles absorb
  std::vector<double> temperature;  ///< [K] per cell, x fastest
  Options options;
  OutputOptions output;
  CouplingOptions coupling;  ///< for flow solvers; of a run by itself: where the field lies
  std::vector<Particles> particles;

  Tracer tracer(Communicator communicator = {}) const {
    return tracer(options, std::move(communicator));
  }
  /// The same problem with other options.
  Tracer tracer(const Options& others, Communicator communicator = {}) const {
    return {grid, walls, medium, scattering_of(particles), others, std::move(communicator)};
  }
};

/// Reads a TOML case file. `overrides` are "key=value" with dotted keys and TOML values
/// ("solver.rays_per_cell=500"), replacing what the file says. Names of input files are
/// relative to the case file, output.directory to the working folder. Throws Error with file and
/// line.
Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

/// The same from text. `name` stands for the file in messages; its folder anchors relative paths.
Case parse_case(const std::string& text, const std::filesystem::path& name,
                const std::vector<std::string>& overrides = {});

/// What a case file says to a flow solver, which has the temperature and perhaps the grid itself.
struct CoupledCase {
  std::string title;
  std::string text;          ///< in TOML, overrides applied
  std::optional<Grid> grid;  ///< none: walls and medium are uniform
  std::array<Wall, 6> walls;
  Medium medium;  ///< without what particles absorb
  Options options;
  CouplingOptions coupling;
  std::vector<Particles> particles;
};

/// Reads a case file whose temperature, if there is one, is ignored, and whose grid may be missing.
CoupledCase read_coupled_case(const std::filesystem::path& file,
                              const std::vector<std::string>& overrides = {});
CoupledCase parse_coupled_case(const std::string& text, const std::filesystem::path& name,
                               const std::vector<std::string>& overrides = {});

}  // namespace ermine
