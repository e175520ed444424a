#include "transport/cuda/tracer_device.hpp"

#include "backend/device_memory.hpp"
#include "backend/texture.hpp"
#include "transport/cuda/launch.hpp"
#include "transport/cuda/net_device.hpp"
#include "transport/run/gather.hpp"
#include "transport/scene/levels_of.hpp"
#include "transport/scene/scene.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

namespace ermine {
namespace {

/// A solution on a stream of its own: arrays go up, rays are traced batch after batch, tallies come
/// down, all queued by the constructor.
class DeviceSolution : public Submission::State {
 public:
  DeviceSolution(const Tracer& tracer, const TemperatureField& temperature, const Solving& how,
                 const DeviceLayout& layout)
      : tracer_(tracer), layout_(layout), ranks_(how.team()) {
    const Stopwatch setup_time;
    const Levels levels = levels_of(tracer);
    result_.backend = Backend::cuda;
    result_.device = current_device_name();
    result_.levels = levels.count();
    result_.steps_per_level = levels.count() > 1 ? levels.steps() : 1;
    result_.wall_levels = result_.levels;
    result_.wall_steps_per_level = result_.steps_per_level;
    with_scene(tracer, levels, temperature, [&](auto& scene) {
      result_.emission = scene.take_emission();
      result_.termination = scene.termination();
      if (how.emission_slope) result_.emission_slope = scene.emission_slope();
      queue(scene, how.update);
    });
    result_.device_memory = memory_.bytes();
    result_.seconds.setup = setup_time.seconds();
  }

  bool ready() const override { return all_done_->passed(); }

  Result wait(const ProgressCallback& progress) override {
    for (const Milestone& milestone : milestones_) {
      while (progress && !milestone.event.passed()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      if (progress) progress({milestone.rays, rays_, -1.0});
    }
    all_done_->wait();
    result_.seconds.gas = gas_done_->seconds_since(*started_);
    result_.seconds.walls = walls_done_->seconds_since(*gas_done_);
    const RayTotals& totals = counts_.values().front();
    const auto [counts, hopeless] = of_all_ranks(
        {static_cast<std::int64_t>(totals.traced), static_cast<std::int64_t>(totals.lost),
         static_cast<std::int64_t>(totals.crossings)},
        totals.given_up > 0, ranks_);
    result_.rays = counts;
    check_lost_rays(result_.rays, tracer_.options(), hopeless);
    const auto copy = [](std::span<const Estimate> values) {
      return std::vector<Estimate>(values.begin(), values.end());
    };
    if (ranks_.alone()) {
      gather(tracer_, gas_.values(), walls_.values(), result_);
    } else {
      gather(tracer_, of_all_ranks(copy(gas_.values()), ranks_),
             of_all_ranks(copy(walls_.values()), ranks_), result_);
    }
    result_.ledger = balance(tracer_, result_);
    result_.rays_per_cell = static_cast<double>(tracer_.options().rays_per_cell);
    result_.rays_per_wall_face = static_cast<double>(tracer_.options().rays_per_wall_face);
    return std::move(result_);
  }

 private:
  struct Milestone {
    Event event;
    std::int64_t rays;  ///< traced by then
  };

  template <class SceneType>
  void queue(const SceneType& scene, std::uint32_t update) {
    using Real = typename SceneType::Real;
    const PlainField<Real> plain{memory_.copy(scene.coordinate())};
    if constexpr (std::is_same_v<Real, float>) {
      if (tracer_.options().field_access == FieldAccess::texture &&
          scene.coordinate().size() <= Texture::most_values()) {
        texture_.emplace(plain.value, scene.coordinate().size());
        return queue(scene, update, plain, texture_->field());
      }
    }
    queue(scene, update, plain, plain);
  }

  template <class SceneType, class Plain, class Field>
  void queue(const SceneType& scene, std::uint32_t update, const Plain& plain, const Field& field) {
    const Options& options = tracer_.options();
    const OnDevice place{memory_};
    rays_ = rays_in_all(options, scene.cells(), scene.wall_cells());
    totals_ = memory_.zeros<RayTotals>(1);
    counts_ = PinnedArray<RayTotals>(1);

    const auto trace_wall = scene.template wall_tracer<RandomRays>(
        scene.template march<Spacing::stretched, Detail::levelled>(place, plain), place, update);
    with_march(scene, field, [&](const auto& march) {
      const auto trace_cell = scene.template cell_tracer<RandomRays>(march, place, update);
      stream_.wait();  // all arrays are up, those of the host may go
      started_.emplace(stream_);
      queue_batches(trace_cell, scene.cells(), options.rays_per_cell, gas_);
    });
    gas_done_.emplace(stream_);
    queue_batches(trace_wall, scene.wall_cells(), options.rays_per_wall_face, walls_);
    walls_done_.emplace(stream_);
    counts_.receive(totals_, stream_);
    all_done_.emplace(stream_);
  }

  /// Calls visit(march) with the march that fits the scene, among those there are kernels for.
  template <class SceneType, class Field, class Visit>
  void with_march(const SceneType& scene, const Field& field, const Visit& visit) {
    const OnDevice place{memory_};
    scene.template with_spacing<RandomRays>([&]<Spacing spacing>() {
      if constexpr (std::is_same_v<typename SceneType::Real, float>) {
        if (result_.levels == 1) {
          return visit(scene.template march<spacing, Detail::single>(place, field));
        }
      }
      visit(scene.template march<spacing, Detail::levelled>(place, field));
    });
  }

  /// As many batches side by side as fill the card, the next ones behind them.
  template <class Trace>
  void queue_batches(const Trace& trace, std::size_t origins, std::int64_t rays,
                     PinnedArray<Estimate>& estimates) {
    if (rays == 0 || origins == 0) return;
    const int batches = batch_count(tracer_.options(), origins, rays);
    const IndexRange part = part_of_rank(origins, ranks_);
    origins = part.count();
    if (origins == 0) return;
    const int side_by_side = static_cast<int>(
        std::clamp<std::int64_t>(layout_.threads / static_cast<std::int64_t>(origins), 1, batches));
    Tally* tallies = memory_.zeros<Tally>(origins);
    Estimate* on_device = memory_.allocate<Estimate>(origins);
    TraceLaunch launch{
        static_cast<int>(part.begin),
        static_cast<int>(origins),
        rays,
        batches,
        0,
        0,
        memory_.allocate<BatchSums>(origins * static_cast<std::size_t>(side_by_side)),
        totals_};
    estimates = PinnedArray<Estimate>(origins);
    const std::int64_t before = milestones_.empty() ? 0 : milestones_.back().rays;
    for (int batch = 0; batch < batches; batch += side_by_side) {
      launch.first_batch = batch;
      launch.batch_count = std::min(side_by_side, batches - batch);
      launch_trace(trace, launch, layout_.block, stream_);
      launch_tally(launch, tallies, on_device, stream_);
      const std::int64_t done = rays * (batch + launch.batch_count) / batches;
      milestones_.push_back({Event(stream_), before + static_cast<std::int64_t>(origins) * done});
    }
    estimates.receive(on_device, stream_);
  }

  const Tracer& tracer_;
  DeviceLayout layout_;
  Ranks& ranks_;
  Result result_;
  std::int64_t rays_ = 0;
  PinnedArray<Estimate> gas_;
  PinnedArray<Estimate> walls_;
  PinnedArray<RayTotals> counts_;
  std::optional<Texture> texture_;
  // Destroyed in reverse: memory is given back on the stream, then the stream waits for its work.
  Stream stream_;
  DeviceMemory memory_{stream_};
  RayTotals* totals_ = nullptr;
  std::optional<Event> started_, gas_done_, walls_done_, all_done_;
  std::vector<Milestone> milestones_;
};

}  // namespace

std::unique_ptr<Submission::State> submit_on_device(const Tracer& tracer,
                                                    const TemperatureField& temperature,
                                                    const Solving& how,
                                                    const DeviceLayout& layout) {
  if (tracer.options().sampler == RaySampler::net) {
    return submit_net_on_device(tracer, temperature, how, layout);
  }
  return std::make_unique<DeviceSolution>(tracer, temperature, how, layout);
}

}  // namespace ermine
