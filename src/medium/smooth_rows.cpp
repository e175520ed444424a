#include "medium/smooth_rows.hpp"

#include "medium/temperature_position.hpp"
#include "spectra/pchip.hpp"

namespace ermine {
namespace {

/// Difference of logarithms of neighbours beyond which rows are not taken to be smooth.
constexpr double jump = 0.25;

/// At a node between two intervals with these widths and secants: that of the parabola, limited
/// where there is a jump (F. N. Fritsch & R. E. Carlson, SIAM J. Numer. Anal. 17, 1980).
double slope_between(double h0, double h1, double s0, double s1) {
  const double slope = (h1 * s0 + h0 * s1) / (h0 + h1);
  if (std::max(std::abs(h0 * s0), std::abs(h1 * s1)) < jump) return slope;
  if (s0 * s1 <= 0) return 0.0;
  const double most = 3 * std::min(std::abs(s0), std::abs(s1));
  return std::clamp(slope, -most, most);
}

/// At the end of the first interval that is no neighbour of the second.
double slope_at_end(double h0, double h1, double s0, double s1) {
  if (std::max(std::abs(h0 * s0), std::abs(h1 * s1)) > jump) return s0;
  return s0 + (s0 - s1) * h0 / (h0 + h1);
}

}  // namespace

SmoothRows::SmoothRows(std::span<const double> from, std::span<const double> to) {
  begin_ = from.size();
  for (const double kelvin : to) {
    const double position = position_among(from, std::clamp(kelvin, from.front(), from.back()));
    const auto node = std::min(static_cast<std::size_t>(position), from.size() - 2);
    const double fraction = position - static_cast<double>(node);
    const double log_fraction = from[node] > 0
                                    ? std::log1p((kelvin - from[node]) / from[node]) /
                                          std::log1p((from[node + 1] - from[node]) / from[node])
                                    : fraction;
    place_.push_back({node, fraction, std::clamp(log_fraction, 0.0, 1.0)});
    // The secants beside the interval make the slopes at its ends; at the end of a table the next.
    begin_ = std::min(begin_, node < 2 ? 0 : node - 2);
    end_ = std::max(end_, std::min(node + 4, from.size()));
  }
  for (std::size_t i = begin_; i < end_; ++i) log_kelvin_.push_back(std::log(from[i]));
}

void SmoothRows::find_slopes(Scratch& scratch) const {
  const std::size_t nodes = scratch.log.size();
  const auto width = [&](std::size_t i) { return log_kelvin_[i + 1] - log_kelvin_[i]; };
  const auto secant = [&](std::size_t i) {
    return (scratch.log[i + 1] - scratch.log[i]) / width(i);
  };
  // An interval whose ends have logarithms.
  const auto known = [&](std::size_t i) {
    return i + 1 < nodes && std::isfinite(scratch.log[i]) && std::isfinite(scratch.log[i + 1]) &&
           std::isfinite(width(i));
  };
  scratch.slope.assign(nodes, 0.0);
  for (std::size_t i = 0; i < nodes; ++i) {
    const bool before = i > 0 && known(i - 1);
    if (before && known(i)) {
      scratch.slope[i] = slope_between(width(i - 1), width(i), secant(i - 1), secant(i));
    } else if (before) {
      scratch.slope[i] = i > 1 && known(i - 2) ? slope_at_end(width(i - 1), width(i - 2),
                                                              secant(i - 1), secant(i - 2))
                                               : secant(i - 1);
    } else if (known(i)) {
      scratch.slope[i] =
          known(i + 1) ? slope_at_end(width(i), width(i + 1), secant(i), secant(i + 1)) : secant(i);
    }
  }
}

double SmoothRows::at(const Place& place, double low, double high, const Scratch& scratch) const {
  const std::size_t i = place.node - begin_;
  const bool flat = low == high && scratch.slope[i] == 0 && scratch.slope[i + 1] == 0;
  if (place.fraction == 0 || flat) return low;
  if (place.fraction == 1) return high;
  if (!(low > 0) || !(high > 0) || !std::isfinite(log_kelvin_[i])) {
    return low + place.fraction * (high - low);
  }
  const double h = log_kelvin_[i + 1] - log_kelvin_[i];
  return std::exp(hermite(0.0, h, scratch.log[i], scratch.log[i + 1], scratch.slope[i],
                          scratch.slope[i + 1], h * place.log_fraction));
}

}  // namespace ermine
