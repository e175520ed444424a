#include <ermine/options.hpp>

#include <array>
#include <tuple>

namespace ermine {
namespace {

constexpr std::array all_methods{Method::classic, Method::texture, Method::sorted,
                                 Method::multigrid};

auto switches(const Options& options) {
  return std::tie(options.sampler, options.field_access, options.levels, options.steps_per_level,
                  options.coarse_temperature);
}

}  // namespace

void set_method(Options& options, Method method) {
  const Options standard;
  options.field_access = method >= Method::texture ? FieldAccess::texture : FieldAccess::global;
  options.sampler = method >= Method::sorted ? SpectralSampler::sorted : SpectralSampler::random;
  options.levels = method >= Method::multigrid ? 0 : 1;
  options.steps_per_level = standard.steps_per_level;
  options.coarse_temperature = standard.coarse_temperature;
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
  constexpr std::array names{"classic", "texture", "sorted", "multigrid"};
  return names[static_cast<std::size_t>(method)];
}

const char* name_of(Backend backend) {
  constexpr std::array names{"auto", "cpu", "cuda"};
  return names[static_cast<std::size_t>(backend)];
}

}  // namespace ermine
