#pragma once

#include <ermine/lines.hpp>

#include "spectra/voigt.hpp"

namespace ermine {

/// A line at the temperature, pressure and composition of a gas.
struct BroadenedLine {
  double centre_cm1 = 0.0;  ///< shifted by pressure
  double area = 0.0;        ///< integral of k over wavenumber [1/(m cm)]
  HalfWidths width;
};

/// Throws Error unless the options make sense; needs no lines.
void check(const LineByLineOptions& options);

/// Lines that reach into the range of the options, ordered by centre. Throws Error if they are of
/// several molecules, or not of the one that the partition sums are of.
std::vector<BroadenedLine> broaden(const std::vector<SpectralLine>& lines,
                                   const PartitionSums& partition_sums, double kelvin,
                                   const LineByLineOptions& options);

}  // namespace ermine
