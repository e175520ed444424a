#include "case/read_medium.hpp"

#include <algorithm>
#include <unistd.h>

namespace ermine {
namespace {

constexpr FieldLimits absorption_limits{0.0, 1e12, "give 1/m, from 0 to 1e12"};
constexpr FieldLimits fraction_limits{0.0, 1.0, "give a mole fraction from 0 to 1"};
constexpr FieldLimits volume_limits{0.0, 1.0, "give a volume fraction from 0 to 1"};
constexpr FieldLimits scattering_limits{0.0, 1e6, "give 1/m, from 0 to 1e6"};
constexpr FieldLimits number_limits{0.0, 1e30, "give particles in a m3, from 0 to 1e30"};
constexpr FieldLimits diameter_limits{0.0, 1.0, "give metres, from 0 to 1"};
constexpr std::array<std::string_view, 4> kinds{"absorption_coefficient", "gas", "mole_fractions",
                                                "table"};

/// Exactly one of the keys says what kind of medium it is; none: soot or other particles alone.
std::string_view kind_of(const Section& medium) {
  std::string_view kind;
  for (const std::string_view key : kinds) {
    if (!medium.has(key)) continue;
    ERMINE_REQUIRE(kind.empty(), "{}: {} cannot stand beside {}, remove one of the two",
                   medium.where(key), medium.path_of(key), medium.path_of(kind));
    kind = key;
  }
  if (kind.empty() && medium.has("soot")) return "soot";
  if (kind.empty() && medium.has("particles")) return "particles";
  if (kind.empty()) {
    fail(
        "{}: missing key 'medium.{}', give one of gas = \"H2O\", mole_fractions = {{ H2O = 0.2 }}, "
        "table = \"FILE.h5\", soot = {{ volume_fraction = 1e-6 }}, absorption_coefficient = 1.0 "
        "(in 1/m) or a table [medium.particles.NAME]",
        medium.where(kinds[0]), kinds[0]);
  }
  return kind;
}

void refuse(const Section& medium, std::initializer_list<std::string_view> keys,
            std::string_view kind) {
  for (const std::string_view key : keys) {
    ERMINE_REQUIRE(!medium.has(key), "{}: {} has no effect beside {}, remove it", medium.where(key),
                   medium.path_of(key), medium.path_of(kind));
  }
}

std::vector<GasMedium::MoleFraction> read_mole_fractions(const Section& medium,
                                                         const FieldSites& cells,
                                                         const std::filesystem::path& folder) {
  const Section fractions = medium.section("mole_fractions", {"H2O", "CO2", "CO", "CH4", "N2"});
  ERMINE_REQUIRE(!fractions.has("N2"),
                 "{}: medium.mole_fractions.N2 is what the others leave, remove it",
                 fractions.where("N2"));
  std::vector<GasMedium::MoleFraction> found;
  for (const Species species : all_species) {
    const std::string_view key = name_of(species);
    if (!fractions.has(key)) continue;
    found.push_back({species, read_field(fractions, key, cells, fraction_limits, folder)});
  }
  ERMINE_REQUIRE(!found.empty(),
                 "{}: medium.mole_fractions names no gas, give at least one of {}, such as "
                 "{{ H2O = 0.2 }} (the rest is nitrogen)",
                 medium.where("mole_fractions"), species_names());
  return found;
}

std::vector<GasMedium::MoleFraction> read_pure_gas(const Section& medium) {
  const std::string name = medium.text("gas", "");
  const auto species = species_named(name);
  ERMINE_REQUIRE(species,
                 "{}: medium.gas = \"{}\" is not known, give one of {}, or a table = \"FILE.h5\" "
                 "of your own",
                 medium.where("gas"), name, species_names());
  return {{*species, {1.0}}};
}

constexpr double largest_soot_constant = 1000.0;

double read_soot_constant(const Section& soot) {
  if (!soot.has("n") && !soot.has("k")) {
    return soot.number("constant", Soot::usual_constant, {0.0, largest_soot_constant});
  }
  ERMINE_REQUIRE(
      !soot.has("constant"),
      "{}: medium.soot.constant cannot stand beside n and k (they give it), remove it or "
      "them",
      soot.where("constant"));
  soot.required("n", "n = 1.75 (the refractive index of soot is n - i k)");
  soot.required("k", "k = 1.03 (the refractive index of soot is n - i k)");
  constexpr double most = 100.0;
  const double n = soot.number("n", 0.0, {0.0, most});
  ERMINE_REQUIRE(n > 0, "{}: medium.soot.n is 0, give the real part of the refractive index",
                 soot.where("n"));
  const double k = soot.number("k", 0.0, {0.0, most});
  const double constant = soot_constant(n, k);
  ERMINE_REQUIRE(
      constant <= largest_soot_constant,
      "{}: medium.soot.n = {} and medium.soot.k = {} give a constant of {:.4g}, more than "
      "{:g}, check both (n = 1.75 and k = 1.03 give 7.0)",
      soot.where("n"), n, k, constant, largest_soot_constant);
  return constant;
}

std::optional<Soot> read_soot(const Section& medium, const FieldSites& cells,
                              const std::filesystem::path& folder) {
  if (!medium.has("soot")) return std::nullopt;
  const Section soot = medium.section("soot", {"volume_fraction", "constant", "n", "k"});
  soot.required("volume_fraction", "volume_fraction = 1e-6");
  return Soot{read_field(soot, "volume_fraction", cells, volume_limits, folder),
              read_soot_constant(soot)};
}

GasMedium read_gas(const Section& medium, std::vector<GasMedium::MoleFraction> fractions,
                   std::optional<Soot> soot, std::string_view kind) {
  constexpr std::array<std::pair<std::string_view, Quadrature (*)(int)>, 2> quadratures{
      {{"skewed", Quadrature::skewed}, {"legendre", Quadrature::gauss_legendre}}};
  medium.required("pressure", "pressure = 101325 (in Pa)");
  const double pressure = medium.number("pressure", 0.0, {0.0, 1e9});
  constexpr double least_pressure = 1e4;
  ERMINE_REQUIRE(pressure >= least_pressure,
                 "{}: medium.pressure is {} Pa (below {} Pa the motion of molecules widens lines "
                 "too, which the narrow-band data leave out), give more, or a table from lines",
                 medium.where("pressure"), pressure, least_pressure);
  const auto points = static_cast<int>(medium.integer("quadrature_points", 16, {1, 256}));
  KDistributionOptions options;
  options.quadrature = medium.choice("quadrature", &Quadrature::skewed, quadratures)(points);
  options.band_width_cm1 = medium.number("band_width_cm1", 0.0, {0.0, 1e5});
  medium.located("band_width_cm1", [&] {
    for (const auto& fraction : fractions) {
      k_distribution_bands(shipped_parameters(fraction.species), options);
    }
  });
  return medium.located(
      kind, [&] { return GasMedium(pressure, std::move(fractions), options, std::move(soot)); });
}

/// Tables of line-by-line spectra can be large: refuse one this machine cannot hold.
GasMedium read_gas_table(const Section& medium, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / medium.text("table", "");
  return medium.located("table", [&] { return GasMedium(read_table(file)); });
}

}  // namespace

namespace {

Section medium_of(const Section& top) {
  top.required("medium", "medium = { gas = \"H2O\", pressure = 101325 }");
  return top.section(
      "medium", {"absorption_coefficient", "gas", "mole_fractions", "table", "pressure", "soot",
                 "particles", "band_width_cm1", "quadrature", "quadrature_points"});
}

/// A coefficient of a class of particles [1/m], given as such or by an efficiency of spheres.
std::vector<double> read_coefficient(const Section& particles, std::string_view key,
                                     const FieldLimits& limits, const FieldSites& cells,
                                     const std::filesystem::path& folder) {
  const std::string efficiency = fmt::format("{}_efficiency", key);
  const bool spheres = particles.has("number_density") || particles.has("diameter");
  if (!spheres) {
    ERMINE_REQUIRE(!particles.has(efficiency),
                   "{}: {} says what spheres absorb or scatter, give number_density and diameter "
                   "with it, or {} in 1/m",
                   particles.where(efficiency), particles.path_of(efficiency), key);
    return particles.has(key) ? read_field(particles, key, cells, limits, folder)
                              : std::vector<double>{0.0};
  }
  ERMINE_REQUIRE(!particles.has(key),
                 "{}: {} cannot stand beside number_density and diameter, give {} in its place",
                 particles.where(key), particles.path_of(key), efficiency);
  particles.required("number_density", "number_density = 1e9 (particles in a m3)");
  particles.required("diameter", "diameter = 50e-6 (in metres)");
  std::vector<double> values =
      Particles::coefficient(read_field(particles, "number_density", cells, number_limits, folder),
                             read_field(particles, "diameter", cells, diameter_limits, folder),
                             particles.number(efficiency, 0.0, {0.0, 1e3}));
  for (const double value : values) {
    ERMINE_REQUIRE(value <= limits.high,
                   "{}: number_density, diameter and {} make {:.4g} 1/m (efficiency N pi d^2 / 4), "
                   "give less, for up to {:g}",
                   particles.where("number_density"), efficiency, value, limits.high);
  }
  return values;
}

/// Names become part of those of datasets in output files.
bool is_name(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  constexpr std::size_t longest = 64;
  return !name.empty() && name.size() <= longest && std::all_of(name.begin(), name.end(), allowed);
}

}  // namespace

std::vector<Particles> read_particles(const Section& top, const FieldSites& cells,
                                      const std::filesystem::path& folder) {
  std::vector<Particles> found;
  const Section medium = medium_of(top);
  for (const auto& [name, given] : medium.sections(
           "particles", {"absorption", "scattering", "asymmetry", "number_density", "diameter",
                         "absorption_efficiency", "scattering_efficiency"})) {
    constexpr double most = 0.999;
    ERMINE_REQUIRE(is_name(name),
                   "{}: {} is no name of particles, give letters, digits, '_' and '-', up to 64",
                   given.where("absorption"), given.name());
    Particles particles{name,
                        read_coefficient(given, "absorption", absorption_limits, cells, folder),
                        read_coefficient(given, "scattering", scattering_limits, cells, folder),
                        given.number("asymmetry", 0.0, {-most, most})};
    ERMINE_REQUIRE(given.has("absorption") || given.has("scattering") ||
                       given.has("absorption_efficiency") || given.has("scattering_efficiency"),
                   "{}: {} says neither what they absorb nor what they scatter, give absorption or "
                   "scattering in 1/m, or efficiencies",
                   given.where("absorption"), given.name());
    found.push_back(std::move(particles));
  }
  ERMINE_REQUIRE(
      !medium.has("particles") || !found.empty(),
      "{}: medium.particles has no class of particles, write [medium.particles.NAME] and "
      "its keys below it",
      medium.where("particles"));
  const std::size_t scatter = scattering_of(found).size();
  ERMINE_REQUIRE(scatter <= most_scattering,
                 "{}: medium.particles has {} classes that scatter, give at most {}",
                 medium.where("particles"), scatter, most_scattering);
  return found;
}

Medium read_medium(const Section& top, const FieldSites& cells,
                   const std::filesystem::path& folder) {
  const Section medium = medium_of(top);
  const std::string_view kind = kind_of(medium);
  if (kind == "absorption_coefficient" || kind == "table" || kind == "soot" ||
      kind == "particles") {
    refuse(medium, {"pressure", "band_width_cm1", "quadrature", "quadrature_points"}, kind);
  }
  ERMINE_REQUIRE(!medium.has("soot") || (kind != "absorption_coefficient" && kind != "table"),
                 "{}: medium.soot cannot stand beside {} (only beside gas and mole_fractions, or "
                 "alone), remove one of the two",
                 medium.where("soot"), medium.path_of(kind));
  if (kind == "particles") return GreyMedium(0.0);
  if (kind == "absorption_coefficient") {
    return GreyMedium(
        read_field(medium, "absorption_coefficient", cells, absorption_limits, folder));
  }
  if (kind == "table") return read_gas_table(medium, folder);
  std::optional<Soot> soot = read_soot(medium, cells, folder);
  if (kind == "soot") return GasMedium(std::move(*soot));
  return read_gas(
      medium, kind == "gas" ? read_pure_gas(medium) : read_mole_fractions(medium, cells, folder),
      std::move(soot), kind);
}

}  // namespace ermine
