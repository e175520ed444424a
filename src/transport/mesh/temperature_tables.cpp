#include "transport/mesh/temperature_tables.hpp"

#include "core/constants.hpp"

#include <algorithm>
#include <cmath>

namespace ermine {
namespace {

constexpr double bin_width = CellFactorTable::step;  ///< in ln k
constexpr double node_distance = 20.0;               ///< [K]

double log_absorption(int bin) { return bin_width * bin; }

}  // namespace

void AbsorptionBins::add(const PointSlopes& point) {
  if (!(point.absorption > least_corrected_absorption)) return;
  const double position = std::log(point.absorption) / bin_width;
  const int low = static_cast<int>(std::floor(position));
  if (bins_.empty()) first_ = low;
  if (low < first_) {
    bins_.insert(bins_.begin(), static_cast<std::size_t>(first_ - low), Bin{});
    first_ = low;
  }
  const auto bin = static_cast<std::size_t>(low - first_);
  if (bins_.size() < bin + 2) bins_.resize(bin + 2);
  const double part = position - low;
  const double slope = point.intensity_slope / point.absorption;
  const double curving = point.intensity_curving / point.absorption;
  const double gradient = -point.absorption_slope / point.absorption * slope;
  const auto share = [&](Bin& to, double weight) {
    to.slope += weight * slope;
    to.curving += weight * curving;
    to.gradient += weight * gradient;
  };
  share(bins_[bin], 1 - part);
  share(bins_[bin + 1], part);
}

template <class Visit>
void AbsorptionBins::each(double width, const Structures& field, const Visit& visit) const {
  const CellFactorTable& factors = CellFactorTable::instance();
  const double log_width = std::log(width);
  for (std::size_t b = 0; b < bins_.size(); ++b) {
    const double log_k = log_absorption(first_ + static_cast<int>(b));
    const double absorption = std::exp(log_k);
    const CellFactors any = factors(log_k + log_width);
    visit(bins_[b], any.for_structures(absorption * width, field, absorption), absorption);
  }
}

FaceTerms AbsorptionBins::face(double width, const Structures& field) const {
  FaceTerms terms;
  each(width, field, [&](const Bin& bin, const CellFactors& factors, double) {
    const double one_minus_g = factors.gradient;
    const double g_minus_f = factors.curvature - factors.gradient;
    terms.gradient.linear += one_minus_g * bin.slope;
    terms.gradient.square += one_minus_g * (bin.curving + bin.gradient);
    terms.curvature.linear += g_minus_f * bin.slope;
    terms.curvature.square += g_minus_f * bin.curving;
  });
  constexpr double factor = 4 * constants::pi / 3;
  return {factor * terms.gradient, factor * terms.curvature};
}

WallTerms AbsorptionBins::wall(double width, const Structures& field) const {
  WallTerms terms;
  each(width, field, [&](const Bin& bin, const CellFactors& factors, double absorption) {
    const Quadratic of_bin{bin.slope, bin.curving + bin.gradient};
    terms.black = terms.black + factors.black_wall * of_bin;
    for (const std::size_t kind : {0, 1}) {
      terms.white[kind] = terms.white[kind] + factors.white_wall[kind] * of_bin;
    }
    terms.flux = terms.flux + factors.wall_flux * absorption * Quadratic{bin.slope, bin.curving};
  });
  constexpr double factor = 8 * constants::pi / 3;
  return {factor * terms.black,
          {factor * terms.white[0], factor * terms.white[1]},
          2 * constants::pi * terms.flux};
}

double AbsorptionBins::conductance(double distance, const Structures& field) const {
  double sum = 0.0;
  each(distance, field, [&](const Bin& bin, const CellFactors& factors, double) {
    sum += factors.exchange * bin.slope;
  });
  return 4 * constants::pi / 3 / distance * sum;
}

TemperatureTables::TemperatureTables(double coldest, double hottest) {
  const double count = std::clamp(std::ceil((hottest - coldest) / node_distance) + 1, 2.0, 200.0);
  for (int n = 0; n < static_cast<int>(count); ++n) {
    nodes_.push_back(coldest + (hottest - coldest) * n / (count - 1));
  }
  bins_.resize(nodes_.size());
}

void TemperatureTables::tabulate(std::span<const Row> rows, int threads) {
  face_.resize(rows.size() * nodes_.size());
  wall_.resize(face_.size());
#pragma omp parallel for collapse(2) schedule(dynamic, 16) num_threads(threads)
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const std::size_t at = row * nodes_.size() + n;
      face_[at] = bins_[n].face(rows[row].width, rows[row].field);
      if (rows[row].at_wall) wall_[at] = bins_[n].wall(rows[row].width, rows[row].field);
    }
  }
}

void TemperatureTables::tabulate_fluxes(std::span<const Row> rows, int threads) {
  const std::size_t nodes = nodes_.size();
  conductance_.resize(rows.size() * nodes);
  potential_.resize(conductance_.size());
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::size_t row = 0; row < rows.size(); ++row) {
    double* conductance = conductance_.data() + row * nodes;
    double* potential = potential_.data() + row * nodes;
    for (std::size_t n = 0; n < nodes; ++n) {
      conductance[n] = bins_[n].conductance(rows[row].width, rows[row].field);
      if (n == 0) continue;
      potential[n] = potential[n - 1] +
                     (nodes_[n] - nodes_[n - 1]) * (conductance[n - 1] + conductance[n]) / 2;
    }
  }
}

double TemperatureTables::potential(std::size_t row, const Position& at) const {
  const std::size_t node = row * nodes_.size() + at.node;
  const double low = conductance_[node];
  const double rise = conductance_[node + 1] - low;
  return potential_[node] +
         (nodes_[at.node + 1] - nodes_[at.node]) * at.part * (low + at.part * rise / 2);
}

TemperatureTables::Position TemperatureTables::position(double kelvin) const {
  const double scaled = (kelvin - nodes_.front()) / (nodes_.back() - nodes_.front()) *
                        static_cast<double>(nodes_.size() - 1);
  const auto node = std::min(static_cast<std::size_t>(std::max(scaled, 0.0)), nodes_.size() - 2);
  return {node, scaled - static_cast<double>(node)};
}

FaceTerms TemperatureTables::face(std::size_t row, const Position& at) const {
  const FaceTerms* low = face_.data() + row * nodes_.size() + at.node;
  const double part = at.part;
  return {(1 - part) * low[0].gradient + part * low[1].gradient,
          (1 - part) * low[0].curvature + part * low[1].curvature};
}

WallTerms TemperatureTables::wall(std::size_t row, const Position& at) const {
  const WallTerms* low = wall_.data() + row * nodes_.size() + at.node;
  const double part = at.part;
  const auto between = [&](const Quadratic& from, const Quadratic& to) {
    return (1 - part) * from + part * to;
  };
  return {between(low[0].black, low[1].black),
          {between(low[0].white[0], low[1].white[0]), between(low[0].white[1], low[1].white[1])},
          between(low[0].flux, low[1].flux)};
}

}  // namespace ermine
