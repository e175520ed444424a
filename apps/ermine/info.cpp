#include <ermine/communicator.hpp>
#include <ermine/device.hpp>
#include <ermine/narrow_band.hpp>
#include <ermine/options.hpp>
#include <ermine/version.hpp>

#include "machine.hpp"
#include "progress_line.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <memory>

namespace ermine::cli {
namespace {

/// 90 for devices of compute capability 9.0.
std::string capability(const Device& device) {
  return fmt::format("{}.{}", device.compute_capability / 10, device.compute_capability % 10);
}

const char* in_this_build(bool there) { return there ? "in this build" : "not in this build"; }

void print_devices(const std::vector<Device>& gpus) {
  terminal::print("  CUDA      {}\n", in_this_build(built_with_cuda()));
  if (gpus.empty()) terminal::print("  GPU       none: {}\n", why_no_device());
  for (const Device& gpu : gpus) {
    terminal::print("  GPU       {}, compute capability {}, {} multiprocessors, {} ({} free)\n",
                    gpu.name, capability(gpu), gpu.multiprocessors,
                    human_bytes(static_cast<double>(gpu.memory)),
                    human_bytes(static_cast<double>(gpu.free_memory)));
  }
}

void info(bool json) {
  const Machine machine = this_machine();
  const std::vector<Device> gpus = devices();
  nlohmann::ordered_json out;
  out["version"] = ERMINE_VERSION;
  out["build"] = {{"compiler", machine.compiler},
                  {"type", ERMINE_BUILD_TYPE},
                  {"flags", ERMINE_BUILD_FLAGS},
                  {"cuda", built_with_cuda()},
                  {"mpi", built_with_mpi()}};
  out["devices"] = {
      {{"backend", "cpu"}, {"name", machine.processor}, {"threads", machine.threads}}};
  for (const Device& gpu : gpus) {
    out["devices"].push_back({{"backend", "cuda"},
                              {"name", gpu.name},
                              {"compute_capability", capability(gpu)},
                              {"multiprocessors", gpu.multiprocessors},
                              {"memory", gpu.memory},
                              {"free_memory", gpu.free_memory}});
  }
  out["why_no_gpu"] = why_no_device();
  out["limits"] = {{"cells", std::numeric_limits<int>::max()},
                   {"rays_per_cell", most_rays},
                   {"memory_per_cell_bytes", 200}};
  std::string methods;
  for (const Method method :
       {Method::net, Method::classic, Method::texture, Method::sorted, Method::multigrid}) {
    out["methods"].push_back(name_of(method));
    methods += fmt::format("{}{}{}", methods.empty() ? "" : ", ", name_of(method),
                           method_of(Options{}) == method ? " (default)" : "");
  }
  std::string gases;
  for (const Species species : all_species) {
    const NarrowBandParameters& data = shipped_parameters(species);
    out["gases"].push_back({{"name", name_of(species)},
                            {"coldest", data.temperature.front()},
                            {"hottest", data.temperature.back()}});
    gases += fmt::format("{}{} ({:.0f}-{:.0f} K)", gases.empty() ? "" : ", ", name_of(species),
                         data.temperature.front(), data.temperature.back());
  }
  if (json) {
    terminal::print("{}\n", out.dump(2));
    return;
  }
  terminal::print("ermine {}\n\n", ERMINE_VERSION);
  terminal::print("  compiler  {}\n", machine.compiler);
  terminal::print("  build     {}, {}\n", ERMINE_BUILD_TYPE, ERMINE_BUILD_FLAGS);
  terminal::print("  CPU       {}, {} threads\n", machine.processor, machine.threads);
  print_devices(gpus);
  terminal::print("  MPI       {}\n", in_this_build(built_with_mpi()));
  terminal::print("  methods   {}\n", methods);
  terminal::print("  gases     {}\n", gases);
  terminal::print("  limits    2^31 - 1 cells and wall face cells, 2^32 rays per cell,\n");
  terminal::print("            about 200 bytes of memory per cell\n");
}

}  // namespace

void add_info(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  CLI::App* verb = app.add_subcommand("info", "Show build, devices and limits");
  verb->add_flag("--json", *json, "Print one JSON object");
  verb->callback([json] { info(*json); });
}

}  // namespace ermine::cli
