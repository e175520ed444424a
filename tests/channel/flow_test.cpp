#include "flow.hpp"

#include "initial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace channel {
namespace {

constexpr double pi = std::numbers::pi;

FlowOptions small_channel(int nx, int ny, int nz, double stretching = 1.5) {
  FlowOptions o;
  o.mesh.x_faces = stretching > 0 ? ermine::Axis::stretched(nx, 0, 2, stretching).faces
                                  : ermine::Axis::uniform(nx, 0, 2).faces;
  o.mesh.ny = ny;
  o.mesh.nz = nz;
  o.mesh.length_y = 2 * pi;
  o.mesh.length_z = 4 * pi;
  o.viscosity = 0.01;
  o.diffusivity = 0.01;
  o.t_low = 955;
  o.t_high = 573;
  return o;
}

std::vector<double> host_copy(Flow& flow, const double* field) {
  std::vector<double> host(static_cast<std::size_t>(flow.layout().size()));
  flow.read(host.data(), field, 0, flow.layout().size());
  return host;
}

template <class Value>
double volume_sum(Flow& flow, Value&& value) {
  const Layout layout = flow.layout();
  const Mesh& mesh = flow.options().mesh;
  double sum = 0;
  for (int i = 0; i < layout.nx; ++i) {
    for (int k = 0; k < layout.nz; ++k) {
      for (int j = 0; j < layout.ny; ++j) {
        sum += mesh.width(i) * value(i, static_cast<std::size_t>(layout.at(i, j, k)));
      }
    }
  }
  return sum * mesh.dy() * mesh.dz();
}

/// Discrete kinetic energy: u weighs with the cells around its face.
double energy(Flow& flow) {
  const Fields<double> f = flow.fields();
  const Mesh& mesh = flow.options().mesh;
  const auto u = host_copy(flow, f.u), v = host_copy(flow, f.v), w = host_copy(flow, f.w);
  return 0.5 * volume_sum(flow, [&](int i, std::size_t c) {
           const double above = i + 1 < mesh.nx() ? mesh.width(i + 1) : 0.0;
           return u[c] * u[c] * 0.5 * (1 + above / mesh.width(i)) + v[c] * v[c] + w[c] * w[c];
         });
}

void set_random(Flow& flow) {
  std::mt19937_64 generator(7);
  const Function noise = [&](double, double, double) {
    return static_cast<double>(generator() >> 11) * 0x1p-53 - 0.5;
  };
  set_fields(
      flow, noise, noise, [&](double x, double y, double z) { return 1 + noise(x, y, z); },
      [&](double x, double y, double z) { return 764 + 100 * noise(x, y, z); });
}

/// Largest error of the steady profile of a channel driven by a given force, w = x (2 - x) / 2
/// f/nu.
double poiseuille_error(int cells) {
  FlowOptions o = small_channel(cells, 2, 2);
  o.viscosity = o.diffusivity = 0.5;
  o.drive = Drive::pressure_gradient;
  o.force = 1;
  const auto flow = make_host_flow(o, {});
  set_start(*flow, {.kind = Start::laminar});
  double thinnest = 1;
  for (int i = 0; i < cells; ++i) thinnest = std::min(thinnest, o.mesh.width(i));
  const double dt = 0.5 * thinnest * thinnest;
  for (double t = 0; t < 24; t += dt) flow->step(dt);
  const auto w = host_copy(*flow, flow->fields().w);
  double error = 0;
  for (int i = 0; i < cells; ++i) {
    const double x = o.mesh.centre(i);
    error = std::max(
        error, std::abs(w[static_cast<std::size_t>(flow->layout().at(i, 0, 0))] - x * (2 - x)));
  }
  return error;
}

TEST(ChannelFlow, PoiseuilleIsSecondOrder) {
  const double coarse = poiseuille_error(8), fine = poiseuille_error(16);
  EXPECT_LT(coarse, 0.05);
  EXPECT_GT(coarse / fine, 3.2);
  EXPECT_GT(fine, 0.0);
}

/// Vortices in planes along free-slip walls decay as exp(-(ky^2 + kz^2) nu t), and keep their form.
double taylor_green_error(int n) {
  FlowOptions o = small_channel(2, n, n, 0);
  o.walls = Walls::free_slip;
  o.mesh.length_y = o.mesh.length_z = 2 * pi;
  const auto flow = make_host_flow(o, {});
  set_start(*flow, {.kind = Start::taylor_green});
  const double time = 1.0;
  const int steps = 4 * n;
  for (int s = 0; s < steps; ++s) flow->step(time / steps);
  const auto v = host_copy(*flow, flow->fields().v);
  const double decay = std::exp(-2 * o.viscosity * time);
  double error = 0;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      const double exact =
          decay * std::cos((j + 1) * o.mesh.dy()) * std::sin((k + 0.5) * o.mesh.dz());
      error = std::max(error,
                       std::abs(v[static_cast<std::size_t>(flow->layout().at(1, j, k))] - exact));
    }
  }
  return error;
}

TEST(ChannelFlow, TaylorGreenIsSecondOrder) {
  const double coarse = taylor_green_error(16), fine = taylor_green_error(32);
  EXPECT_LT(coarse, 0.01);
  EXPECT_NEAR(coarse / fine, 4.0, 0.4);
}

/// Without viscosity what is left of the change of energy is the error of time steps, which falls
/// with their third power or faster.
TEST(ChannelFlow, InviscidFlowKeepsItsEnergy) {
  const auto change = [](double dt) {
    FlowOptions o = small_channel(12, 10, 14);
    o.viscosity = o.diffusivity = 0;
    const auto flow = make_host_flow(o, {});
    set_random(*flow);
    const double before = energy(*flow);
    for (double t = 0; t < 0.3999; t += dt) flow->step(dt);
    return std::abs(energy(*flow) / before - 1);
  };
  const double coarse = change(0.04), fine = change(0.02);
  EXPECT_LT(fine, 1e-4);
  EXPECT_GT(coarse / fine, 6.5);
}

TEST(ChannelFlow, SquareOfTemperatureIsKept) {
  const auto change = [](double dt) {
    FlowOptions o = small_channel(12, 10, 14);
    o.viscosity = o.diffusivity = 0;
    const auto flow = make_host_flow(o, {});
    set_random(*flow);
    const auto square = [&] {
      const auto t = host_copy(*flow, flow->fields().t);
      return volume_sum(*flow, [&](int, std::size_t c) { return (t[c] - 764) * (t[c] - 764); });
    };
    const double before = square();
    for (double t = 0; t < 0.3999; t += dt) flow->step(dt);
    return std::abs(square() / before - 1);
  };
  const double coarse = change(0.04), fine = change(0.02);
  EXPECT_LT(fine, 1e-4);
  EXPECT_GT(coarse / fine, 6.5);
}

TEST(ChannelFlow, DivergenceIsRoundOff) {
  for (const int ny : {9, 10}) {
    const auto flow = make_host_flow(small_channel(12, ny, 14), {});
    set_random(*flow);
    for (int s = 0; s < 5; ++s) flow->step(0.01);
    EXPECT_LT(flow->largest_divergence(), 1e-12);
    EXPECT_GT(flow->courant_rate(), 1.0);
  }
}

TEST(ChannelFlow, BulkVelocityIsHeld) {
  const auto flow = make_host_flow(small_channel(12, 10, 14), {});
  set_random(*flow);
  const auto bulk = [&] {
    const auto w = host_copy(*flow, flow->fields().w);
    return volume_sum(*flow, [&](int, std::size_t c) { return w[c]; });
  };
  const double before = bulk();
  for (int s = 0; s < 50; ++s) flow->step(0.01);
  EXPECT_NEAR(bulk() / before, 1.0, 1e-13);
  EXPECT_GT(flow->walls().force, 0.0);
}

/// Heat gained by the gas is what came in through the walls, less what radiation took.
TEST(ChannelFlow, HeatBalanceCloses) {
  const FlowOptions o = small_channel(12, 10, 14);
  const auto flow = make_host_flow(o, {});
  set_random(*flow);
  const auto q = flow->allocate();
  std::vector<double> host(static_cast<std::size_t>(flow->layout().size()));
  for (std::size_t n = 0; n < host.size(); ++n)
    host[n] = 1000 * std::sin(0.1 * static_cast<double>(n));
  flow->write(host.data(), q.get());
  flow->set_loss({.base = q.get(), .per_capacity = 1.0 / 200});
  const auto heat = [&] {
    const auto t = host_copy(*flow, flow->fields().t);
    return volume_sum(*flow, [&](int, std::size_t c) { return t[c]; });
  };
  const double before = heat();
  constexpr int steps = 50;
  constexpr double dt = 0.01;
  for (int s = 0; s < steps; ++s) flow->step(dt);
  const auto walls = flow->wall_integrals();
  const double area = o.mesh.length_y * o.mesh.length_z;
  const double radiated = steps * dt * flow->mean_loss(q.get()) / 200 * area * o.mesh.height();
  const double conducted = -o.diffusivity * area * (walls[2] + walls[3]);
  EXPECT_GT(std::abs(radiated), 1e-3);
  EXPECT_GT(std::abs(conducted), 1e-3);
  EXPECT_NEAR(heat() - before, conducted - radiated, 1e-9 * before);
}

/// A loss that grows steeply with temperature, far beyond what explicit steps bear.
TEST(ChannelFlow, LinearisedEmissionIsStable) {
  FlowOptions o = small_channel(8, 4, 4);
  o.t_low = o.t_high = 764;
  const auto flow = make_host_flow(o, {});
  set_random(*flow);
  const auto slope = flow->allocate(), base = flow->allocate(), none = flow->allocate();
  std::vector<double> host(static_cast<std::size_t>(flow->layout().size()), 1e5);
  flow->write(host.data(), slope.get());
  for (double& value : host) value = 764;
  const auto reference = flow->allocate();
  flow->write(host.data(), reference.get());
  flow->linearise(none.get(), slope.get(), reference.get(), base.get());
  flow->set_loss({.base = base.get(), .slope = slope.get(), .per_capacity = 1.0 / 200});
  for (int s = 0; s < 20; ++s) flow->step(0.02);
  const auto t = host_copy(*flow, flow->fields().t);
  EXPECT_LT(volume_sum(*flow, [&](int, std::size_t c) { return std::abs(t[c] - 764); }), 1e-3);
}

TEST(ChannelFlow, WhatIsNotFiniteIsSeen) {
  const auto flow = make_host_flow(small_channel(8, 4, 4), {});
  set_random(*flow);
  EXPECT_TRUE(std::isfinite(flow->courant_rate()));
  for (double* field : {flow->fields().u, flow->fields().w, flow->fields().t}) {
    auto host = host_copy(*flow, field);
    const auto kept = host;
    host[static_cast<std::size_t>(flow->layout().at(3, 2, 1))] = std::nan("");
    flow->write(host.data(), field);
    EXPECT_FALSE(std::isfinite(flow->courant_rate()));
    flow->write(kept.data(), field);
  }
}

/// Whatever the box and the grid: bulk velocity one, and nothing at the walls but what the grid
/// resolves.
TEST(ChannelFlow, TurbulentStartHasItsBulkVelocity) {
  for (const int ny : {4, 6, 16}) {
    for (const double height : {2.0, 4.0}) {
      FlowOptions o = small_channel(16, ny, 16);
      for (double& x : o.mesh.x_faces) x *= height / 2;
      const auto flow = make_host_flow(o, Ranks::of_world());
      set_start(*flow, {.kind = Start::turbulent});
      const auto w = host_copy(*flow, flow->fields().w);
      const double volume = height * o.mesh.length_y * o.mesh.length_z;
      const double bulk = volume_sum(*flow, [&](int, std::size_t c) { return w[c]; }) / volume;
      EXPECT_NEAR(bulk, 1, 1e-12) << ny << " " << height;
      double largest = 0;
      for (const double value : w) largest = std::max(largest, std::abs(value));
      EXPECT_LT(largest, 3) << ny << " " << height;
    }
  }
}

}  // namespace
}  // namespace channel
