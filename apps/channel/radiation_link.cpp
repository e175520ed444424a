#include "radiation_link.hpp"

#include <ermine/error.hpp>

#include <cmath>
#include <utility>
#include <vector>

namespace channel {
namespace {

ermine::CoupledCase coupled_case(const RadiationOptions& options, const std::string& backend) {
  std::vector<std::string> overrides = options.overrides;
  if (!backend.empty()) overrides.push_back("solver.backend=" + backend);
  return ermine::parse_coupled_case(options.text, options.name, overrides);
}

}  // namespace

RadiationLink::RadiationLink(const RadiationOptions& options, Flow& flow,
                             const std::string& backend)
    : RadiationLink(options, flow, coupled_case(options, backend)) {}

RadiationLink::RadiationLink(const RadiationOptions& options, Flow& flow,
                             const ermine::CoupledCase& problem)
    : options_(options),
      flow_(flow),
      radiation_(problem, flow.ranks().communicator()),
      extrapolated_(problem.coupling.extrapolate),
      wall_rays_(problem.options.rays_per_wall_face > 0) {
  if (extrapolated_ && options_.emission == Emission::implicit) {
    throw ermine::Error(
        "radiation.emission: implicit emission starts from one solution, and coupling.extrapolate "
        "uses two; give emission = \"explicit\" or extrapolate = false");
  }
  const Mesh& mesh = flow.options().mesh;
  radiation_.set_grid(mesh.axes(options.half_height));
  radiation_.set_block({.begin = {0, 0, flow.ranks().begin(mesh.nz)},
                        .end = {mesh.nx(), mesh.ny, flow.ranks().end(mesh.nz)},
                        .halo_below = {1, 1, 1},
                        .halo_above = {1, 1, 1},
                        .order = {1, 2, 0}});
  for (auto* array : {&source_, &emission_, &absorption_, &error_}) *array = flow.allocate();
  if (options_.emission == Emission::implicit) {
    slope_ = flow.allocate();
    base_ = flow.allocate();
  }
}

void RadiationLink::advance() {
  const int before = radiation_.pending();
  const auto updates = radiation_.statistics().updates;
  const double* const temperature = flow_.fields().t;
  flow_.wait();
  radiation_.advance(temperature);
  const auto submitted = radiation_.statistics().updates - updates;
  if (submitted > 0) {
    keep(temperature);
  }
  const auto taken = before + submitted - radiation_.pending();
  for (auto n = taken; n > 0; --n) {
    if (in_use_) {
      spare_.push_back(std::move(temperatures_.front()));
      temperatures_.pop_front();
    }
    in_use_ = true;
  }
  updated_ = taken > 0;
  if (updated_ || extrapolated_) take_over();
}

void RadiationLink::keep(const double* temperature) {
  if (spare_.empty()) spare_.push_back(flow_.allocate());
  temperatures_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  flow_.copy(temperatures_.back().get(), temperature);
}

void RadiationLink::take_over() {
  flow_.wait();
  radiation_.get(ermine::Quantity::source, source_.get());
  HeatLoss loss{.base = source_.get(), .per_capacity = 1 / options_.capacity};
  if (options_.emission == Emission::implicit) {
    radiation_.get(ermine::Quantity::emission_slope, slope_.get());
    flow_.linearise(source_.get(), slope_.get(), temperatures_.front().get(), base_.get());
    loss.base = base_.get();
    loss.slope = slope_.get();
  } else {
    explicit_loss_ = flow_.mean_loss(source_.get()) / options_.capacity;
  }
  flow_.set_loss(loss);
}

double RadiationLink::lost(double dt) {
  return options_.emission == Emission::implicit ? flow_.lost() : dt * explicit_loss_;
}

PlaneSums RadiationLink::sums() {
  radiation_.get(ermine::Quantity::emission, emission_.get());
  radiation_.get(ermine::Quantity::absorption, absorption_.get());
  radiation_.get(ermine::Quantity::standard_error, error_.get());
  return flow_.radiation_sums(temperatures_.front().get(), source_.get(), emission_.get(),
                              absorption_.get(), error_.get());
}

RadiationLedger RadiationLink::ledger() {
  const Layout layout = flow_.layout();
  const ermine::Grid& grid = radiation_.grid();
  const double area = grid.width(1, 0) * grid.width(2, 0);  // uniform along the walls
  const auto size = static_cast<std::size_t>(layout.size());
  std::vector<double> q(size), error(size);
  radiation_.get(ermine::Quantity::source, q.data());
  radiation_.get(ermine::Quantity::standard_error, error.data());
  std::vector<double> sums(4, 0.0);
  for (int i = 0; i < layout.nx; ++i) {
    const double volume = area * grid.width(0, static_cast<std::size_t>(i));
    for (int k = 0; k < layout.nz; ++k) {
      for (int j = 0; j < layout.ny; ++j) {
        const auto c = static_cast<std::size_t>(layout.at(i, j, k));
        sums[0] += volume * q[c];
        sums[1] += volume * error[c] * volume * error[c];
      }
    }
  }
  for (const ermine::Face face : {ermine::Face::x_low, ermine::Face::x_high}) {
    if (!wall_rays_) continue;
    const auto shape = radiation_.wall_shape(face);
    const auto faces = static_cast<std::size_t>(shape[0] * shape[1]);
    std::vector<double> flux(faces), flux_error(faces);
    radiation_.get(ermine::WallQuantity::net_flux, face, flux.data());
    radiation_.get(ermine::WallQuantity::standard_error, face, flux_error.data());
    for (std::size_t n = 0; n < faces; ++n) {
      sums[2] += area * flux[n];
      sums[3] += area * flux_error[n] * area * flux_error[n];
    }
  }
  flow_.ranks().sum(sums);
  return {.gas = sums[0],
          .gas_error = std::sqrt(sums[1]),
          .walls = sums[2],
          .walls_error = std::sqrt(sums[3]),
          .walls_known = wall_rays_};
}

void RadiationLink::load(std::span<const char> state) {
  radiation_.load_state(state);
  in_use_ = !temperatures_.empty();
  if (in_use_) take_over();
}

}  // namespace channel
