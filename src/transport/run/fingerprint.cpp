#include "transport/run/fingerprint.hpp"

#include <type_traits>

namespace ermine {
namespace {

template <class T>
std::span<const T> all_of(const std::vector<T>& values) {
  return values;
}

Digest digest_of(const GasComponent& component) {
  return Digest()
      .add(std::span<const char>(component.gas))
      .add(all_of(component.first_row))
      .add(all_of(component.band))
      .add(all_of(component.broadening))
      .add(all_of(component.rows));
}

Fingerprint of_gas(const GasMedium& gas) {
  Fingerprint parts;
  Digest bands;
  for (const Band& band : gas.bands()) {
    const std::array edges{band.low_cm1, band.high_cm1};
    bands.add(std::span<const double>(edges));
  }
  bands.add(gas.weights()).add(gas.temperature());
  parts.add("medium (bands, points and temperatures)", bands);
  parts.add("medium.pressure", gas.pressure());
  for (std::size_t c = 0; c < gas.component_count(); ++c) {
    const GasComponent& component = gas.component(c);
    if (component.smooth && gas.soot()) {  // what its rows and amounts are made from
      const std::vector<double>& fractions = gas.soot()->volume_fraction;
      if (fractions.size() == 1) {
        parts.add("medium.soot.volume_fraction", fractions.front());
      } else {
        parts.add("medium.soot.volume_fraction", Digest().add(all_of(fractions)));
      }
      parts.add("medium.soot.constant", gas.soot()->constant);
      continue;
    }
    const auto named = [&](const char* what) {
      return fmt::format("medium ({} of {})", what, component.gas);
    };
    parts.add(named("amount"), Digest().add(all_of(component.amount)));
    parts.add(named("absorption coefficients"), digest_of(component));
  }
  return parts;
}

Fingerprint of_list(const SpectralList& list) {
  const TemperatureNodes& nodes = list.nodes();
  const std::array scale{nodes.first, nodes.step};
  Digest digest;
  digest.add(std::span<const double>(scale));
  for (std::size_t point = 0; point < list.point_count(); ++point) {
    digest.add(list.absorption_coefficient(point)).add(list.blackbody_intensity(point));
  }
  return Fingerprint().add("medium", digest);
}

}  // namespace

Fingerprint fingerprint(const Grid& grid) {
  Fingerprint parts;
  for (const std::size_t a : {0, 1, 2}) {
    const std::array periodic{grid.periodic(a)};
    parts.add(fmt::format("grid.{}", "xyz"[a]),
              Digest().add(all_of(grid.axis(a).faces)).add(std::span<const bool>(periodic)));
  }
  return parts;
}

Fingerprint fingerprint(const Wall& wall, Face face) {
  const auto named = [&](const char* what) {
    return fmt::format("walls.{}.{}", name_of(face), what);
  };
  return Fingerprint()
      .add(named("temperature"), all_of(wall.temperature))
      .add(named("emissivity"), all_of(wall.emissivity))
      .add(named("reflection"), wall.reflection);
}

Fingerprint fingerprint(const std::array<Wall, 6>& walls) {
  Fingerprint parts;
  for (const Face face : all_faces) {
    parts.add(fingerprint(walls[static_cast<std::size_t>(face)], face));
  }
  return parts;
}

Fingerprint fingerprint(const Medium& medium) {
  return std::visit(
      [](const auto& kind) {
        using Kind = std::decay_t<decltype(kind)>;
        if constexpr (std::is_same_v<Kind, GreyMedium>) {
          return Fingerprint().add("medium.absorption_coefficient", kind.absorption_coefficient());
        } else if constexpr (std::is_same_v<Kind, SpectralList>) {
          return of_list(kind);
        } else {
          return of_gas(kind);
        }
      },
      medium);
}

Fingerprint fingerprint(const std::vector<Scattering>& scattering) {
  Fingerprint parts;
  parts.add("medium.particles (how many scatter)", scattering.size());
  for (const Scattering& one : scattering) {
    parts.add("medium.particles.scattering", all_of(one.coefficient));
    parts.add("medium.particles.asymmetry", one.asymmetry);
  }
  return parts;
}

Fingerprint fingerprint(const Options& options) {
  const ErrorTarget& target = options.target;
  return Fingerprint()
      .add("solver.backend", std::string_view(name_of(options.backend)))
      .add("solver.sampler", options.sampler)
      .add("solver.replicates", options.replicates)
      .add("solver.shifts", options.shifts)
      .add("solver.temporal", options.temporal)
      .add("solver.forgetting", options.forgetting)
      .add("solver.termination", options.termination)
      .add(target.absolute ? "solver.target_error_absolute" : "solver.target_error", target.error)
      .add("solver.target_wall_error", target.wall_error)
      .add("solver.target_norm", target.norm)
      .add("solver.target_quantile", target.quantile)
      .add("solver.time_limit", target.time_limit)
      .add("solver.unbiased", options.unbiased)
      .add("solver.estimate_bias", options.estimate_bias)
      .add("solver.estimate_mesh_error", options.estimate_mesh_error)
      .add("solver.field_access", options.field_access)
      .add("solver.levels", options.levels)
      .add("solver.steps_per_level", options.steps_per_level)
      .add("solver.coarse_temperature", options.coarse_temperature)
      .add("solver.start", options.start)
      .add("solver.mesh_correction", options.mesh_correction)
      .add("solver.density", options.density)
      .add("solver.thin_starts", options.thin_starts)
      .add("solver.rays_per_cell", options.rays_per_cell)
      .add("solver.rays_per_wall_face", options.rays_per_wall_face)
      .add("solver.batches", options.batches)
      .add("solver.seed", options.seed)
      .add("solver.tolerance", options.tolerance)
      .add("solver.max_crossings", options.max_crossings)
      .add("solver.max_lost_fraction", options.max_lost_fraction)
      .add("solver.precision", options.precision);
}

}  // namespace ermine
