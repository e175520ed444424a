#include "spectra/broadened_lines.hpp"

#include "core/check.hpp"
#include "core/fp_guard.hpp"
#include "spectra/atmosphere.hpp"
#include "spectra/isotopologues.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace ermine {
namespace {

// CODATA 2018; all exact, h c / kB rounded.
constexpr double boltzmann = 1.380649e-23;        // [J/K]
constexpr double avogadro = 6.02214076e23;        // [1/mol]
constexpr double speed_of_light = 299792458.0;    // [m/s]
constexpr double second_radiation = 1.438776877;  // h c / kB [cm K]
constexpr double reference_temperature = 296.0;   // of HITRAN [K]
constexpr double two_ln2 = 1.38629436111989062;
constexpr double beyond_reason = 1e50;  // for areas and widths: garbage, and sums would overflow

/// What depends on the isotopologue but not on the line.
struct IsotopologueState {
  double partition_ratio = 0.0;   ///< Q(296 K) / Q(T)
  double doppler_relative = 0.0;  ///< Doppler half-width over wavenumber
};

IsotopologueState state_of(int molecule, int number, const PartitionSums& sums, double kelvin) {
  const Isotopologue& data = isotopologue(molecule, number);
  ERMINE_REQUIRE(sums.code(number) == data.code,
                 "the partition sums are of another molecule: they name isotopologue {} '{}', of "
                 "{} it is '{}', give the file of that molecule",
                 number, sums.code(number), molecule_name(molecule), data.code);
  const double kg_per_mol = 1e-3 * data.molar_mass;
  return {.partition_ratio = sums(number, reference_temperature) / sums(number, kelvin),
          .doppler_relative =
              std::sqrt(two_ln2 * boltzmann * avogadro * kelvin / kg_per_mol) / speed_of_light};
}

/// S(T) / S(296 K) without partition sums: Rothman et al., JQSRT 60 (1998) 665, appendix.
double population_ratio(const SpectralLine& line, double kelvin) {
  const double per_kelvin = 1 / kelvin - 1 / reference_temperature;
  const double energy = second_radiation * line.lower_energy_cm1;
  const double photon = second_radiation * line.wavenumber_cm1;
  return std::exp(-energy * per_kelvin) * std::expm1(-photon / kelvin) /
         std::expm1(-photon / reference_temperature);
}

/// Half-width and shift from the same source.
BroadenedLine broaden(const SpectralLine& line, const IsotopologueState& state, double kelvin,
                      const LineByLineOptions& options) {
  const double x = options.mole_fraction;
  const double p = options.pressure / pascal_per_atmosphere;
  ERMINE_REQUIRE(line.self_half_width > 0 && (x == 1 || line.air_half_width > 0),
                 "the line at {} 1/cm has half-widths {} (self) and {} (air) (HITRAN marks unknown "
                 "ones by zero), give half-widths in the line file",
                 line.wavenumber_cm1, line.self_half_width, line.air_half_width);
  // cm/molecule times 1/m3 is 1e-4 1/(m cm).
  const double molecules = 1e-4 * x * options.pressure / (boltzmann * kelvin);
  const double hot = std::pow(reference_temperature / kelvin, line.width_exponent);
  BroadenedLine broadened{
      // The shift is measured in air; that of the gas by itself is not in the records.
      .centre_cm1 = line.wavenumber_cm1 + p * (1 - x) * line.air_shift,
      .area = line.strength * state.partition_ratio * population_ratio(line, kelvin) * molecules,
      .width = {.lorentz_cm1 = p * hot * (x * line.self_half_width + (1 - x) * line.air_half_width),
                .doppler_cm1 = line.wavenumber_cm1 * state.doppler_relative}};
  ERMINE_REQUIRE(
      broadened.area < beyond_reason && broadened.width.lorentz_cm1 < beyond_reason,
      "the line at {} 1/cm has strength {:.3g} times that at 296 K and half-width {:.3g} "
      "1/cm at {} K (beyond reason), check its lower-state energy and exponent",
      line.wavenumber_cm1, population_ratio(line, kelvin), broadened.width.lorentz_cm1, kelvin);
  return broadened;
}

}  // namespace

void check(const LineByLineOptions& options) {
  const auto positive = [](double value) { return value > 0 && std::isfinite(value); };
  ERMINE_REQUIRE(positive(options.pressure), "pressure is {} Pa, give a positive one",
                 options.pressure);
  ERMINE_REQUIRE(options.mole_fraction > 0 && options.mole_fraction <= 1,
                 "mole fraction is {}, give one above 0 and up to 1", options.mole_fraction);
  ERMINE_REQUIRE(options.from_cm1 >= 0 && positive(options.to_cm1 - options.from_cm1),
                 "range is {} to {} 1/cm, give a positive one", options.from_cm1, options.to_cm1);
  ERMINE_REQUIRE(positive(options.cutoff_cm1), "cut-off is {} 1/cm, give a positive one",
                 options.cutoff_cm1);
  ERMINE_REQUIRE(options.threads >= 0, "threads is {}, give 0 (all) or more", options.threads);
  ERMINE_REQUIRE(positive(options.step_cm1), "step is {} 1/cm, give a positive one",
                 options.step_cm1);
  const double steps = (options.to_cm1 - options.from_cm1) / options.step_cm1;
  ERMINE_REQUIRE(steps <= 1e9, "{:.3g} steps of {} 1/cm are too many, take a coarser step", steps,
                 options.step_cm1);
  ERMINE_REQUIRE(steps > 0.5 && std::abs(steps - std::round(steps)) < 1e-6,
                 "{} to {} 1/cm is no whole number of steps of {} 1/cm, change range or step",
                 options.from_cm1, options.to_cm1, options.step_cm1);
}

std::vector<BroadenedLine> broaden(const std::vector<SpectralLine>& lines,
                                   const PartitionSums& partition_sums, double kelvin,
                                   const LineByLineOptions& options) {
  std::map<int, IsotopologueState> states;
  std::vector<BroadenedLine> broadened;
  broadened.reserve(lines.size());
  for (const SpectralLine& line : lines) {
    ERMINE_REQUIRE(line.molecule == lines.front().molecule,
                   "the lines are of molecules {} and {} (HITRAN numbers), give those of one",
                   lines.front().molecule, line.molecule);
    auto state = states.find(line.isotopologue);
    if (state == states.end()) {
      state = states
                  .emplace(line.isotopologue,
                           state_of(line.molecule, line.isotopologue, partition_sums, kelvin))
                  .first;
    }
    const BroadenedLine b = broaden(line, state->second, kelvin, options);
    if (b.area > 0 && b.centre_cm1 >= options.from_cm1 - options.cutoff_cm1 &&
        b.centre_cm1 <= options.to_cm1 + options.cutoff_cm1) {
      broadened.push_back(b);
    }
  }
  std::stable_sort(
      broadened.begin(), broadened.end(),
      [](const BroadenedLine& a, const BroadenedLine& b) { return a.centre_cm1 < b.centre_cm1; });
  return broadened;
}

double coarsest_step_cm1(const std::vector<SpectralLine>& lines,
                         const PartitionSums& partition_sums, double kelvin,
                         const LineByLineOptions& options) {
  const FloatingPointGuard guard;
  check(options);
  auto broadened = broaden(lines, partition_sums, kelvin, options);
  ERMINE_REQUIRE(!broadened.empty(), "no line reaches into {} to {} 1/cm, change the range",
                 options.from_cm1, options.to_cm1);
  std::vector<std::pair<double, double>> width_and_area;
  double total = 0.0;
  for (const BroadenedLine& line : broadened) {
    width_and_area.emplace_back(voigt_half_width_cm1(line.width), line.area);
    total += line.area;
  }
  std::sort(width_and_area.begin(), width_and_area.end());
  double skipped = 0.0;
  for (const auto& [width, area] : width_and_area) {
    skipped += area;
    if (skipped > 1e-2 * total) return width / 3;
  }
  return width_and_area.back().first / 3;
}

}  // namespace ermine
