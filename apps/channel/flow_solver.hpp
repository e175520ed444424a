#pragma once

#include "boundary.hpp"
#include "flow.hpp"
#include "momentum.hpp"
#include "pressure.hpp"
#include "sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace channel {

/// Wray's three stages; weights: how much of each stage's tendencies a whole step has.
inline constexpr std::array<double, 3> stage_gamma{8.0 / 15, 5.0 / 12, 3.0 / 4};
inline constexpr std::array<double, 3> stage_zeta{0.0, -17.0 / 60, -5.0 / 12};
inline constexpr std::array<double, 3> stage_weight{1.0 / 4, 0.0, 3.0 / 4};

/// The flow on one backend: `Space` has its memory and loops, `Poisson` its transforms, `Halos`
/// what other processes have.
template <class Space, class Poisson, class Halos>
class FlowSolver final : public Flow {
 public:
  FlowSolver(const FlowOptions& options, const Ranks& ranks)
      : options_(options),
        ranks_(ranks),
        layout_{options.mesh.nx(), options.mesh.ny,
                ranks.end(options.mesh.nz) - ranks.begin(options.mesh.nz)},
        poisson_(space_, options, ranks),
        halos_(space_, options.mesh, ranks) {
    set_metric();
    for (auto* arrays : {&now_, &next_, &before_}) {
      for (auto& array : *arrays) array = space_.allocate(layout_.size());
    }
    sums_ = space_.allocate(static_cast<std::ptrdiff_t>(RadiationSums::quantities) * layout_.nx *
                            layout_.ny);
    lost_ = space_.allocate(static_cast<std::ptrdiff_t>(layout_.nx) * layout_.ny);
    rows_ = space_.allocate(4 * static_cast<std::ptrdiff_t>(options.mesh.nz));
    wall_ = space_.allocate(10);
  }

  const FlowOptions& options() const override { return options_; }
  const Ranks& ranks() const override { return ranks_; }
  Layout layout() const override { return layout_; }
  bool on_device() const override { return Space::device; }

  void step(double dt) override {
    for (std::size_t s = 0; s < 3; ++s) {
      const Stage stage{stage_gamma[s], stage_zeta[s], dt};
      balance_walls(stage_weight[s] * dt);
      if (s == 0) advance<Turn::first>(stage);
      if (s == 1) advance<Turn::middle>(stage);
      if (s == 2) advance<Turn::last>(stage);
      std::swap(now_, next_);
      if (loss_.slope) {
        space_.each_strip(layout_.nx, layout_.ny,
                          LossSums{layout_, loss_.base, loss_.slope, now_[3].get(),
                                   stage.alpha() * dt * loss_.per_capacity, s == 0, lost_.get()});
      }
      make_solenoidal(stage.alpha() * dt);
      fill_halos();
    }
  }

  void project() override {
    make_solenoidal(1.0);
    fill_halos();
  }

  void fill_halos() override {
    const Fields<double> f = fields();
    const int nx = layout_.nx, ny = layout_.ny, nz = layout_.nz;
    space_.each({0, nx, 0, 1, 0, nz}, HalosAlongY{layout_, f});
    halos_.along_z(layout_, f);
    space_.each({0, 1, -1, ny + 1, -1, nz + 1},
                WallGhosts{layout_, f, options_.walls == Walls::no_slip ? -1.0 : 1.0,
                           options_.t_low, options_.t_high});
  }

  void set_loss(const HeatLoss& loss) override { loss_ = loss; }
  Fields<double> fields() override { return mutable_fields(now_); }

  WallBalance walls() override {
    std::array<double, 5> w;
    space_.copy_out(w.data(), wall_.get(), 5);
    return {w[0], w[1], w[2], w[3], w[4]};
  }
  std::array<double, 5> wall_integrals() override {
    std::array<double, 5> integrals;
    space_.copy_out(integrals.data(), wall_.get() + 5, 5);
    return integrals;
  }
  void set_wall_integrals(const std::array<double, 5>& integrals) override {
    space_.copy_in(wall_.get() + 5, integrals.data(), 5);
  }

  double courant_rate() override {
    return largest(CourantRate{layout_, metric_, const_fields(now_), sums_.get()});
  }
  double largest_divergence() override {
    return largest(DivergenceSize{layout_, metric_, const_fields(now_), sums_.get()});
  }
  PlaneSums velocity_sums() override {
    return plane_sums(VelocitySums{layout_, const_fields(now_), sums_.get()});
  }
  PlaneSums radiation_sums(const double* temperature, const double* source, const double* emission,
                           const double* absorption, const double* error) override {
    return plane_sums(
        RadiationSums{layout_, temperature, source, emission, absorption, error, sums_.get()});
  }
  double mean_loss(const double* base) override {
    space_.each_strip(layout_.nx, layout_.ny,
                      LossSums{.layout = layout_, .base = base, .out = sums_.get()});
    return volume_mean(plane_sums(sums_.get(), 1));
  }
  double lost() override { return volume_mean(plane_sums(lost_.get(), 1)); }
  void linearise(const double* source, const double* slope, const double* temperature,
                 double* base) override {
    space_.each(all(), Linearise{layout_, source, slope, temperature, base});
  }

  std::shared_ptr<double> allocate() override { return space_.allocate(layout_.size()); }
  void copy(double* to, const double* from) override {
    space_.copy_within(to, from, layout_.size());
  }
  void read(double* host, const double* field, std::ptrdiff_t first,
            std::ptrdiff_t count) override {
    space_.copy_out(host, field + first, count);
  }
  void write(const double* host, double* field) override {
    space_.copy_in(field, host, layout_.size());
  }
  void wait() override { space_.wait(); }

 private:
  using Arrays = std::array<std::shared_ptr<double>, 4>;

  static Fields<double> mutable_fields(const Arrays& a) {
    return {a[0].get(), a[1].get(), a[2].get(), a[3].get()};
  }
  static Fields<const double> const_fields(const Arrays& a) {
    return {a[0].get(), a[1].get(), a[2].get(), a[3].get()};
  }
  Box all() const { return {0, layout_.nx, 0, layout_.ny, 0, layout_.nz}; }

  void set_metric() {
    const Mesh& mesh = options_.mesh;
    const int n = mesh.nx();
    const auto width = [&](int i) { return mesh.width(std::clamp(i, 0, n - 1)); };
    std::vector<double> numbers;
    for (int i = -1; i <= n; ++i) numbers.push_back(width(i));
    for (int i = -1; i <= n; ++i) numbers.push_back(1 / width(i));
    for (int i = -1; i <= n; ++i) numbers.push_back(2 / (width(i) + width(i + 1)));
    widths_ = space_.allocate(static_cast<std::ptrdiff_t>(numbers.size()));
    space_.copy_in(widths_.get(), numbers.data(), static_cast<std::ptrdiff_t>(numbers.size()));
    const double* const first = widths_.get() + 1;
    metric_ = {first, first + (n + 2), first + 2 * (n + 2), 1 / mesh.dy(), 1 / mesh.dz()};
  }

  template <Turn turn>
  void advance(const Stage& stage) {
    if (!loss_.base) {
      launch<turn, LossKind::none>(stage);
    } else if (!loss_.slope) {
      launch<turn, LossKind::explicit_emission>(stage);
    } else {
      launch<turn, LossKind::implicit_emission>(stage);
    }
  }
  template <Turn turn, LossKind kind>
  void launch(const Stage& stage) {
    space_.each(all(), Advance<turn, kind>{{layout_, metric_, const_fields(now_),
                                            options_.viscosity, options_.diffusivity},
                                           mutable_fields(next_),
                                           mutable_fields(before_),
                                           wall_.get() + 4,
                                           loss_,
                                           stage});
  }

  /// The force that holds the bulk velocity: convection and pressure do not change it, so it is
  /// what the walls take away.
  void balance_walls(double weight) {
    space_.each({0, 1, 0, 1, 0, layout_.nz},
                WallGradients{layout_, metric_, const_fields(now_), rows_.get()});
    halos_.gather_rows(rows_.get(), 4);
    const Mesh& mesh = options_.mesh;
    const bool bulk = options_.drive == Drive::bulk_velocity;
    space_.each({0, 1, 0, 1, 0, 1},
                WallSums{.rows = rows_.get(),
                         .row_count = mesh.nz,
                         .per_rows = 1.0 / (static_cast<double>(mesh.ny) * mesh.nz),
                         .friction = bulk ? options_.viscosity / mesh.height() : 0.0,
                         .force = bulk ? 0.0 : options_.force,
                         .weight = weight,
                         .out = wall_.get(),
                         .total = wall_.get() + 5});
  }

  void make_solenoidal(double time) {
    const Fields<double> f = fields();
    const int nx = layout_.nx, ny = layout_.ny, nz = layout_.nz;
    space_.each({0, nx, 0, 1, 0, nz}, FacesBelowY{layout_, f.v});
    halos_.below_z(layout_, f.w);
    const double cells = static_cast<double>(ny) * options_.mesh.nz;
    space_.each(all(), Divergence{layout_, poisson_.layout(), metric_, const_fields(now_),
                                  poisson_.data(), 1 / (time * cells)});
    poisson_.solve();
    poisson_.fill_halos();
    space_.each(all(), Correct{layout_, poisson_.layout(), metric_, f, poisson_.data(), time});
  }

  /// Sums of a strip functor that writes to sums_, or found before, on the host.
  std::vector<double> strips(const double* sums, int quantities) {
    std::vector<double> host(static_cast<std::size_t>(quantities) * layout_.nx * layout_.ny);
    space_.copy_out(host.data(), sums, static_cast<std::ptrdiff_t>(host.size()));
    return host;
  }
  template <class Sums>
  double largest(const Sums& sums) {
    space_.each_strip(layout_.nx, layout_.ny, sums);
    const std::vector<double> values = strips(sums_.get(), Sums::quantities);
    return ranks_.largest(*std::max_element(values.begin(), values.end()));
  }
  template <class Sums>
  PlaneSums plane_sums(const Sums& sums) {
    space_.each_strip(layout_.nx, layout_.ny, sums);
    return plane_sums(sums_.get(), Sums::quantities);
  }
  PlaneSums plane_sums(const double* sums, int quantities) {
    const std::vector<double> values = strips(sums, quantities);
    PlaneSums planes(static_cast<std::size_t>(quantities) * layout_.nx);
    for (std::size_t p = 0; p < planes.size(); ++p) {
      for (int j = 0; j < layout_.ny; ++j) {
        planes[p] += values[p * static_cast<std::size_t>(layout_.ny) + static_cast<std::size_t>(j)];
      }
    }
    ranks_.sum(planes);
    return planes;
  }
  double volume_mean(const PlaneSums& planes) const {
    const Mesh& mesh = options_.mesh;
    double sum = 0;
    for (int i = 0; i < layout_.nx; ++i) {
      sum += planes[static_cast<std::size_t>(i)] * mesh.width(i);
    }
    return sum / (mesh.height() * mesh.ny * mesh.nz);
  }

  FlowOptions options_;
  Ranks ranks_;
  Layout layout_;
  Space space_;
  Poisson poisson_;
  Halos halos_;
  Metric metric_;
  HeatLoss loss_;
  Arrays now_, next_, before_;
  std::shared_ptr<double> widths_, sums_, rows_, lost_;
  std::shared_ptr<double> wall_;  ///< as WallSums has it: of the last stage, and integrals
};

}  // namespace channel
