#pragma once

#include <ermine/narrow_band.hpp>

#include "spectra/root.hpp"

#include <span>
#include <vector>

namespace ermine {

class InverseGaussianQuantiles;

/// A band of a table and the bands of the data that lie in it. They need not fill it.
struct Lump {
  Band band;
  double share = 1.0;  ///< of the lump that each member covers
  std::vector<std::size_t> members;
};

/// Lumps made of whole bands: those whose centres share floor(centre / width). A lump reaches from
/// the edge below its first possible centre to that below the next lump's, also where the data
/// begin or end within it, so that the lumps of all species agree. Width 0: one lump for each band.
std::vector<Lump> lumps_of(const NarrowBandParameters& parameters, double width_cm1);

/// kbar [1/(m Pa)] and shape B of one band over temperature.
struct BandColumn {
  std::vector<double> mean_absorption;
  std::vector<double> shape;
};

/// k at the nodes g of a lump, one temperature after another: the inverse of the cumulative
/// distribution of k averaged over the lump. Transparent members, and what no member covers, have
/// k = 0.
class LumpQuantiles {
 public:
  LumpQuantiles(const Lump& lump, std::span<const BandColumn> columns,
                std::span<const double> nodes, const InverseGaussianQuantiles& quantiles);

  /// k [1/(m Pa)] at temperature number t. The k of the last call are where the search begins.
  void evaluate(std::size_t t, std::span<double> k);

 private:
  struct Member {
    double mean_absorption;
    double shape;
  };
  /// k at a node, at least that of the node before.
  double find(std::size_t node, double lower);
  /// Share of the lump with a smaller k, and its derivative over ln k.
  Slope cumulative(double log_k) const;

  const Lump& lump_;
  std::span<const BandColumn> columns_;
  std::span<const double> nodes_;
  const InverseGaussianQuantiles& quantiles_;
  std::vector<Member> members_;  // those that absorb at this temperature
  std::vector<double> log_k_;    // at the last temperature; 0 where none is known
  std::vector<double> highest_;  // largest k of a member at each node
  std::vector<double> y_;
};

}  // namespace ermine
