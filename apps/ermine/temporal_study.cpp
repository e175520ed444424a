#include "temporal_study.hpp"

#include <ermine/tracer.hpp>

#include "bench_problems.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <deque>
#include <map>

namespace ermine::cli {
namespace {

using Values = std::vector<double>;

double mean_square_of(const Values& values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return sum / static_cast<double>(values.size());
}

Values less(Values values, const Values& other) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= other[i];
  return values;
}

class TemporalStudy {
 public:
  TemporalStudy(const TemporalOptions& options, Verbosity verbosity)
      : options_(options),
        verbosity_(verbosity),
        problem_(channel_problem(options.grid, options.backend)),
        cells_(problem_.grid.cell_count()) {
    problem_.options.levels = options.levels;
    if (options.levels == 1) problem_.options.thin_starts = ThinStarts::cells;
    problem_.options.mesh_correction = false;
    problem_.options.forgetting = options.forgetting;
    problem_.options.seed = options.seed;
  }

  TemporalRecord run() {
    TemporalRecord record;
    record.rms = std::sqrt(mean_square_of(reference(0)));
    record.jump = of_rms(less(reference(jump()), reference(options_.updates - 1)));
    for (const Temporal temporal :
         {Temporal::independent, Temporal::continued, Temporal::difference}) {
      record.rows.push_back(row(temporal));
    }
    return record;
  }

 private:
  /// An update as far from the last one as can be.
  int jump() const { return options_.updates - 1 + options_.grid / 2 * options_.updates_per_cell; }

  Values temperature(int update) const {
    return moving_channel(problem_.grid, static_cast<double>(update) / options_.updates_per_cell);
  }

  double of_rms(const Values& values) const {
    return std::sqrt(mean_square_of(values) / mean_square_of(known_.at(0)));
  }

  /// Solutions of many rays. On one level they go downstream with the field.
  Values reference(int update) {
    const bool moves = options_.levels == 1;
    const int number = moves ? update % options_.updates_per_cell : update;
    if (!known_.contains(number)) known_[number] = solve_reference(number);
    Values moved = known_[number];
    if (!moves) return moved;
    const auto planes = problem_.grid.cells(2);
    const std::size_t plane = cells_ / planes;
    const auto by = static_cast<std::size_t>(update / options_.updates_per_cell) % planes;
    for (std::size_t i = 0; i < cells_; ++i) {
      const std::size_t from = (i / plane + planes - by) % planes;
      moved[i] = known_[number][from * plane + i % plane];
    }
    return moved;
  }

  Values solve_reference(int number) const {
    Options many = problem_.options;
    many.rays_per_cell = options_.reference_rays;
    many.temporal = Temporal::independent;
    many.seed = options_.seed + 1'000'003;
    ProgressLine progress(fmt::format("reference {}", number), verbosity_);
    return problem_.tracer(many)
        .solve(temperature(number), static_cast<std::uint32_t>(number), std::ref(progress))
        .flux_divergence;
  }

  TemporalRow row(Temporal temporal) {
    TemporalRow row{temporal};
    Options few = problem_.options;
    few.temporal = temporal;
    few.rays_per_cell = temporal == Temporal::difference ? options_.rays / 2 : options_.rays;
    row.rays = few.rays_per_cell;
    const Tracer tracer = problem_.tracer(few);
    const int replicates = tracer.options().replicates;
    ProgressLine progress(name_of(temporal), verbosity_);
    History history;
    Values low_10(cells_), low_40(cells_), sum(cells_);
    Values of_replicates(cells_ * static_cast<std::size_t>(replicates));
    std::deque<Values> last;  // solutions, the newest in front
    const int first = options_.updates / 2;
    for (int update = 0; update < options_.updates; ++update) {
      const Result result =
          tracer.solve(temperature(update), static_cast<std::uint32_t>(update), history);
      row.crossings += static_cast<double>(result.rays.crossings);
      row.seconds += result.seconds.gas;
      const Values right = reference(update);
      const Values error = less(result.flux_divergence, right);
      for (std::size_t i = 0; i < cells_; ++i) {
        low_10[i] += (error[i] - low_10[i]) / 10;
        low_40[i] += (error[i] - low_40[i]) / 40;
        sum[i] += error[i] / options_.updates;
      }
      for (std::size_t i = 0; i < history.flux_divergence.size(); ++i) {
        of_replicates[i] += history.flux_divergence[i] / options_.updates;
      }
      last.push_front(result.flux_divergence);
      if (update >= first && last.size() > 4) {
        row.error += mean_square_of(error);
        row.standard_error += mean_square_of(result.standard_error);
        row.low_pass_10 += mean_square_of(low_10);
        row.low_pass_40 += mean_square_of(low_40);
        Values ahead = less(last[2], right);
        row.held += mean_square_of(ahead);
        for (std::size_t i = 0; i < cells_; ++i) ahead[i] += last[2][i] - last[4][i];
        row.extrapolated += mean_square_of(ahead);
      }
      if (last.size() > 4) last.pop_back();
      progress(static_cast<double>(update + 1) / options_.updates);
    }
    const Result after =
        tracer.solve(temperature(jump()), static_cast<std::uint32_t>(options_.updates), history);
    row.after_jump = of_rms(less(after.flux_divergence, reference(jump())));
    row.crossings /= static_cast<double>(cells_) * options_.updates;
    row.seconds /= options_.updates;
    const double measured = (options_.updates - first) * mean_square_of(known_.at(0));
    for (double* value : {&row.error, &row.standard_error, &row.low_pass_10, &row.low_pass_40,
                          &row.held, &row.extrapolated}) {
      *value = std::sqrt(*value / measured);
    }
    row.mean = of_rms(sum);
    if (!history.empty()) row.mean_standard_error = of_rms(spread(of_replicates, replicates));
    return row;
  }

  /// Standard errors of cells, from values of their replicates.
  Values spread(const Values& values, int replicates) const {
    Values errors(cells_);
    for (std::size_t i = 0; i < cells_; ++i) {
      double sum = 0.0;
      double squares = 0.0;
      for (int r = 0; r < replicates; ++r) {
        const double value = values[static_cast<std::size_t>(r) * cells_ + i] - values[i];
        sum += value;
        squares += value * value;
      }
      errors[i] = std::sqrt((squares - sum * sum / replicates) / (replicates * (replicates - 1.0)));
    }
    return errors;
  }

  TemporalOptions options_;
  Verbosity verbosity_;
  Case problem_;
  std::size_t cells_;
  std::map<int, Values> known_;
};

}  // namespace

TemporalRecord study_updates(const TemporalOptions& options, Verbosity verbosity) {
  return TemporalStudy(options, verbosity).run();
}

}  // namespace ermine::cli
