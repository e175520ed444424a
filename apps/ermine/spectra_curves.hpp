#pragma once

#include "gas_source.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace ermine::cli {

/// Of a curve that is interrupted; a null in JSON.
inline constexpr double gap = std::numeric_limits<double>::quiet_NaN();

struct Curve {
  std::string label;
  std::vector<double> x = {};
  std::vector<double> y = {};
  int hue = 0;
  int dash = 0;

  void add(double at, double value) {
    x.push_back(at);
    y.push_back(value);
  }
};

struct Axis {
  std::string label;
  std::string scale = "linear";           ///< or "log"
  std::pair<double, double> limits = {};  ///< equal: as the curves need
};

struct Picture {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Curve> curves;
  bool ordered = false;  ///< hues are in order of temperature
  double linewidth = 1.3;
};

struct CurveOptions {
  GasOptions gas;
  std::string what = "spectrum";
  std::vector<double> temperature;
  std::vector<double> length;
  double wavenumber_cm1 = -1.0;  ///< -1: the strongest bands
  double from_cm1 = 0.0;
  double to_cm1 = std::numeric_limits<double>::infinity();
};

/// What `ermine spectra plot` draws: k over g, spectrum, Planck mean or emissivity.
Picture make_picture(const CurveOptions& options);

}  // namespace ermine::cli
