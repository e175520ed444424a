#pragma once

#include <ermine/scattering.hpp>

#include "backend/in_place.hpp"
#include "geometry/levels.hpp"
#include "medium/scattering_view.hpp"

#include <span>
#include <vector>

namespace ermine {

static_assert(most_scattering_classes == static_cast<int>(most_scattering));

/// Owns the arrays behind a ScatteringView. Coarse cells have the mean coefficient.
template <class Real>
class ScatteringStorage {
 public:
  ScatteringStorage(std::span<const Scattering> classes, const Levels& levels) {
    for (const Scattering& one : classes) {
      std::vector<double> coefficient = one.coefficient;
      if (coefficient.size() > 1) levels.extend(coefficient, mean);
      coefficient_.emplace_back(coefficient.begin(), coefficient.end());
      asymmetry_.push_back(static_cast<Real>(one.asymmetry));
    }
  }

  template <class Place = InPlace>
  ScatteringView<Real> view(const Place& place = {}) const {
    ScatteringView<Real> view{};
    view.classes = static_cast<int>(coefficient_.size());
    for (std::size_t c = 0; c < coefficient_.size(); ++c) {
      view.of[c] = {place(coefficient_[c]), coefficient_[c].size() > 1, asymmetry_[c]};
    }
    return view;
  }

 private:
  std::vector<std::vector<Real>> coefficient_;
  std::vector<Real> asymmetry_;
};

}  // namespace ermine
