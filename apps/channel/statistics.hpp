#pragma once

#include "case.hpp"
#include "flow.hpp"
#include "hdf5_file.hpp"
#include "radiation_link.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace channel {

/// Averages over wall-parallel planes and time, and spectra on chosen planes.
class Statistics {
 public:
  Statistics(const Mesh& mesh, const std::vector<double>& planes);

  /// Collective.
  void sample_flow(Flow& flow, const double* source);
  void sample_radiation(RadiationLink& radiation);

  double samples() const { return samples_; }
  void write(Hdf5Writer& file, const Mesh& mesh) const;

  /// All sums, for restart files.
  void save(Hdf5Writer& file) const;
  /// Whether the file has sums of these planes and quantities; if not, averages begin anew.
  bool load(const Hdf5Reader& file);

 private:
  struct Spectra {
    double x;
    int cell;
    std::vector<double> sums;  ///< of each quantity: along y, then along z
  };
  void add_spectra(Spectra& at, std::size_t quantity, const std::vector<double>& plane) const;
  void write_flow(Hdf5Writer& file, double per_plane) const;
  void write_radiation(Hdf5Writer& file, double per_plane) const;
  void write_noise(Hdf5Writer& file, const std::string& group, int cell) const;
  std::vector<double> cells() const;

  int nx_, ny_, nz_;
  double samples_ = 0, radiation_samples_ = 0;
  PlaneSums flow_, radiation_;
  std::vector<Spectra> spectra_;
};

}  // namespace channel
