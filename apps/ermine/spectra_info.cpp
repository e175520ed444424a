#include "core/check.hpp"
#include "files/input_file.hpp"
#include "progress_line.hpp"
#include "spectra.hpp"
#include "spectra/table_file.hpp"
#include "terminal.hpp"

#include <nlohmann/json.hpp>

#include <memory>

namespace ermine::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InfoOptions {
  std::string file;
  std::string gas;
  bool json = false;
};

std::string kind_of(const SpectralTable& table) {
  return table.kind == TableKind::line_by_line ? "line-by-line" : "k-distribution";
}
std::string kind_of(const NarrowBandParameters&) { return "narrow-band parameters"; }
std::string gas_of(const SpectralTable& table) { return table.gas; }
std::string gas_of(const NarrowBandParameters& parameters) {
  return std::string(name_of(parameters.species));
}

/// What tables and parameters have in common.
template <class Table>
Json common_facts(const Table& table) {
  Json facts{{"kind", kind_of(table)},
             {"gas", gas_of(table)},
             {"bands", table.bands.size()},
             {"from_cm1", table.bands.front().low_cm1},
             {"to_cm1", table.bands.back().high_cm1},
             {"band_width_cm1", table.bands.front().width_cm1()},
             {"temperatures", table.temperature.size()},
             {"coldest", table.temperature.front()},
             {"hottest", table.temperature.back()}};
  const Manifest& manifest = table.manifest;
  Json inputs = Json::array();
  for (const Manifest::Input& input : manifest.inputs) {
    inputs.push_back({{"name", input.name}, {"sha256", input.checksum}});
  }
  facts["manifest"] = {{"inputs", inputs},
                       {"tool", manifest.tool},
                       {"options", manifest.options},
                       {"citation", manifest.citation}};
  return facts;
}

Json facts_of(const NarrowBandParameters& parameters) { return common_facts(parameters); }

Json facts_of(const SpectralTable& table) {
  Json facts = common_facts(table);
  facts["points"] = table.quadrature.size();
  facts["pressure"] = table.pressure;
  facts["mole_fraction"] = table.mole_fraction;
  for (const double kelvin : usual_temperatures(table.temperature)) {
    facts["planck_mean"].push_back(
        {{"temperature", kelvin}, {"absorption_coefficient", planck_mean(table, kelvin)}});
  }
  return facts;
}

void print_facts(const Json& facts) {
  const auto number = [&](const char* key) { return facts[key].get<double>(); };
  terminal::print("{} of {}\n\n", facts["kind"].get<std::string>(),
                  facts["gas"].get<std::string>());
  if (facts.contains("file"))
    terminal::print("  file            {}\n", facts["file"].get<std::string>());
  if (facts.contains("bytes"))
    terminal::print("  size            {}\n", human_bytes(number("bytes")));
  terminal::print("  bands           {}, {} to {} 1/cm, the first {} 1/cm wide\n", number("bands"),
                  number("from_cm1"), number("to_cm1"), number("band_width_cm1"));
  terminal::print("  temperatures    {}, {} to {} K\n", number("temperatures"), number("coldest"),
                  number("hottest"));
  if (facts.contains("points")) {
    terminal::print("  points          {} per band\n", number("points"));
    terminal::print("  pressure        {} Pa\n", number("pressure"));
    terminal::print("  mole fraction   {}\n", number("mole_fraction"));
  }
  const Json& manifest = facts["manifest"];
  for (const Json& input : manifest["inputs"]) {
    terminal::print("  made from       {}, SHA-256 {}...\n", input["name"].get<std::string>(),
                    input["sha256"].get<std::string>().substr(0, 16));
  }
  for (const char* key : {"tool", "options", "citation"}) {
    terminal::print("  {:<14}  {}\n", key, manifest[key].get<std::string>());
  }
  if (!facts.contains("planck_mean")) return;
  terminal::print("\n  {:>8}  {:>20}\n", "T [K]", "Planck mean [1/m]");
  for (const Json& row : facts["planck_mean"]) {
    terminal::print("  {:>8.5g}  {:>20.5g}\n", row["temperature"].get<double>(),
                    row["absorption_coefficient"].get<double>());
  }
}

void info(const InfoOptions& options) {
  Json facts;
  if (options.file.empty()) {
    facts = facts_of(shipped_parameters(parse_species(options.gas)));
  } else {
    const std::vector<char> bytes = read_bytes(options.file);
    facts = std::visit([](const auto& table) { return facts_of(table); },
                       parse_any_table(bytes, options.file));
    facts["file"] = options.file;
    facts["bytes"] = bytes.size();
  }
  options.json ? terminal::print("{}\n", facts.dump(2)) : print_facts(facts);
}

}  // namespace

std::string summary(const SpectralTable& table) {
  return fmt::format(
      "{} of {}: {} bands, {} to {} 1/cm, {} points each, {} temperatures from {} to {} K, {} Pa, "
      "mole fraction {}",
      kind_of(table), table.gas, table.bands.size(), table.bands.front().low_cm1,
      table.bands.back().high_cm1, table.quadrature.size(), table.temperature.size(),
      table.temperature.front(), table.temperature.back(), table.pressure, table.mole_fraction);
}

std::string summary(const NarrowBandParameters& parameters) {
  return fmt::format(
      "narrow-band parameters of {}: {} bands, {} to {} 1/cm, {} temperatures from "
      "{} to {} K",
      name_of(parameters.species), parameters.bands.size(), parameters.bands.front().low_cm1,
      parameters.bands.back().high_cm1, parameters.temperature.size(),
      parameters.temperature.front(), parameters.temperature.back());
}

void add_spectra_info(CLI::App& spectra) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* verb =
      spectra.add_subcommand("info", "Show what a table holds and where it comes from");
  CLI::Option* file = verb->add_option("file", options->file, "Table")->type_name("FILE.h5");
  verb->add_option("--gas", options->gas, "Data that come with ermine: H2O, CO2, CO or CH4")
      ->type_name("NAME")
      ->excludes(file);
  verb->add_flag("--json", options->json, "Print one JSON object");
  verb->callback([options] {
    if (options->file.empty() && options->gas.empty()) throw CLI::RequiredError("a table or --gas");
    info(*options);
  });
}

}  // namespace ermine::cli
