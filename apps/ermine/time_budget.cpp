#include "time_budget.hpp"

#include <algorithm>

namespace ermine::cli {

double TimeBudget::take(double shares) {
  const double left = std::max(0.0, seconds_ - watch_.seconds());
  const double worth = left * shares / std::max(shares, shares_left_);
  shares_left_ -= shares;
  return worth;
}

std::int64_t more_rays(const RunTime& last, std::int64_t planned, double seconds) {
  if (last.rays >= planned) return 0;
  const double per_ray = last.seconds / static_cast<double>(last.rays);
  const double left = 0.9 * seconds - (last.total_seconds - last.seconds);
  const auto affordable =
      static_cast<std::int64_t>(std::clamp(left / per_ray, 0.0, static_cast<double>(planned)));
  if (affordable < last.rays + last.rays / 4) return 0;
  // Short runs predict long ones badly: in steps, each of which the next one dwarfs.
  return std::min(affordable, 16 * last.rays);
}

}  // namespace ermine::cli
