#include <ermine/narrow_band.hpp>
#include <ermine/version.hpp>

#include "machine.hpp"
#include "verbs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <memory>

namespace ermine::cli {
namespace {

void info(bool json) {
  const Machine machine = this_machine();
  nlohmann::ordered_json out;
  out["version"] = ERMINE_VERSION;
  out["build"] = {{"compiler", machine.compiler},
                  {"type", ERMINE_BUILD_TYPE},
                  {"flags", ERMINE_BUILD_FLAGS},
                  {"cuda", false},
                  {"mpi", false}};
  out["devices"] = {
      {{"backend", "cpu"}, {"name", machine.processor}, {"threads", machine.threads}}};
  out["limits"] = {{"cells", std::numeric_limits<int>::max()},
                   {"rays_per_cell", std::int64_t{1} << 32},
                   {"memory_per_cell_bytes", 200}};
  out["methods"] = {"classic"};
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
    fmt::print("{}\n", out.dump(2));
    return;
  }
  fmt::print("ermine {}\n\n", ERMINE_VERSION);
  fmt::print("  compiler  {}\n", machine.compiler);
  fmt::print("  build     {}, {}\n", ERMINE_BUILD_TYPE, ERMINE_BUILD_FLAGS);
  fmt::print("  CPU       {}, {} threads\n", machine.processor, machine.threads);
  fmt::print("  CUDA      not in this build\n");
  fmt::print("  MPI       not in this build\n");
  fmt::print("  methods   classic\n");
  fmt::print("  gases     {}\n", gases);
  fmt::print("  limits    2^31 - 1 cells and wall face cells, 2^32 rays per cell,\n");
  fmt::print("            about 200 bytes of memory per cell\n");
}

}  // namespace

void add_info(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  CLI::App* verb = app.add_subcommand("info", "Show build, devices and limits");
  verb->add_flag("--json", *json, "Print one JSON object");
  verb->callback([json] { info(*json); });
}

}  // namespace ermine::cli
