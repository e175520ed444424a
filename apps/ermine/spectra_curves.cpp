#include "spectra_curves.hpp"

#include "core/check.hpp"
#include "spectra.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ermine::cli {
namespace {

constexpr int most_pieces = 20'000;  // of a line-by-line spectrum; a picture shows fewer

std::string in_kelvin(double kelvin) { return fmt::format("{:.5g} K", kelvin); }

/// Those asked for, or what lies within the data of a few usual ones.
std::vector<double> temperatures(const CurveOptions& options, const GasSource& gas,
                                 const std::vector<double>& usual) {
  if (!options.temperature.empty()) return options.temperature;
  std::vector<double> chosen;
  for (const double kelvin : usual) {
    if (kelvin >= gas.coldest() && kelvin <= gas.hottest()) chosen.push_back(kelvin);
  }
  return chosen.empty() ? std::vector<double>{gas.coldest()} : chosen;
}

double band_mean(const SpectralTable& table, std::size_t band, double kelvin) {
  double mean = 0.0;
  for (std::size_t j = 0; j < table.quadrature.size(); ++j) {
    mean += table.quadrature.weight[j] * table.absorption_at(band, j, kelvin);
  }
  return mean;
}

/// The band that holds the wavenumber asked for, or the three that emit most.
std::vector<std::size_t> chosen_bands(const CurveOptions& options, const SpectralTable& table,
                                      double kelvin) {
  std::vector<std::size_t> bands(table.bands.size());
  std::iota(bands.begin(), bands.end(), std::size_t{0});
  if (options.wavenumber_cm1 >= 0) {
    const auto found = std::ranges::find_if(table.bands, [&](const Band& band) {
      return options.wavenumber_cm1 >= band.low_cm1 && options.wavenumber_cm1 < band.high_cm1;
    });
    ERMINE_REQUIRE(found != table.bands.end(),
                   "no band of {} holds {} 1/cm, give --wavenumber from {} to {}", table.gas,
                   options.wavenumber_cm1, table.bands.front().low_cm1,
                   table.bands.back().high_cm1);
    return {static_cast<std::size_t>(found - table.bands.begin())};
  }
  std::vector<double> emission;
  for (const std::size_t b : bands) {
    emission.push_back(band_mean(table, b, kelvin) * planck_intensity(table.bands[b], kelvin));
  }
  const std::size_t count = std::min<std::size_t>(3, bands.size());
  std::partial_sort(bands.begin(), bands.begin() + static_cast<std::ptrdiff_t>(count), bands.end(),
                    [&](std::size_t a, std::size_t b) { return emission[a] > emission[b]; });
  bands.resize(count);
  std::ranges::sort(bands);
  return bands;
}

Picture k_over_g(const CurveOptions& options, GasSource& gas) {
  const std::vector<double> kelvin = temperatures(options, gas, {1000.0});
  const SpectralTable& table = gas.single_table("--what k", kelvin);
  ERMINE_REQUIRE(table.kind == TableKind::k_distribution,
                 "--what k needs a k-distribution, this is a line-by-line table, draw --what "
                 "spectrum");
  Picture picture{gas.title(), {"g", "linear", {0, 1}}, {"k [1/m]", "log"}, {}};
  int hue = 0;
  for (const std::size_t band : chosen_bands(options, table, kelvin.front())) {
    for (std::size_t t = 0; t < kelvin.size(); ++t) {
      Curve curve{fmt::format("{:g} - {:g} cm\u207b\u00b9, {}", table.bands[band].low_cm1,
                              table.bands[band].high_cm1, in_kelvin(kelvin[t]))};
      curve.hue = hue;
      curve.dash = static_cast<int>(t);
      for (std::size_t j = 0; j < table.quadrature.size(); ++j) {
        const double k = table.absorption_at(band, j, kelvin[t]);
        curve.add(table.quadrature.node[j], k > 0 ? k : gap);
      }
      picture.curves.push_back(std::move(curve));
    }
    ++hue;
  }
  return picture;
}

/// Band averages as steps.
Curve stairs(const SpectralTable& table, double kelvin, const CurveOptions& options) {
  Curve curve{in_kelvin(kelvin)};
  for (std::size_t b = 0; b < table.bands.size(); ++b) {
    const Band& band = table.bands[b];
    if (band.high_cm1 <= options.from_cm1 || band.low_cm1 >= options.to_cm1) continue;
    if (!curve.x.empty() && curve.x.back() < band.low_cm1) curve.add(band.low_cm1, gap);
    const double mean = band_mean(table, b, kelvin);
    curve.add(band.low_cm1, mean > 0 ? mean : gap);
    curve.add(band.high_cm1, mean > 0 ? mean : gap);
  }
  return curve;
}

/// All wavenumbers; where they are too many, the smallest and largest k of a few neighbours.
Curve lines(const SpectralTable& table, double kelvin, const CurveOptions& options) {
  const std::size_t points = table.quadrature.size();
  std::vector<std::pair<double, double>> all;
  for (std::size_t i = 0; i < table.point_count(); ++i) {
    const Band& band = table.bands[i / points];
    const double at = band.low_cm1 + table.quadrature.node[i % points] * band.width_cm1();
    if (at < options.from_cm1 || at > options.to_cm1) continue;
    all.emplace_back(at, table.absorption_at(i / points, i % points, kelvin));
  }
  const std::size_t together = 1 + all.size() / most_pieces;
  Curve curve{in_kelvin(kelvin)};
  for (std::size_t i = 0; i < all.size(); i += together) {
    const auto piece = std::span(all).subspan(i, std::min(together, all.size() - i));
    const auto [least, most] =
        std::ranges::minmax_element(piece, {}, &std::pair<double, double>::second);
    for (const auto& [at, k] : {std::min(*least, *most), std::max(*least, *most)}) {
      if (together > 1 || curve.x.empty() || curve.x.back() != at) {
        curve.add(at, k > 0 ? k : gap);
      }
    }
  }
  return curve;
}

Picture spectrum(const CurveOptions& options, GasSource& gas) {
  const std::vector<double> kelvin = temperatures(options, gas, {500.0, 1000.0, 2000.0});
  const SpectralTable& table = gas.single_table("--what spectrum", kelvin);
  const bool by_line = table.kind == TableKind::line_by_line;
  Picture picture{
      gas.title(),
      {"wavenumber [cm\u207b\u00b9]"},
      {by_line ? "absorption coefficient [1/m]" : "absorption coefficient, band average [1/m]",
       "log"},
      {}};
  picture.linewidth = by_line ? 0.7 : 1.0;
  picture.ordered = true;
  double largest = 0.0, smallest = 1e300;
  for (std::size_t t = 0; t < kelvin.size(); ++t) {
    Curve curve = by_line ? lines(table, kelvin[t], options) : stairs(table, kelvin[t], options);
    curve.hue = static_cast<int>(t);
    for (const double k : curve.y) {
      largest = std::fmax(largest, k);
      smallest = std::fmin(smallest, k);
    }
    picture.curves.push_back(std::move(curve));
  }
  ERMINE_REQUIRE(largest > 0,
                 "nothing absorbs between {} and {} 1/cm, change --from and --to (the data reach "
                 "from {} to {})",
                 options.from_cm1, options.to_cm1, table.bands.front().low_cm1,
                 table.bands.back().high_cm1);
  picture.y.limits = {std::max(1e-7 * largest, 0.5 * smallest), 2 * largest};
  return picture;
}

Picture planck_means(GasSource& gas) {
  std::vector<double> kelvin;
  for (int i = 0; i <= 100; ++i) {
    kelvin.push_back(std::lerp(gas.coldest(), gas.hottest(), 0.01 * i));
  }
  Picture picture{
      gas.title(), {"temperature [K]"}, {"Planck-mean absorption coefficient [1/m]", "log"}, {}};
  for (const SpectralTable& table : gas.tables(kelvin)) {
    Curve curve{table.gas};
    curve.hue = static_cast<int>(picture.curves.size());
    for (const double t : kelvin) curve.add(t, planck_mean(table, t));
    picture.curves.push_back(std::move(curve));
  }
  return picture;
}

Picture emissivities(const CurveOptions& options, GasSource& gas) {
  const std::vector<double> kelvin = temperatures(options, gas, {500.0, 1000.0, 1500.0, 2000.0});
  const auto& tables = gas.tables(kelvin);
  double first = 0.01, last = 10.0;
  if (!options.length.empty()) {
    const auto [least, most] = std::ranges::minmax(options.length);
    ERMINE_REQUIRE(most > least, "one --length makes no curve, give the first and the last");
    first = least;
    last = most;
  }
  Picture picture{
      gas.title(), {"length [m]", "log", {first, last}}, {"total emissivity"}, {}, true};
  double largest = 0.0;
  for (std::size_t t = 0; t < kelvin.size(); ++t) {
    Curve curve{in_kelvin(kelvin[t])};
    curve.hue = static_cast<int>(t);
    for (int i = 0; i <= 60; ++i) {
      const double length = first * std::pow(last / first, i / 60.0);
      curve.add(length, emissivity(tables, kelvin[t], length));
    }
    largest = std::max(largest, curve.y.back());
    picture.curves.push_back(std::move(curve));
  }
  picture.y.limits = {0.0, std::min(1.0, 1.1 * largest)};
  return picture;
}

}  // namespace

Picture make_picture(const CurveOptions& options) {
  GasSource gas(options.gas);
  if (options.what == "k") return k_over_g(options, gas);
  if (options.what == "planck-mean") return planck_means(gas);
  if (options.what == "emissivity") return emissivities(options, gas);
  return spectrum(options, gas);
}

}  // namespace ermine::cli
