#pragma once

#include <ermine/tracer.hpp>

#include "core/fresh_memory.hpp"
#include "core/unset_vector.hpp"
#include "geometry/grid_storage.hpp"
#include "medium/gas_storage.hpp"
#include "medium/scattering_storage.hpp"
#include "transport/draw/net_rays.hpp"
#include "transport/draw/scene_density.hpp"
#include "transport/ray/termination.hpp"
#include "transport/ray/trace_cell.hpp"
#include "transport/ray/trace_wall.hpp"
#include "transport/run/gather.hpp"
#include "transport/scene/rough_cells.hpp"
#include "transport/scene/shared_medium.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

namespace ermine {

/// Whether rays of cells have a march of their own for equally wide cells. Others, which are few,
/// or wait for memory rather than for the walk, go without: each march costs compile time.
template <class Medium, template <class> class Rays>
inline constexpr bool has_uniform_march =
    std::is_same_v<Medium, GreyView<float>> || std::is_same_v<Medium, PointTableView<float>>;
template <int most>
inline constexpr bool has_uniform_march<GasView<float, most>, NetRays> = true;

/// Whether what a medium is made of depends on the temperature field.
template <class Storage>
inline constexpr bool made_for_field = false;
template <class Real, int most>
inline constexpr bool made_for_field<GasStorage<Real, most>> = true;

/// What a scene is made of.
struct SceneInput {
  const Tracer& tracer;
  const Levels& levels;
  const TemperatureField& temperature;
  std::span<const double>
      earlier;  ///< another field that the same rays may be followed in, or none
  std::pair<double, double> range;  ///< of the gas in both, see scene_range() [K]
  SceneKey key;
};

/// One temperature field made ready for rays: all arrays that the tracers need, on the host. Any
/// backend takes its tracers from here.
template <class Storage>
class Scene {
 public:
  using View = typename Storage::View;
  using Real = typename View::RealType;
  using Sampler = typename PointDistribution<Real>::Sampler;

  /// `medium` and its `points` must outlive the scene. Refuses temperatures that the medium does
  /// not cover.
  Scene(const Storage& medium, const ScenePoints<Real>& points, const SceneInput& input)
      : options_(input.tracer.options()),
        termination_(termination_of(input.tracer)),
        grid_box_(all_cells(input.tracer.grid())),
        temperature_(input.temperature),
        range_(input.range),
        cells_(input.tracer.grid().cell_count()),
        wall_cells_(static_cast<std::size_t>(input.levels.views().front().wall[6])),
        threads_(input.levels.threads()),
        spacing_(input.levels.spacing()),
        polar_axis_(steepest_axis(input.tracer.grid(), temperature_, threads_)),
        medium_(medium),
        grid_(input.tracer.grid(), input.levels),
        walls_(input.tracer.grid(), input.tracer.walls(), input.levels, options_.coarse_temperature,
               [&](double t) { return medium.wall_coordinate(t); }),
        scattering_(input.tracer.scattering(), input.levels),
        points_(points),
        fades_(options_.termination != Termination::automatic ||
               fades_in_gas(points.strengths(), shortest_way(input.tracer.grid()))),
        key_(input.key),
        rough_(rough_cells(input.tracer, temperature_)),
        coordinate_(temperature_.complete() ? input.levels.cell_count()
                                            : temperature_.parts().windows.count()) {
    fill(input.levels);
    if (!input.earlier.empty()) add_earlier(input.tracer, input.levels, input.earlier);
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  std::size_t cells() const { return cells_; }
  /// How rays of cells end.
  Termination termination() const { return fades_ ? termination_ : Termination::cutoff; }
  const std::vector<char>& rough() const { return rough_; }  ///< see rough_cells()
  /// See changed_starts(); empty: there is no earlier field, or all start alike.
  const std::vector<char>& changed_starts() const { return changed_starts_; }
  std::vector<char> starts() const;  ///< of cells, as CellKinds has them
  std::size_t wall_cells() const { return wall_cells_; }
  /// Calls visit.template operator()<spacing>() with the spacing of the march that fits the grid.
  template <template <class> class Rays, class Visit>
  void with_spacing(const Visit& visit) const {
    if constexpr (has_uniform_march<View, Rays>) {
      if (spacing_ == Spacing::uniform) return visit.template operator()<Spacing::uniform>();
    }
    visit.template operator()<Spacing::stretched>();
  }
  const UnsetVector<Real>& coordinate() const { return coordinate_; }
  /// Empty: there is no earlier field.
  const UnsetVector<Real>& earlier_coordinate() const { return earlier_coordinate_; }
  const TemperatureField& temperature() const { return temperature_; }
  /// Of the gas, also in the earlier field, see scene_range() [K].
  const std::pair<double, double>& range() const { return range_; }
  /// Of what coordinate() has; null: all.
  template <class Place>
  const LevelWindow* window(const Place& place) const {
    return temperature_.complete() ? nullptr : place(temperature_.parts().windows.all());
  }
  /// As cells have it.
  Real coordinate_at(double kelvin) const { return static_cast<Real>(medium_.coordinate(kelvin)); }
  const std::vector<PointStrength>& strengths() const { return points_.strengths(); }
  const SceneKey& key() const { return key_; }
  /// Zero in cells that other ranks own.
  std::vector<double> take_emission() { return std::move(emission_); }
  /// d emission / dT [W/(m3 K)], from what is emitted a little below and above the temperature;
  /// zero in cells that other ranks own.
  std::vector<double> emission_slope() const;

  /// `field` is the coordinate of the cells, wherever the backend keeps it.
  template <Spacing spacing, Detail detail, class Place, class Field>
  auto march(const Place& place, const Field& field) const {
    const auto most = std::int64_t{std::numeric_limits<int>::max() - 1};
    const bool roulette = termination_ == Termination::roulette;
    return March<View, Field, spacing, detail>{
        grid_.view(place),
        walls_.view(place),
        medium_.view(place),
        field,
        static_cast<Real>(roulette ? roulette_threshold : options_.tolerance),
        static_cast<int>(std::min(options_.max_crossings, most)),
        roulette,
        scattering_.view(place)};
  }

  /// Rays of a tracer in the earlier field, which is `field`.
  template <class Trace, class Place, class Field>
  Trace in_earlier_field(Trace trace, const Place& place, const Field& field) const {
    trace.march.coordinate = field;
    if constexpr (made_for_field<Storage>) trace.march.medium = earlier_medium_->view(place);
    return trace;
  }

  template <template <class> class Rays, class March, class Place>
  auto cell_tracer(March march, const Place& place, std::uint32_t update) const {
    if (!fades_) cut_off(march);
    return CellTracer<March, Rays<Sampler>>{
        {march, rays<Rays>(points_.gas().view(place), update, 0, options_.shifts), options_.start,
         rough_.empty() ? nullptr : place(rough_), hopeless()}};
  }

  template <template <class> class Rays, class March, class Place>
  auto wall_tracer(March march, const Place& place, std::uint32_t update) const {
    if (options_.termination == Termination::automatic) cut_off(march);
    return WallTracer<March, Rays<Sampler>>{
        {march,
         rays<Rays>(points_.wall().view(place), update, static_cast<std::uint32_t>(cells_),
                    Shifts::cell),
         options_.start, nullptr, hopeless()}};
  }

 private:
  /// Calls visit(cell, place) for those that this rank looks at for all, on all threads.
  template <class Visit>
  void each_own_cell(const Visit& visit) const {
    const Box own = temperature_.complete() ? grid_box_ : temperature_.parts().own();
#pragma omp parallel for collapse(2) schedule(static) num_threads(threads_)
    for (std::int64_t k = own.begin[2]; k < own.end[2]; ++k) {
      for (std::int64_t j = own.begin[1]; j < own.end[1]; ++j) {
        if (own.extent(0) <= 0) continue;
        const std::size_t cell = grid_box_.at(own.begin[0], j, k);
        const std::size_t place = temperature_.place(cell);
        const auto count = static_cast<std::size_t>(own.extent(0));
        for (std::size_t i = 0; i < count; ++i) visit(cell + i, place + i);
      }
    }
  }

  /// Coordinates of the cells of all levels, and what those of the grid emit.
  void fill(const Levels& levels) {
    reserve_pages(emission_, cells_, threads_);
    get_pages(coordinate_.data(), coordinate_.size() * sizeof(Real), threads_);
    // Of a field in parts, coarser levels are known as well.
    const std::span<const double> known =
        temperature_.complete() ? temperature_.finest() : std::span(temperature_.parts().values);
    std::size_t refused = known.size();  // first cell; no exception may leave a thread
#pragma omp parallel num_threads(threads_)
    {
      // One thread has to get memory that is new to the process.
#pragma omp single nowait
      emission_.resize(cells_);
#pragma omp for schedule(static) reduction(min : refused)
      for (std::size_t i = 0; i < known.size(); ++i) {
        if (medium_.covers(known[i])) {
          coordinate_[i] = static_cast<Real>(medium_.coordinate(known[i]));
        } else {
          refused = std::min(refused, i);
        }
      }
    }
    if (refused < known.size()) medium_.coordinate(known[refused]);  // throws
    // No mean leaves the range of its parts: there is nothing to refuse.
    std::vector<double> coarse;
    if (temperature_.complete()) {
      coarse =
          levels.coarse_levels(known, average_of(options_.coarse_temperature), medium_.emitting());
    }
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t i = 0; i < coarse.size(); ++i) {
      coordinate_[cells_ + i] = static_cast<Real>(medium_.coordinate(coarse[i]));
    }
    each_own_cell([&](std::size_t cell, std::size_t place) {
      emission_[cell] =
          medium_.emission(CellId{static_cast<int>(cell)}, static_cast<double>(coordinate_[place]));
    });
  }

  void add_earlier(const Tracer& tracer, const Levels& levels, std::span<const double> earlier) {
    if constexpr (made_for_field<Storage>) {
      earlier_medium_.emplace(medium_.shared(), levels, earlier);
    }
    const std::vector<double> coarse =
        levels.coarse_levels(earlier, average_of(options_.coarse_temperature), medium_.emitting());
    changed_starts_ = ermine::changed_starts(rough_, tracer, earlier);
    earlier_coordinate_.resize(coordinate_.size());
#pragma omp parallel for schedule(static) num_threads(levels.threads())
    for (std::size_t i = 0; i < earlier_coordinate_.size(); ++i) {
      const double kelvin = i < cells_ ? earlier[i] : coarse[i - cells_];
      earlier_coordinate_[i] = static_cast<Real>(medium_.coordinate(kelvin));
    }
  }
  template <class March>
  void cut_off(March& march) const {
    march.roulette = 0;
    march.tolerance = static_cast<Real>(options_.tolerance);
  }
  float hopeless() const { return static_cast<float>(hopeless_fraction(options_)); }
  template <template <class> class Rays>
  Rays<Sampler> rays(const Sampler& sampler, std::uint32_t update, std::uint32_t first,
                     [[maybe_unused]] Shifts shifts) const {
    if constexpr (std::is_same_v<Rays<Sampler>, NetRays<Sampler>>) {
      const bool fresh = options_.temporal == Temporal::independent;
      return {sampler, options_.seed, update,     fresh ? update : 0, net_block(fresh ? 0 : update),
              first,   shifts,        polar_axis_};
    } else {
      return {sampler, options_.seed, update, first};
    }
  }

  const Options& options_;
  Termination termination_;
  Box grid_box_;
  TemperatureField temperature_;
  std::pair<double, double> range_;
  std::size_t cells_;
  std::size_t wall_cells_;
  int threads_;
  Spacing spacing_;
  int polar_axis_;
  const Storage& medium_;
  GridStorage<Real> grid_;
  WallsStorage<Real> walls_;
  ScatteringStorage<Real> scattering_;
  const ScenePoints<Real>& points_;
  bool fades_;  ///< rays of cells, in the gas, or it does not matter (see Fading)
  SceneKey key_;
  std::vector<char> rough_;
  std::vector<char> changed_starts_;
  UnsetVector<Real> coordinate_;  ///< of the cells of all levels, or of those in windows
  UnsetVector<Real> earlier_coordinate_;
  std::optional<Storage> earlier_medium_;  ///< where it is another one
  std::vector<double> emission_;           ///< of the cells of the grid [W/m3]
};

template <class Storage>
std::vector<char> Scene<Storage>::starts() const {
  std::vector<char> kinds = rough_;
  for (std::size_t i = 0; i < changed_starts_.size(); ++i) {
    kinds[i] = static_cast<char>(kinds[i] + 2 * changed_starts_[i]);
  }
  return kinds;
}

template <class Storage>
std::vector<double> Scene<Storage>::emission_slope() const {
  std::vector<double> slope;
  reserve_pages(slope, cells_, threads_);
  slope.resize(cells_);
  each_own_cell([&](std::size_t i, std::size_t place) {
    constexpr double step = 0.005;  // of the temperature: nodes reach as far (scene_margin)
    const double here = temperature_.finest()[place];
    const auto near = [&](double kelvin) { return medium_.covers(kelvin) ? kelvin : here; };
    const double low = near((1 - step) * here);
    const double high = near((1 + step) * here);
    if (!(high > low)) return;
    const CellId cell{static_cast<int>(i)};
    slope[i] = (medium_.emission(cell, medium_.coordinate(high)) -
                medium_.emission(cell, medium_.coordinate(low))) /
               (high - low);
  });
  return slope;
}

/// Calls visit(scene) with the scene of a tracer in a precision, from what its cache has.
template <class Real, class Visit>
auto with_scene_in(const Tracer& tracer, const Levels& levels, const TemperatureField& temperature,
                   std::span<const double> earlier, Visit&& visit) {
  const auto range = scene_range(tracer, temperature, earlier);
  const SceneKey key{scene_density(tracer, range), levels.count()};
  const auto with = [&](const auto& storage, const ScenePoints<Real>& points) {
    Scene scene(storage, points, {tracer, levels, temperature, earlier, range, key});
    return visit(scene);
  };
  if (const auto* grey = std::get_if<GreyMedium>(&tracer.medium())) {
    const auto shared = shared_grey<Real>(*grey, tracer, levels, key);
    return with(shared->medium, shared->points);
  }
  if (const auto shared = shared_table<Real>(tracer, levels, key)) {
    return with(shared->medium, shared->points);
  }
  constexpr int most = most_gas_components;
  ERMINE_REQUIRE(temperature.complete(),
                 "a gas that is looked up species by species needs all of the temperature on every "
                 "process, choose coupling.field = \"replicated\"");
  const auto shared =
      shared_gas<Real, most>(std::get<GasMedium>(tracer.medium()), tracer, levels, key);
  const GasStorage<Real, most> storage({shared, &shared->medium}, levels, temperature.finest());
  return with(storage, shared->points);
}

/// Calls visit(scene) with the scene of the tracer's medium and precision, and of an `earlier`
/// field if there is one, which the medium must cover.
template <class Visit>
auto with_scene(const Tracer& tracer, const Levels& levels, const TemperatureField& temperature,
                std::span<const double> earlier, Visit&& visit) {
  return tracer.options().precision == Precision::single_precision
             ? with_scene_in<float>(tracer, levels, temperature, earlier, visit)
             : with_scene_in<double>(tracer, levels, temperature, earlier, visit);
}
template <class Visit>
auto with_scene(const Tracer& tracer, const Levels& levels, const TemperatureField& temperature,
                Visit&& visit) {
  return with_scene(tracer, levels, temperature, {}, visit);
}

}  // namespace ermine
