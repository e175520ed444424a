#pragma once

#include <span>
#include <vector>

namespace ermine {

/// Order in which a net runs through spectral points. What a ray at a point finds depends on two
/// things above all: how strongly the point absorbs, and how its intensity changes with
/// temperature (its place in the spectrum). The order follows a Hilbert curve through the plane of
/// the two, each counted by the share of rays that has less of it, so that equal steps along the
/// curve go through both evenly, whatever their number.
///
/// Entries come in increasing order of k; `softness` is their I(Tmin) / I(Tmax).
std::vector<int> along_spectral_curve(std::span<const double> share,
                                      std::span<const double> softness);

/// Number of a cell of a grid of 2^bits x 2^bits along the Hilbert curve.
unsigned hilbert_number(unsigned x, unsigned y, int bits);

}  // namespace ermine
