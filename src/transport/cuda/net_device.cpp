#include "transport/cuda/net_device.hpp"

#include "transport/accuracy/pilot.hpp"
#include "transport/cuda/replicates_device.hpp"
#include "transport/cuda/segments_device.hpp"
#include "transport/net/net_solve.hpp"
#include "transport/scene/levels_of.hpp"
#include "transport/scene/scene.hpp"

#include <optional>

namespace ermine {
namespace {

/// A solution on a stream of its own: arrays go up and replicates are traced, all queued by the
/// constructor; tallies come down when they are waited for.
class DeviceNetSolution : public Submission::State {
 public:
  DeviceNetSolution(const Tracer& tracer, const TemperatureField& temperature, const Solving& how,
                    const DeviceLayout& layout)
      : tracer_(tracer), temperature_(temperature), how_(how) {
    const Options& options = tracer.options();
    const Levels levels =
        levels_of(tracer, temperature.complete() ? FieldKnown::whole : FieldKnown::windows);
    result_.backend = Backend::cuda;
    result_.device = current_device_name();
    with_scene(tracer, levels, temperature, earlier_temperature(how), [&](auto& scene) {
      result_.emission = scene.take_emission();
      result_.termination = scene.termination();
      scene.template with_spacing<NetRays>(
          [&]<Spacing spacing>() { prepare<spacing>(scene, how, layout); });
      set_levels(*rays_, tracer, temperature, levels, how, result_);
      result_.seconds.setup = clock_.seconds();
      if (!options.target.any() && !how.pilot) trace(options);
      // While the GPU traces.
      if (how.emission_slope) result_.emission_slope = scene.emission_slope();
    });
  }

  bool ready() const override { return !all_done_ || all_done_->passed(); }

  Result wait(const ProgressCallback& progress) override {
    progress_ = progress;
    if (all_done_) {
      all_done_->wait();
      result_.seconds.gas = gas_done_->seconds_since(*started_);
      result_.seconds.walls = all_done_->seconds_since(*gas_done_);
    } else if (how_.pilot) {
      // The whole card is busy with all cells only.
      how_.pilot->run(*rays_, result_, SampleSize::all);
    } else {
      trace_to_target(*rays_, tracer_, clock_, result_);
    }
    share_kinds(tracer_.grid(), temperature_, how_.team(), starts_, result_);
    gather(*rays_, tracer_, temperature_, starts_, result_);
    if (how_.after) rays_->leave(*how_.after);
    result_.device_memory = memory_.bytes();
    return std::move(result_);
  }

 private:
  template <Spacing spacing, class SceneType>
  void prepare(const SceneType& scene, const Solving& how, const DeviceLayout& layout) {
    const OnDevice place{memory_};
    const PlainField<typename SceneType::Real> field{memory_.copy(scene.coordinate()),
                                                     scene.window(place)};
    auto cells = scene.template cell_tracer<NetRays>(
        scene.template march<spacing, Detail::levelled>(place, field), place, how.update);
    auto walls = scene.template wall_tracer<NetRays>(
        scene.template march<Spacing::stretched, Detail::levelled>(place, field), place,
        how.update);
    using Segments = typename SegmentsFor<decltype(cells)>::Type;
    const auto host_march = scene.template march<spacing, Detail::levelled>(
        InPlace{},
        PlainField<typename SceneType::Real>{scene.coordinate().data(), scene.window(InPlace{})});
    const auto segments = Segments::make(cells, host_march, stream_, memory_);
    const auto points = thin_points(scene, tracer_, host_march);
    if (points) {
      result_.thin_below = points->below();
      result_.thin_relative_bias = points->relative_bias();
    }
    const auto thin = thin_trace(points, cells, place, scene.cells() + scene.wall_cells());
    using Replicates = DeviceReplicates<decltype(cells), decltype(walls), Segments>;
    const TileShares shares(how_.team(), temperature_);
    auto rays = std::make_unique<Replicates>(cells, walls, segments, thin, layout, stream_, memory_,
                                             progress_, shares);
    starts_ = scene.starts();
    rays->set_kinds(result_.emission, starts_);
    if (how.after) {
      rays->carry(how.before, kept_share(how, tracer_.options()), scene.changed_starts());
    }
    if (how.before) {
      const PlainField<typename SceneType::Real> earlier{memory_.copy(scene.earlier_coordinate())};
      const auto cells_then = scene.in_earlier_field(cells, place, earlier);
      const auto walls_then = scene.in_earlier_field(walls, place, earlier);
      rays->follow_in(std::make_unique<Replicates>(
          cells_then, walls_then, Segments::make(cells_then, host_march, stream_, memory_),
          in_earlier_field(thin, cells_then), layout, stream_, memory_, progress_, shares));
    }
    rays_ = std::move(rays);
    stream_.wait();  // all arrays are up, those of the host may go
  }

  /// Queues all rays.
  void trace(const Options& options) {
    started_.emplace(stream_);
    trace_cells(*rays_, options, result_.levels);
    gas_done_.emplace(stream_);
    trace_walls(*rays_, options, result_.levels);
    all_done_.emplace(stream_);
  }

  const Tracer& tracer_;
  TemperatureField temperature_;
  Solving how_;
  Stopwatch clock_;
  ProgressCallback progress_;  ///< of whoever waits
  Result result_;
  std::vector<char> starts_;  ///< see CellKinds
  // Destroyed in reverse: memory is given back on the stream, then the stream waits for its work.
  Stream stream_;
  DeviceMemory memory_{stream_};
  std::unique_ptr<ReplicateTracer> rays_;
  std::optional<Event> started_, gas_done_, all_done_;
};

}  // namespace

std::unique_ptr<Submission::State> submit_net_on_device(const Tracer& tracer,
                                                        const TemperatureField& temperature,
                                                        const Solving& how,
                                                        const DeviceLayout& layout) {
  return std::make_unique<DeviceNetSolution>(tracer, temperature, how, layout);
}

}  // namespace ermine
