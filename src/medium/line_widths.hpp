#pragma once

#include <ermine/gas_medium.hpp>

#include "spectra/lorentz_terms.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace ermine {

/// GasMedium::broadening() of one component, for many cells: powers of the temperature are taken
/// once for a cell and the mean composition, and only those in which terms differ.
class LineWidths {
 public:
  /// The gas must outlive it, and be one whose composition is known.
  LineWidths(const GasMedium& gas, std::size_t component)
      : gas_(*gas.data_),
        species_(gas_.mole_fractions[component].species),
        reference_(lorentz_terms(species_, gas_.reference)) {
    for (std::size_t i = 0; i + 1 < reference_.count; ++i) {
      exponent_[i] = reference_.exponent[i] - reference_.exponent[reference_.count - 1];
    }
  }

  double operator()(std::size_t cell, double kelvin) const {
    const LorentzTerms own = lorentz_terms(species_, composition(cell));
    const std::size_t last = own.count - 1;
    double width = own.factor[last];
    double usual = reference_.factor[last];
    if (last > 0) {
      const double t = 296.0 / kelvin;
      const double log = exponent_[0] == 0.5 ? 0.0 : std::log(t);
      for (std::size_t i = 0; i < last; ++i) {
        const double power = exponent_[i] == 0.5 ? std::sqrt(t) : std::exp(exponent_[i] * log);
        width += own.factor[i] * power;
        usual += reference_.factor[i] * power;
      }
    }
    return std::sqrt(width / usual);
  }

 private:
  Composition composition(std::size_t cell) const {
    Composition composition;
    for (const GasMedium::MoleFraction& fraction : gas_.mole_fractions) {
      composition[fraction.species] = fraction.values[fraction.values.size() == 1 ? 0 : cell];
    }
    return composition;
  }

  const GasMedium::Data& gas_;
  Species species_;
  LorentzTerms reference_;
  std::array<double, 2> exponent_{};  ///< of terms before the last, over that of the last
};

}  // namespace ermine
