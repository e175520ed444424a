#pragma once

#include "backend/stream.hpp"
#include "transport/ray/tally.hpp"

#include <cstdint>

namespace ermine {

/// Rays of a run so far. Whole numbers: the order in which threads add to them does not matter.
struct RayTotals {
  unsigned long long traced;
  unsigned long long crossings;
  unsigned long long lost;
  unsigned long long given_up;  ///< batches
};

/// Of the scores of a batch, and of their squares.
struct BatchSums {
  double scores;
  double squares;
};

/// Some batches of so many origins, one thread for each batch of each origin.
struct TraceLaunch {
  int first_origin;
  int origins;
  std::int64_t rays;  ///< per origin, in all batches
  int batches;        ///< in all
  int first_batch;
  int batch_count;  ///< in this launch
  BatchSums* sums;  ///< batch * origins + origin
  RayTotals* totals;
};

/// Traces rays on the GPU. Trace is a CellTracer or WallTracer whose arrays lie on the device.
/// `block`: threads per block, up to 128, a multiple of 32.
template <class Trace>
void launch_trace(const Trace& trace, const TraceLaunch& launch, int block, const Stream& stream);

/// Adds the sums of a launch to the tallies of its origins, batch after batch, and brings their
/// estimates up to date.
void launch_tally(const TraceLaunch& launch, Tally* tallies, Estimate* estimates,
                  const Stream& stream);

}  // namespace ermine
