#include <ermine/lines.hpp>

#include "core/check.hpp"
#include "core/fp_guard.hpp"
#include "core/thread_count.hpp"
#include "spectra/broadened_lines.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>

namespace ermine {
namespace {

/// Wavenumbers that one thread treats at a time: they stay in its cache while it adds lines.
constexpr std::int64_t points_per_block = 2048;

/// Wavenumbers in the middle of equal steps.
struct WavenumberGrid {
  double from_cm1;
  double step_cm1;
  std::int64_t count;

  double operator[](std::int64_t i) const {
    return from_cm1 + (static_cast<double>(i) + 0.5) * step_cm1;
  }
  /// Index of the first wavenumber that is not below the given one.
  std::int64_t first_from(double wavenumber_cm1) const {
    const double i = std::ceil((wavenumber_cm1 - from_cm1) / step_cm1 - 0.5);
    return static_cast<std::int64_t>(std::clamp(i, 0.0, static_cast<double>(count)));
  }
};

/// Adds all lines, in order, to the wavenumbers [begin, end).
void add_lines(const std::vector<BroadenedLine>& lines, const WavenumberGrid& grid,
               double cutoff_cm1, std::int64_t begin, std::int64_t end, double* spectrum) {
  const double first_cm1 = grid[begin] - cutoff_cm1 - grid.step_cm1;
  const double last_cm1 = grid[end - 1] + cutoff_cm1 + grid.step_cm1;
  const auto below = [](const BroadenedLine& line, double c) { return line.centre_cm1 < c; };
  for (auto line = std::lower_bound(lines.begin(), lines.end(), first_cm1, below);
       line != lines.end() && line->centre_cm1 <= last_cm1; ++line) {
    const std::int64_t i = std::max(begin, grid.first_from(line->centre_cm1 - cutoff_cm1));
    const std::int64_t j = std::min(end, grid.first_from(line->centre_cm1 + cutoff_cm1));
    if (i >= j) continue;
    add_voigt(line->area, line->width, grid[i] - line->centre_cm1, grid.step_cm1,
              std::span(spectrum + i, static_cast<std::size_t>(j - i)));
  }
}

/// Passes the share on, not more than a few times a second.
class Progress {
 public:
  explicit Progress(const ShareCallback& callback) : callback_(callback) {}

  void report(double share) {
    const auto now = std::chrono::steady_clock::now();
    if (!callback_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(250);
    callback_(share);
  }
  void finish() const {
    if (callback_) callback_(1.0);
  }

 private:
  const ShareCallback& callback_;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now();
};

}  // namespace

std::vector<double> line_by_line_spectrum(const std::vector<SpectralLine>& lines,
                                          const PartitionSums& partition_sums, double kelvin,
                                          const LineByLineOptions& options,
                                          const ShareCallback& progress) {
  const FloatingPointGuard guard;
  check(options);
  const auto broadened = broaden(lines, partition_sums, kelvin, options);
  const WavenumberGrid grid{options.from_cm1, options.step_cm1,
                            std::llround((options.to_cm1 - options.from_cm1) / options.step_cm1)};
  std::vector<double> spectrum(static_cast<std::size_t>(grid.count), 0.0);

  const std::int64_t blocks = (grid.count + points_per_block - 1) / points_per_block;
  Progress report(progress);
  std::atomic<std::int64_t> done = 0;
  std::exception_ptr failure;  // of the callback; must not leave the parallel region
  // Blocks do not depend on the number of threads, so neither does any bit of the sums.
#pragma omp parallel for schedule(dynamic) num_threads(thread_count(options.threads))
  for (std::int64_t block = 0; block < blocks; ++block) {
    const std::int64_t begin = block * points_per_block;
    add_lines(broadened, grid, options.cutoff_cm1, begin,
              std::min(begin + points_per_block, grid.count), spectrum.data());
    const std::int64_t so_far = ++done;
    if (omp_get_thread_num() == 0 && !failure) {
      try {
        report.report(static_cast<double>(so_far) / static_cast<double>(blocks));
      } catch (...) {
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
  report.finish();
  return spectrum;
}

SpectralTable line_by_line_table(const std::vector<SpectralLine>& lines,
                                 const PartitionSums& partition_sums,
                                 const std::vector<double>& temperature,
                                 const LineByLineOptions& options, const ShareCallback& progress) {
  const FloatingPointGuard guard;
  check(options);
  ERMINE_REQUIRE(options.from_cm1 == std::round(options.from_cm1) &&
                     options.to_cm1 == std::round(options.to_cm1),
                 "a line-by-line table has bands of 1 1/cm, but the range is {} to {} 1/cm, give "
                 "whole numbers",
                 options.from_cm1, options.to_cm1);
  const double per_band = std::round(1 / options.step_cm1);
  ERMINE_REQUIRE(std::abs(per_band * options.step_cm1 - 1) < 1e-9,
                 "a line-by-line table has bands of 1 1/cm, which steps of {} 1/cm do not fill, "
                 "give one over a whole number",
                 options.step_cm1);
  ERMINE_REQUIRE(
      !temperature.empty() && std::adjacent_find(temperature.begin(), temperature.end(),
                                                 std::greater_equal<>()) == temperature.end(),
      "temperatures of a table must increase, give at least one");

  SpectralTable table;
  table.kind = TableKind::line_by_line;
  table.pressure = options.pressure;
  table.mole_fraction = options.mole_fraction;
  table.temperature = temperature;
  table.quadrature = Quadrature::equal_parts(static_cast<int>(per_band));
  const std::int64_t bands = std::llround(options.to_cm1 - options.from_cm1);
  for (std::int64_t band = 0; band < bands; ++band) {
    const double low_cm1 = options.from_cm1 + static_cast<double>(band);
    table.bands.push_back({low_cm1, low_cm1 + 1});
  }
  table.absorption.resize(table.point_count() * temperature.size());
  for (std::size_t t = 0; t < temperature.size(); ++t) {
    const auto share = [&](double of_this) {
      const auto count = static_cast<double>(temperature.size());
      if (progress) progress((static_cast<double>(t) + of_this) / count);
    };
    const auto spectrum =
        line_by_line_spectrum(lines, partition_sums, temperature[t], options, share);
    for (std::size_t i = 0; i < spectrum.size(); ++i) {
      table.absorption[i * temperature.size() + t] = static_cast<float>(spectrum[i]);
    }
  }
  return table;
}

}  // namespace ermine
