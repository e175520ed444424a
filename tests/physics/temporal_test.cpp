#include "support/net_problems.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numbers>

namespace ermine::test {
namespace {

/// A channel with waves of 16 cells that move along it by a quarter of a cell per update: after
/// four updates on one level of detail Q is the same, one cell further.
class MovingChannel {
 public:
  static constexpr int updates_per_cell = 4;
  static constexpr std::size_t planes = 16;

  explicit MovingChannel(StartPoint start) : problem_(channel()) {
    problem_.grid =
        Grid({Axis::stretched(12, 0, 2, 1.2), Axis::uniform(4, 0, 3, Boundary::periodic),
              Axis::uniform(planes, 0, 12, Boundary::periodic)});
    problem_.walls = plates(problem_.grid, wall(573), wall(955));
    Options many = net(1 << 14, 77);
    many.levels = 1;
    many.start = start;
    for (int phase = 0; phase < updates_per_cell; ++phase) {
      known_.push_back(tracer(many).solve(temperature(phase)).flux_divergence);
    }
  }

  std::vector<double> temperature(int update) const {
    return evaluate(problem_.grid, [update](std::array<double, 3> at) {
      const double moved = at[2] - 12.0 / planes * update / updates_per_cell;
      return 764 + 120 * (at[0] - 1) +
             60 * at[0] * (2 - at[0]) * std::sin(std::numbers::pi / 6 * moved) *
                 std::cos(std::numbers::pi / 1.5 * at[1]);
    });
  }

  Tracer tracer(const Options& options) const {
    return Tracer(problem_.grid, problem_.walls, problem_.medium, options);
  }

  std::vector<double> reference(int update) const {
    const auto& still = known_[static_cast<std::size_t>(update % updates_per_cell)];
    const std::size_t plane = still.size() / planes;
    const auto by = static_cast<std::size_t>(update / updates_per_cell) % planes;
    std::vector<double> moved;
    for (std::size_t i = 0; i < still.size(); ++i) {
      moved.push_back(still[(i / plane + planes - by) % planes * plane + i % plane]);
    }
    return moved;
  }

 private:
  Problem problem_;
  std::vector<std::vector<double>> known_;
};

/// Root mean squares over cells, and over all updates but the first 40.
struct UpdateErrors {
  double one = 0.0;          ///< of an update
  double told = 0.0;         ///< the same by its error bars
  double low_pass_10 = 0.0;  ///< seen through a first-order low-pass of so many updates
  double low_pass_40 = 0.0;
  double mean = 0.0;       ///< of the mean over all updates
  double mean_told = 0.0;  ///< the same from differences of replicates
  double after_jump = 0.0;
  double crossings = 0.0;
};

/// Third of the cells, those along the walls, average by default.
class Updates : public testing::TestWithParam<StartPoint> {
 protected:
  static constexpr int updates = 100;
  static constexpr int settled = 40;

  static const MovingChannel& moving() {
    static std::map<StartPoint, MovingChannel> known;
    return known.try_emplace(GetParam(), GetParam()).first->second;
  }
  static int jump() { return updates + 8 * MovingChannel::updates_per_cell; }

  static const UpdateErrors& errors(Temporal temporal) {
    static std::map<std::pair<StartPoint, Temporal>, UpdateErrors> known;
    const std::pair which(GetParam(), temporal);
    if (!known.contains(which)) known[which] = measure(temporal);
    return known[which];
  }

  static UpdateErrors measure(Temporal temporal) {
    Options options = net(temporal == Temporal::difference ? 128 : 256);
    options.replicates = 4;
    options.levels = 1;
    options.temporal = temporal;
    options.start = GetParam();
    const Tracer tracer = moving().tracer(options);
    const auto replicates = static_cast<std::size_t>(tracer.options().replicates);
    const std::size_t cells = tracer.grid().cell_count();
    std::vector<double> low_10(cells), low_40(cells), sum(cells), of_replicates(cells * replicates);
    UpdateErrors found;
    History history;
    const auto square = [](double value) { return value * value; };
    for (int update = 0; update < updates; ++update) {
      const Result result =
          tracer.solve(moving().temperature(update), static_cast<std::uint32_t>(update), history);
      const auto right = moving().reference(update);
      found.crossings += static_cast<double>(result.rays.crossings);
      std::vector<double> error(cells);
      for (std::size_t i = 0; i < cells; ++i) {
        error[i] = result.flux_divergence[i] - right[i];
        low_10[i] += (error[i] - low_10[i]) / 10;
        low_40[i] += (error[i] - low_40[i]) / 40;
        sum[i] += error[i] / updates;
      }
      for (std::size_t i = 0; i < history.flux_divergence.size(); ++i) {
        of_replicates[i] += history.flux_divergence[i] / updates;
      }
      if (update < settled) continue;
      found.one += square(root_mean_square(error));
      found.told += square(root_mean_square(result.standard_error));
      found.low_pass_10 += square(root_mean_square(low_10));
      found.low_pass_40 += square(root_mean_square(low_40));
    }
    for (double* value : {&found.one, &found.told, &found.low_pass_10, &found.low_pass_40}) {
      *value = std::sqrt(*value / (updates - settled));
    }
    found.mean = root_mean_square(sum);
    double spread = 0.0;
    for (std::size_t i = 0; i < of_replicates.size(); ++i) {
      double mean = 0.0;
      for (std::size_t r = 0; r < replicates; ++r) mean += of_replicates[r * cells + i % cells];
      spread += square(of_replicates[i] - mean / static_cast<double>(replicates));
    }
    const auto pairs = static_cast<double>(replicates * (replicates - 1));
    found.mean_told = std::sqrt(spread / pairs / static_cast<double>(cells));
    const Result after = tracer.solve(moving().temperature(jump()), updates, history);
    found.after_jump = difference(after.flux_divergence, moving().reference(jump()));
    return found;
  }
};

TEST_P(Updates, ContinuedNetsHalveWhatALowPassSees) {
  const UpdateErrors& independent = errors(Temporal::independent);
  const UpdateErrors& continued = errors(Temporal::continued);
  EXPECT_NEAR(continued.one, independent.one, 0.1 * independent.one);
  EXPECT_NEAR(continued.told, continued.one, 0.15 * continued.one);
  // Where rays cross their cells is continued as well, but it is not part of the net.
  const bool net_only = GetParam() == StartPoint::point;
  EXPECT_LT(continued.low_pass_40, (net_only ? 0.5 : 0.63) * independent.low_pass_40);
  EXPECT_LT(continued.mean, 0.5 * independent.mean);
}

TEST_P(Updates, DifferencesHaveSmallErrors) {
  const UpdateErrors& independent = errors(Temporal::independent);
  const UpdateErrors& differences = errors(Temporal::difference);
  EXPECT_NEAR(differences.crossings, independent.crossings, 0.05 * independent.crossings);
  EXPECT_LT(differences.one, 0.25 * independent.one);
  EXPECT_LT(differences.low_pass_10,
            (GetParam() == StartPoint::point ? 0.5 : 0.7) * independent.low_pass_10);
}

TEST_P(Updates, DifferencesKnowTheirErrors) {
  const UpdateErrors& differences = errors(Temporal::difference);
  EXPECT_NEAR(differences.told, differences.one, 0.2 * differences.one);
  EXPECT_LT(differences.mean, 1.4 * differences.mean_told);
}

/// All that changes shows at once. What would lag behind is all but 3 % of the jump.
TEST_P(Updates, DifferencesFollowAJump) {
  const double jump_of_q = difference(moving().reference(jump()), moving().reference(updates - 1));
  const UpdateErrors& independent = errors(Temporal::independent);
  const UpdateErrors& differences = errors(Temporal::difference);
  EXPECT_GT(jump_of_q, 5 * independent.one);
  EXPECT_LT(differences.after_jump, 2 * independent.one);
}

INSTANTIATE_TEST_SUITE_P(Starts, Updates, testing::Values(StartPoint::point, StartPoint::average),
                         [](const auto& start) { return std::string(name_of(start.param)); });

}  // namespace
}  // namespace ermine::test
