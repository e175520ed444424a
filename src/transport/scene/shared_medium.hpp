#pragma once

#include <ermine/tracer.hpp>

#include "geometry/levels.hpp"
#include "medium/gas_of_scene.hpp"
#include "medium/grey_storage.hpp"
#include "medium/point_rows.hpp"
#include "medium/point_table_storage.hpp"
#include "medium/scene_gas.hpp"
#include "transport/scene/scene_cache.hpp"
#include "transport/scene/scene_points.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace ermine {

/// A medium as all temperature fields of a scene share it, and its spectral points.
template <class Medium>
struct SharedMedium {
  using Real = typename Medium::View::RealType;

  /// The medium is Medium(arguments...).
  template <class... Arguments>
  SharedMedium(const Tracer& tracer, const SceneKey& key, int threads, Arguments&&... arguments)
      : medium(std::forward<Arguments>(arguments)...),
        points(medium.strengths(key.density), tracer.options().sampler, threads) {}

  std::size_t bytes() const { return medium.bytes() + points.bytes(); }

  Medium medium;
  ScenePoints<Real> points;
};
template <class Medium>
using SharedMediumPointer = std::shared_ptr<const SharedMedium<Medium>>;

/// Those of a tracer for scenes of a key, from its cache if they are there.
template <class Real>
SharedMediumPointer<GreyStorage<Real>> shared_grey(const GreyMedium& grey, const Tracer& tracer,
                                                   const Levels& levels, const SceneKey& key) {
  using Shared = SharedMedium<GreyStorage<Real>>;
  return scene_cache(tracer).get<Shared>(key, [&] {
    return std::make_shared<const Shared>(tracer, key, levels.threads(), grey, levels);
  });
}

/// Null where a medium is no plain list of spectral points.
template <class Real>
SharedMediumPointer<PointTableStorage<Real>> shared_table(const Tracer& tracer,
                                                          const Levels& levels,
                                                          const SceneKey& key) {
  using Shared = SharedMedium<PointTableStorage<Real>>;
  const int threads = levels.threads();
  const auto rows = [&]() -> std::optional<PointRows> {
    if (const auto* list = std::get_if<SpectralList>(&tracer.medium())) {
      return point_rows(*list, key.density, threads);
    }
    return point_rows(std::get<GasMedium>(tracer.medium()), key.density, threads);
  };
  return scene_cache(tracer).get<Shared>(key, [&]() -> std::shared_ptr<const Shared> {
    const auto of_scene = rows();
    if (!of_scene) return nullptr;
    return std::make_shared<const Shared>(tracer, key, threads, *of_scene, threads);
  });
}

/// Looked up species by species.
template <class Real, int most>
SharedMediumPointer<SceneGas<Real, most>> shared_gas(const GasMedium& gas, const Tracer& tracer,
                                                     const Levels& levels, const SceneKey& key) {
  using Shared = SharedMedium<SceneGas<Real, most>>;
  return scene_cache(tracer).get<Shared>(key, [&] {
    const int threads = levels.threads();
    if (std::is_same_v<Real, float> && tracer.options().sampler == RaySampler::net) {
      const auto packed = std::make_shared<const Shared>(
          tracer, key, threads, short_gas_of_scene(gas, key.density, threads), levels, key.density);
      if (packed->medium.packed()) return packed;
    }
    return std::make_shared<const Shared>(tracer, key, threads,
                                          gas_of_scene(gas, key.density, threads), levels);
  });
}

}  // namespace ermine
