#include <ermine/options.hpp>

#include <array>
#include <tuple>

namespace ermine {
namespace {

constexpr std::array all_methods{Method::classic, Method::texture, Method::sorted,
                                 Method::multigrid, Method::net};

auto switches(const Options& options) {
  return std::tie(options.sampler, options.density, options.field_access, options.levels,
                  options.steps_per_level, options.coarse_temperature);
}

}  // namespace

void set_method(Options& options, Method method) {
  const bool net = method == Method::net;
  options.sampler = net                        ? RaySampler::net
                    : method >= Method::sorted ? RaySampler::sorted
                                               : RaySampler::random;
  options.density = net ? SpectralDensity::exchange : SpectralDensity::emission;
  options.field_access =
      !net && method >= Method::texture ? FieldAccess::texture : FieldAccess::global;
  options.levels = net ? automatic_levels : method == Method::multigrid ? 0 : 1;
  options.steps_per_level = net ? 8 : 5;
  options.coarse_temperature = net ? CoarseTemperature::mean_fourth_power : CoarseTemperature::mean;
  options.start = net ? StartPoint::average : StartPoint::point;
  options.mesh_correction = net;
  options.thin_starts = net ? ThinStarts::blocks : ThinStarts::cells;
}

std::optional<Method> method_of(const Options& options) {
  for (const Method method : all_methods) {
    Options candidate = options;
    set_method(candidate, method);
    if (switches(candidate) == switches(options)) return method;
  }
  return std::nullopt;
}

const char* name_of(Method method) {
  constexpr std::array names{"classic", "texture", "sorted", "multigrid", "net"};
  return names[static_cast<std::size_t>(method)];
}

const char* name_of(StartPoint start) {
  constexpr std::array names{"point", "average", "uniform"};
  return names[static_cast<std::size_t>(start)];
}

const char* name_of(ThinStarts starts) { return starts == ThinStarts::cells ? "cells" : "blocks"; }

const char* name_of(Temporal temporal) {
  constexpr std::array names{"independent", "continued", "difference"};
  return names[static_cast<std::size_t>(temporal)];
}

const char* name_of(Backend backend) {
  constexpr std::array names{"auto", "cpu", "cuda"};
  return names[static_cast<std::size_t>(backend)];
}

}  // namespace ermine
