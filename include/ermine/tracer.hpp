#pragma once

#include <ermine/communicator.hpp>
#include <ermine/grid.hpp>
#include <ermine/history.hpp>
#include <ermine/medium.hpp>
#include <ermine/options.hpp>
#include <ermine/result.hpp>
#include <ermine/scattering.hpp>
#include <ermine/walls.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace ermine {

class SceneCache;
class TemperatureField;

/// What a run reports while it goes on.
struct Progress {
  std::int64_t rays_done = 0;
  std::int64_t rays_total = 0;  ///< 0: not known, rays are added until an error is reached
  double relative_standard_error = -1.0;  ///< of Q so far; negative: not known yet
};

/// Called a few times a second, on a GPU after each of its launches, from the thread that called
/// solve(). To give up, throw: solve() ends soon and throws the same.
using ProgressCallback = std::function<void(const Progress&)>;

/// A solution under way, on the GPU or on threads of its own. Two or more may be under way at once.
/// If it is dropped before it is done, it is cancelled, which takes a fraction of a second.
class Submission {
 public:
  class State;
  explicit Submission(std::unique_ptr<State> state);
  Submission(Submission&&) noexcept;
  Submission& operator=(Submission&&) noexcept;
  ~Submission();

  /// Whether wait() would return at once.
  bool ready() const;
  /// The result, once; throws what went wrong.
  Result wait();

 private:
  std::unique_ptr<State> state_;
};

/// The Monte Carlo solver: holds an immutable problem, solves it for as many temperature fields as
/// the caller has. The answer depends on the inputs and (seed, update) only, never on threads; CPU
/// and GPU trace the same rays and differ by rounding.
class Tracer {
 public:
  /// Processes of a communicator share the work of solve(): all of them make the same calls with
  /// the same input, and each gets the same result, which does not depend on how many they are.
  Tracer(Grid grid, Walls walls, Medium medium, Options options, Communicator communicator = {});
  /// The same with particles that scatter.
  Tracer(Grid grid, Walls walls, Medium medium, std::vector<Scattering> scattering, Options options,
         Communicator communicator = {});

  /// `temperature` [K], one value per cell, x fastest. `update` numbers successive solutions of a
  /// coupled run, so that each draws fresh rays.
  Result solve(std::span<const double> temperature, std::uint32_t update = 0,
               const ProgressCallback& progress = {}) const;

  /// An update of a coupled run that goes on from its history, and brings it up to date. Where the
  /// options do not ask for differences it keeps nothing but the levels of detail that were chosen.
  /// Refuses that of another grid or number of replicates.
  Result solve(std::span<const double> temperature, std::uint32_t update, History& history,
               const ProgressCallback& progress = {}) const;

  /// The same by this process alone, without waiting for it: copies the temperature and returns.
  /// The tracer must outlive the submission and stay where it is.
  Submission submit(std::span<const double> temperature, std::uint32_t update = 0) const;
  /// The history is brought up to date by wait(); it must stay where and as it is until then.
  Submission submit(std::span<const double> temperature, std::uint32_t update,
                    History& history) const;

  /// What solve() will use: cpu or cuda, where the options leave it open.
  Backend backend() const { return backend_; }
  const Grid& grid() const { return grid_; }
  const Walls& walls() const { return walls_; }
  const Medium& medium() const { return medium_; }
  /// Empty: nothing scatters.
  const std::vector<Scattering>& scattering() const { return scattering_; }
  const Options& options() const { return options_; }

 private:
  friend SceneCache& scene_cache(const Tracer& tracer);
  friend void check_rays_end(const Tracer& tracer, const TemperatureField& temperature);

  Grid grid_;
  Walls walls_;
  Medium medium_;
  std::vector<Scattering> scattering_;
  Options options_;
  Communicator communicator_;
  Backend backend_ = Backend::cpu;
  /// Once found so. Copies have the same problem, and calls from several threads are allowed.
  std::shared_ptr<std::atomic<bool>> rays_end_ = std::make_shared<std::atomic<bool>>(false);
  std::shared_ptr<SceneCache> scenes_;  ///< what solutions leave for the next; of all copies
};

}  // namespace ermine
