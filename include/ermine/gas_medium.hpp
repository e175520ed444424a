#pragma once

#include <ermine/narrow_band.hpp>
#include <ermine/soot.hpp>
#include <ermine/species.hpp>
#include <ermine/spectral_table.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ermine {

class LineWidths;
struct PointDensity;

/// Components of a gas, at most: all species, soot, and other particles.
inline constexpr std::size_t most_components = all_species.size() + 2;

/// One absorbing gas of a GasMedium: k-distributions of its bands over temperature and, where the
/// composition differs from cell to cell, over the width of its lines. Or soot, or other particles.
struct GasComponent {
  std::string gas;  ///< "H2O", "soot", "particles"
  /// Soot and other particles: all points of a band share one row.
  bool smooth = false;
  /// Per part of the spectrum (see GasMedium::part_count): its first row, or -1 where transparent.
  std::vector<int> first_row;
  std::vector<int> band;  ///< per band of the component: its number among those of the medium
  /// Line widths the rows were made for, see GasMedium::broadening(); increasing. One entry: rows
  /// hold for the gas as it is.
  std::vector<double> broadening;
  /// value(row, broadening, temperature), temperature fastest. To be multiplied by `amount`:
  /// 1/(m Pa) with partial pressures [Pa], 1/m with 1. That of soot is its volume fraction, that of
  /// other particles their absorption coefficient, in a unit that makes the largest one as large as
  /// the largest partial pressure: cells of the fast march count amounts as shares of the largest
  /// of all components.
  std::vector<float> rows;
  std::vector<double> amount;  ///< one for the whole domain, or one per cell
};

/// Gas with narrow-band k-distributions or line-by-line spectra: one gas, or a mixture whose
/// species' lines are uncorrelated within a band (random overlap), with or without soot and other
/// particles, which come last among its components. Cheap to copy.
class GasMedium {
 public:
  /// The gas of a table, k-distribution or line-by-line, everywhere at its pressure and mole
  /// fraction.
  explicit GasMedium(SpectralTable table);

  struct MoleFraction {
    Species species;
    std::vector<double> values;  ///< one for the whole domain, or one per cell
  };
  /// Mixture of the species ermine carries data for, and nitrogen, at one pressure [Pa].
  /// `options.temperature` may be left empty: the range common to the species.
  GasMedium(double pressure, std::vector<MoleFraction> mole_fractions,
            KDistributionOptions options = {}, std::optional<Soot> soot = std::nullopt);
  /// Soot in a transparent gas, from 250 to 5000 K.
  explicit GasMedium(Soot soot);

  /// The same gas on other cells: `field` makes mole fractions and volume fractions of soot there
  /// from those of the cells here.
  GasMedium on_cells(
      std::size_t cells,
      const std::function<std::vector<double>(std::span<const double>)>& field) const;

  /// The same species at the same pressure, with another mole fraction of one of them; not of a
  /// table's gas.
  GasMedium with_mole_fraction(MoleFraction changed) const;
  /// The same gas with other volume fractions of the soot it has.
  GasMedium with_soot(std::vector<double> volume_fraction) const;
  /// The same gas with particles that absorb so much [1/m] at all wavelengths, in place of those it
  /// has: one value for the whole domain, or one per cell.
  GasMedium with_particles(std::vector<double> absorption) const;

  const std::vector<Band>& bands() const { return data_->bands; }
  /// Parts of the spectrum: the bands and, with the last number, all wavenumbers outside them. The
  /// gas is transparent there, but walls still exchange heat.
  std::size_t part_count() const { return data_->bands.size() + 1; }
  /// Points of every band of every gas; where there is only soot, one point has all of a band.
  std::span<const double> weights() const { return data_->weights; }
  std::size_t component_count() const { return data_->components.size(); }
  const GasComponent& component(std::size_t index) const { return data_->components[index]; }
  std::size_t point_count() const;  ///< rows of all components, for one broadening

  /// Temperatures [K] of the gas that are covered; outside them it is an error.
  double coldest() const { return data_->coldest; }
  double hottest() const { return data_->hottest; }
  /// Nodes [K]: those of the absorption coefficients, and before them a few down to 0 K, since
  /// walls may be colder than the gas of any table.
  std::span<const double> temperature() const { return data_->temperature; }
  std::size_t first_gas_node() const { return data_->first_gas_node; }
  /// Every interval between nodes has this many intervals of the intensity, which curves more than
  /// k: some 1 % of the temperature each, however coarse the table.
  std::size_t intensity_steps() const { return data_->intensity_steps; }
  std::size_t intensity_nodes() const {
    return (data_->temperature.size() - 1) * data_->intensity_steps + 1;
  }
  /// Blackbody intensity of a part of the spectrum at its nodes [W/(m2 sr)].
  std::span<const double> blackbody_intensity(std::size_t part) const;

  /// Square root of the half-width of a component's lines in a cell at a temperature, over that in
  /// the mean composition: k is closest to linear in it.
  double broadening(std::size_t component, std::size_t cell, double kelvin) const;
  /// Cells the fields were given for; 1 if all are uniform.
  std::size_t cell_count() const { return data_->cells; }
  std::size_t bytes() const;  ///< memory of the rows

  double pressure() const { return data_->pressure; }  ///< [Pa]
  /// Of the components, in their order.
  const std::vector<MoleFraction>& mole_fractions() const { return data_->mole_fractions; }
  /// Its volume fractions and constant, where there is soot.
  const std::optional<Soot>& soot() const { return data_->soot; }
  /// Absorption coefficient of other particles [1/m]; empty: there are none.
  const std::vector<double>& particles() const { return data_->particles; }
  /// Where data or model are off by more than 5 %, as far as is known: a sentence each, for people.
  /// Of a table's gas nothing is known.
  std::vector<std::string> warnings() const;

 private:
  struct Data {
    std::vector<Band> bands;
    std::vector<double> weights;
    std::vector<double> temperature;
    std::size_t first_gas_node = 0;
    double coldest = 0.0;
    double hottest = 0.0;
    std::size_t intensity_steps = 1;
    std::vector<double> intensity;
    std::vector<GasComponent> components;
    std::vector<MoleFraction> mole_fractions;  ///< of the components, in their order
    std::optional<Soot> soot;                  ///< the component after them
    double soot_unit = 1.0;                    ///< amount of soot with a volume fraction of 1
    std::vector<double> particles;             ///< absorption [1/m] of the last component
    double particles_unit = 1.0;               ///< amount of particles that absorb 1/m
    double pressure = 0.0;
    KDistributionOptions options;
    std::size_t cells = 1;
    Composition reference;  ///< that the widths of lines are compared with
  };
  friend class GasOfScene;
  friend class LineWidths;
  void tabulate_intensity(const std::vector<double>& gas_temperature);
  GasComponent make_component(std::size_t number, const KDistributionOptions& options) const;
  GasComponent make_soot(const std::vector<double>& temperature) const;
  GasComponent make_particles() const;
  void add_soot(Soot soot);
  void scale_soot();
  std::size_t cells_of_gases() const;
  Composition composition(std::size_t cell) const;

  std::shared_ptr<Data> data_;  ///< never changed after construction
};

}  // namespace ermine
