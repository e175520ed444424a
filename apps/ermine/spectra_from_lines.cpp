#include "core/check.hpp"
#include "core/memory.hpp"
#include "progress_line.hpp"
#include "spectra.hpp"
#include "terminal.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>

namespace ermine::cli {
namespace {

constexpr const char* citation =
    "HITRAN: L. S. Rothman et al., JQSRT 130 (2013) 4; I. E. Gordon et al., JQSRT 277 (2022) "
    "107949; partition sums TIPS-2021: R. R. Gamache et al., JQSRT 271 (2021) 107713";

struct FromLinesOptions {
  std::string file;
  std::string partition_sums;
  std::string gas;
  std::string output;
  std::string line_by_line;  ///< file for the line-by-line table; empty: none
  TableOptions table;
  LineByLineOptions lines;
  bool json = false;
  bool quiet = false;
};

/// HITRAN numbers of the species.
int molecule_of(Species species) {
  constexpr std::array<int, all_species.size()> number{1, 2, 5, 6};
  return number[static_cast<std::size_t>(species)];
}

std::vector<SpectralLine> read_all_lines(const FromLinesOptions& options) {
  const int wanted = molecule_of(parse_species(options.gas));
  std::vector<SpectralLine> lines;
  read_lines(options.file, [&](const SpectralLine& line) {
    ERMINE_REQUIRE(line.molecule == wanted,
                   "{} holds lines of HITRAN molecule {}, but {} is number {}, give --gas as the "
                   "file has it",
                   options.file, line.molecule, options.gas, wanted);
    lines.push_back(line);
  });
  ERMINE_REQUIRE(!lines.empty(), "{} holds no lines, give a file with HITRAN records",
                 options.file);
  return lines;
}

/// Where the command line does not say, whole bands around all lines.
void complete_range(const std::vector<SpectralLine>& lines, double band_width_cm1,
                    LineByLineOptions& options) {
  const auto [first, last] = std::ranges::minmax_element(
      lines, {}, [](const SpectralLine& line) { return line.wavenumber_cm1; });
  if (options.from_cm1 < 0) {
    options.from_cm1 = band_width_cm1 * std::floor(first->wavenumber_cm1 / band_width_cm1);
  }
  if (options.to_cm1 < 0) {
    options.to_cm1 = band_width_cm1 * (1 + std::floor(last->wavenumber_cm1 / band_width_cm1));
  }
  ERMINE_REQUIRE(options.to_cm1 > options.from_cm1,
                 "the spectrum would reach from {} to {} 1/cm, give --from and --to such that it "
                 "has a width",
                 options.from_cm1, options.to_cm1);
}

/// Says what the work needs, before it begins.
void check_memory(const FromLinesOptions& options, std::size_t temperatures) {
  const LineByLineOptions& lines = options.lines;
  const double wavenumbers = (lines.to_cm1 - lines.from_cm1) / lines.step_cm1;
  const double table = 4 * wavenumbers * static_cast<double>(temperatures);
  // A file is put together in memory, with its seal in front of a copy.
  const double needed = 8 * wavenumbers + table * (options.line_by_line.empty() ? 1 : 3);
  ERMINE_REQUIRE(needed < 0.8 * physical_memory(),
                 "{:.4g} wavenumbers at {} temperatures need {} of memory, this machine has {}, "
                 "use fewer temperatures, a wider --step or a narrower range",
                 wavenumbers, temperatures, human_bytes(needed), human_bytes(physical_memory()));
  if (options.quiet) return;
  terminal::note("{} to {} 1/cm: {} wavenumbers at {} temperatures, {} of memory\n", lines.from_cm1,
                 lines.to_cm1, human_number(wavenumbers), temperatures, human_bytes(needed));
}

Manifest manifest_of(const FromLinesOptions& options) {
  const LineByLineOptions& lines = options.lines;
  return {{input_of(options.file), input_of(options.partition_sums)},
          this_tool(),
          fmt::format("line by line at {} Pa, mole fraction {} (the rest broadens as air), {} to "
                      "{} 1/cm, step {} 1/cm, wings cut at {} 1/cm",
                      lines.pressure, lines.mole_fraction, lines.from_cm1, lines.to_cm1,
                      lines.step_cm1, lines.cutoff_cm1),
          citation};
}

/// The largest of 1, 0.5, 0.2, 0.1, 0.05, ... that is not above the limit: whole steps fill 1 1/cm.
double round_step(double limit) {
  double decade = 1.0;
  while (decade > limit) decade /= 10;
  if (decade == 1.0) return decade;
  return 5 * decade <= limit ? 5 * decade : 2 * decade <= limit ? 2 * decade : decade;
}

void warn_of_coarse_step(const std::vector<SpectralLine>& lines, const PartitionSums& sums,
                         const std::vector<double>& kelvin, const LineByLineOptions& options) {
  const double coarsest = std::min(coarsest_step_cm1(lines, sums, kelvin.front(), options),
                                   coarsest_step_cm1(lines, sums, kelvin.back(), options));
  if (options.step_cm1 <= coarsest) return;
  terminal::note(
      "ermine: warning: steps of {} 1/cm are coarser than a third of the narrowest lines' "
      "half-width and misjudge their peaks, use --step {:.1g}\n",
      options.step_cm1, round_step(coarsest));
}

std::vector<TransmissivityError> all_errors(const SpectralTable& table,
                                            const SpectralTable& line_by_line) {
  const std::vector<double>& kelvin = table.temperature;
  std::vector<double> chosen{kelvin.front(), kelvin[kelvin.size() / 2], kelvin.back()};
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  std::vector<TransmissivityError> errors;
  for (const double temperature : chosen) {
    for (const double length : {0.01, 0.1, 1.0, 10.0}) {
      errors.push_back(transmissivity_error(table, line_by_line, temperature, length));
    }
  }
  return errors;
}

void print_json(const FromLinesOptions& options, const SpectralTable& table,
                const std::vector<TransmissivityError>& errors) {
  nlohmann::ordered_json out{{"gas", options.gas},
                             {"kind", "k-distribution"},
                             {"summary", summary(table)},
                             {"file", options.output},
                             {"bytes", std::filesystem::file_size(options.output)}};
  if (!options.line_by_line.empty()) out["line_by_line"] = options.line_by_line;
  for (const TransmissivityError& error : errors) {
    out["transmissivity_errors"].push_back({{"temperature", error.kelvin},
                                            {"length", error.length},
                                            {"largest", error.largest},
                                            {"root_mean_square", error.root_mean_square}});
  }
  terminal::print("{}\n", out.dump(2));
}

void print_table(const FromLinesOptions& options, const SpectralTable& table,
                 const std::vector<TransmissivityError>& errors) {
  terminal::print("{}\n\n  file          {}, {}\n", summary(table), options.output,
                  human_bytes(static_cast<double>(std::filesystem::file_size(options.output))));
  if (!options.line_by_line.empty()) terminal::print("  line by line  {}\n", options.line_by_line);
  terminal::print("\n  band transmissivity, k-distribution against line by line\n");
  terminal::print("  {:>8}  {:>10}  {:>10}  {:>10}\n", "T [K]", "length [m]", "largest", "rms");
  for (const TransmissivityError& error : errors) {
    terminal::print("  {:>8.5g}  {:>10.3g}  {:>10.2g}  {:>10.2g}\n", error.kelvin, error.length,
                    error.largest, error.root_mean_square);
  }
}

void from_lines(FromLinesOptions options) {
  check_output(options.output);
  if (!options.line_by_line.empty()) {
    check_output(options.line_by_line);
    const auto canonical = [](const std::filesystem::path& file) {
      return std::filesystem::weakly_canonical(std::filesystem::absolute(file));
    };
    ERMINE_REQUIRE(canonical(options.line_by_line) != canonical(options.output),
                   "--output and --line-by-line are both {}, give two files", options.output);
  }
  options.lines.pressure = options.table.pressure;
  options.lines.mole_fraction = options.table.mole_fraction;
  const std::vector<double> kelvin = parse_temperatures(options.table.temperatures);
  const PartitionSums sums = PartitionSums::read(options.partition_sums);
  ERMINE_REQUIRE(kelvin.front() >= sums.first() && kelvin.back() <= sums.last(),
                 "temperatures {} to {} K are outside the partition sums of {}, which reach from "
                 "{} to {} K, change --temperatures",
                 kelvin.front(), kelvin.back(), options.partition_sums, sums.first(), sums.last());
  const std::vector<SpectralLine> lines = read_all_lines(options);
  complete_range(lines, options.table.band_width_cm1, options.lines);
  check_memory(options, kelvin.size());
  warn_of_coarse_step(lines, sums, kelvin, options.lines);

  SpectralTable line_by_line;
  {
    ProgressLine progress("adding lines", options.quiet ? Verbosity::quiet : Verbosity::normal);
    line_by_line = line_by_line_table(lines, sums, kelvin, options.lines,
                                      [&](double share) { progress(share); });
  }
  line_by_line.gas = options.gas;
  line_by_line.manifest = manifest_of(options);
  SpectralTable table =
      k_distribution(line_by_line, options.table.band_width_cm1, options.table.rule());
  table.manifest.options +=
      fmt::format("; k-distribution in bands of {} 1/cm, {} {} points",
                  options.table.band_width_cm1, options.table.quadrature, table.quadrature.size());
  const auto errors = all_errors(table, line_by_line);
  if (!options.line_by_line.empty()) write_table(line_by_line, options.line_by_line);
  write_table(table, options.output);
  if (options.json) {
    print_json(options, table, errors);
  } else if (!options.quiet) {
    print_table(options, table, errors);
  }
}

}  // namespace

void add_spectra_from_lines(CLI::App& spectra) {
  auto options = std::make_shared<FromLinesOptions>();
  options->table.band_width_cm1 = 50.0;
  options->table.quadrature = "legendre";
  options->lines.from_cm1 = options->lines.to_cm1 = -1.0;  // not given
  CLI::App* verb =
      spectra.add_subcommand("from-lines", "Tables of a gas from HITRAN lines, line by line");
  const auto text = [&](const char* name, std::string& value, const char* help) {
    return verb->add_option(name, value, help);
  };
  text("file", options->file, "Lines, 160-column HITRAN records")
      ->required()
      ->type_name("FILE.par");
  text("--partition-sums", options->partition_sums, "Partition sums of the gas over temperature")
      ->required()
      ->type_name("FILE.csv");
  text("--gas", options->gas, "H2O, CO2, CO or CH4")->required()->type_name("NAME");
  text("-o,--output", options->output, "k-distribution table to write")
      ->required()
      ->type_name("OUT.h5");
  text("--line-by-line", options->line_by_line, "Line-by-line table to write")->type_name("LBL.h5");
  add_table_options(*verb, options->table);
  verb->get_option("--temperatures")->required();
  const auto number = [&](const char* name, double& value, const char* help, double low) {
    verb->add_option(name, value, help)
        ->type_name("CM1")
        ->check(number_within(low, 1e5, "give 1/cm up to 1e5"));
  };
  number("--from", options->lines.from_cm1, "Start [1/cm], whole; default: band of the first line",
         -1e-9);
  number("--to", options->lines.to_cm1, "End [1/cm], whole; default: band of the last line", 0.0);
  number("--step", options->lines.step_cm1, "Step of wavenumbers [1/cm], default 0.01", 0.0);
  number("--cutoff", options->lines.cutoff_cm1,
         "Drop a line farther from its centre than this [1/cm], default 25", 0.0);
  verb->add_option("--threads", options->lines.threads, "CPU threads (default: all)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  verb->add_flag("--json", options->json, "Print one JSON object");
  verb->add_flag("-q,--quiet", options->quiet, "No progress, no table");
  verb->callback([options] { from_lines(*options); });
}

}  // namespace ermine::cli
