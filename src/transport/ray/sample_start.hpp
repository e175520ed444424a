#pragma once

#include "core/decay.hpp"
#include "core/vec3.hpp"

namespace ermine {

/// Where a ray leaves the cell that it starts in, and what its start is worth.
///
/// The mean over a cell of volume V of the heat that it exchanges along a direction is an integral
/// over the straight lines through it, each of length L in the cell:
///   k <exp(-k a) D> = 1/V int (1 - exp(-k L)) D dA,
/// with D of March from the face where the line leaves the cell, and dA across the lines. The mean
/// over the starts along a line, from which a is the way to that face, is exact: nothing of it is
/// left to chance. In a thin cell lines count as their length, which is how starts uniform in the
/// cell meet them; in a thick one all lines count the same. Lines are drawn as either, with a
/// probability that depends on the optical thickness, and weighted by the density of both together.
template <class Real>
struct CellExit {
  Vec3<Real> ahead;  ///< ray length to the next face of each axis; 0 for that where it leaves
  Real length;       ///< of the line in the cell, L
  Real density;      ///< of such lines, times V and the length unit

  /// What k D is multiplied by, of a gas with this k.
  ERMINE_FUNCTION Real share(Real absorption) const {
    return length * mean_decay(absorption * length) / density;
  }
};

/// `through`: ray lengths through the whole cell along each axis [m]; `fraction`: uniform in (0,
/// 1); `usual_absorption`: on which the choice is based, the same for all cells and fields [1/m].
template <class Real>
ERMINE_FUNCTION CellExit<Real> leave_cell(const Vec3<Real>& through, const Vec3<Real>& fraction,
                                          Real usual_absorption) {
  constexpr Real thick = 3;  // optical thickness of a mean line at which both are equally likely
  Vec3<Real> faces;          // of each axis, share of the lines that leave through it
  ERMINE_UNROLL
  for (int a = 0; a < 3; ++a) faces[a] = reciprocal(through[a]);
  const Real all = faces[0] + faces[1] + faces[2];  // 1 / mean length
  const Real by_length = thick * all / (thick * all + usual_absorption);
  Vec3<Real> part = fraction;  // of the cell's width, to the face ahead
  if (fraction[2] < by_length) {
    part[2] = fraction[2] / by_length;
  } else {
    const Real which = (fraction[2] - by_length) / (1 - by_length) * all;
    const bool x = which < faces[0];
    const bool y = !x && which < faces[0] + faces[1];
    part[0] = x ? Real(0) : fraction[0];
    part[1] = y ? Real(0) : (x ? fraction[0] : fraction[1]);
    part[2] = x || y ? fraction[1] : Real(0);
  }
  CellExit<Real> exit;
  Real forwards = part[0] * through[0];
  Real backwards = (1 - part[0]) * through[0];
  ERMINE_UNROLL
  for (int a = 0; a < 3; ++a) {
    exit.ahead[a] = part[a] * through[a];
    const Real behind = (1 - part[a]) * through[a];
    forwards = exit.ahead[a] < forwards ? exit.ahead[a] : forwards;
    backwards = behind < backwards ? behind : backwards;
  }
  ERMINE_UNROLL
  for (int a = 0; a < 3; ++a) exit.ahead[a] -= forwards;
  exit.length = forwards + backwards;
  exit.density = by_length * exit.length + (1 - by_length) * reciprocal(all);
  return exit;
}

}  // namespace ermine
