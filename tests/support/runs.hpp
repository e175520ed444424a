#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace ermine::test {

/// Values and reported errors of many runs.
struct Runs {
  std::vector<std::vector<double>> value;
  std::vector<std::vector<double>> error;

  /// Root mean square of the reported errors over that of those found.
  double ratio() const { return std::sqrt(reported() / found()); }

  /// Lowest and highest of the ratios of each value.
  std::array<double, 2> extreme_ratios() const {
    std::array<double, 2> found{HUGE_VAL, 0.0};
    for (std::size_t i = 0; i < value.front().size(); ++i) {
      Runs one;
      for (std::size_t run = 0; run < value.size(); ++run) {
        one.value.push_back({value[run][i]});
        one.error.push_back({error[run][i]});
      }
      found = {std::min(found[0], one.ratio()), std::max(found[1], one.ratio())};
    }
    return found;
  }

  /// Share of the values within two of their errors.
  double within_two() const {
    double within = 0;
    each([&](double deviation, double reported) { within += std::abs(deviation) < 2 * reported; });
    return within / static_cast<double>(value.size() * value.front().size());
  }

 private:
  /// visit(deviation from the mean of all runs, reported error)
  template <class Visit>
  void each(const Visit& visit) const {
    const auto runs = static_cast<double>(value.size());
    for (std::size_t i = 0; i < value.front().size(); ++i) {
      double mean = 0.0;
      for (const auto& of_run : value) mean += of_run[i] / runs;
      for (std::size_t run = 0; run < value.size(); ++run) {
        visit((value[run][i] - mean) / std::sqrt(1 - 1 / runs), error[run][i]);
      }
    }
  }
  double found() const {
    double sum = 0.0;
    each([&](double deviation, double) { sum += deviation * deviation; });
    return sum;
  }
  double reported() const {
    double sum = 0.0;
    each([&](double, double reported) { sum += reported * reported; });
    return sum;
  }
};

}  // namespace ermine::test
