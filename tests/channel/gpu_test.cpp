#include <ermine/device.hpp>

#include "flow.hpp"
#include "initial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace channel {
namespace {

std::vector<double> cells_of(Flow& flow, const double* field) {
  const Layout layout = flow.layout();
  std::vector<double> all(static_cast<std::size_t>(layout.size())), cells;
  flow.read(all.data(), field, 0, layout.size());
  for (int i = 0; i < layout.nx; ++i) {
    for (int k = 0; k < layout.nz; ++k) {
      for (int j = 0; j < layout.ny; ++j) {
        cells.push_back(all[static_cast<std::size_t>(layout.at(i, j, k))]);
      }
    }
  }
  return cells;
}

void expect_alike(const std::vector<double>& a, const std::vector<double>& b, const char* name) {
  ASSERT_EQ(a.size(), b.size());
  double difference = 0, size = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    difference = std::max(difference, std::abs(a[n] - b[n]));
    size = std::max(size, std::abs(a[n]));
  }
  EXPECT_LT(difference, 1e-11 * size) << name;
  EXPECT_GT(size, 0) << name;
}

/// The same steps on both, with a linearised loss of heat, on rows of even and odd length.
TEST(ChannelOnGpu, AgreesWithCpu) {
  if (!ermine::device_available()) GTEST_SKIP() << ermine::why_no_device();
  for (const int ny : {48, 33}) {
    FlowOptions o;
    o.mesh.x_faces = ermine::Axis::stretched(32, 0, 2, 1.5).faces;
    o.mesh.ny = ny;
    o.mesh.nz = 40;
    o.mesh.length_y = 6.28;
    o.mesh.length_z = 12.57;
    o.viscosity = o.diffusivity = 1.0 / 2800;
    o.t_low = 955;
    o.t_high = 573;
    const auto cpu = make_host_flow(o, {});
    const auto gpu = make_device_flow(o);
    std::vector<std::shared_ptr<double>> arrays;
    for (Flow* flow : {cpu.get(), gpu.get()}) {
      set_start(*flow, {.kind = Start::turbulent});
      std::vector<double> host(static_cast<std::size_t>(flow->layout().size()));
      for (std::size_t n = 0; n < host.size(); ++n) {
        host[n] = 1000 * std::sin(0.01 * static_cast<double>(n));
      }
      const auto source = flow->allocate(), slope = flow->allocate(), base = flow->allocate();
      flow->write(host.data(), source.get());
      std::fill(host.begin(), host.end(), 300.0);
      flow->write(host.data(), slope.get());
      flow->linearise(source.get(), slope.get(), flow->fields().t, base.get());
      flow->set_loss({.base = base.get(), .slope = slope.get(), .per_capacity = 1.0 / 200});
      arrays.insert(arrays.end(), {source, slope, base});
      for (int s = 0; s < 10; ++s) flow->step(0.01);
      flow->wait();
    }
    expect_alike(cells_of(*cpu, cpu->fields().u), cells_of(*gpu, gpu->fields().u), "u");
    expect_alike(cells_of(*cpu, cpu->fields().v), cells_of(*gpu, gpu->fields().v), "v");
    expect_alike(cells_of(*cpu, cpu->fields().w), cells_of(*gpu, gpu->fields().w), "w");
    expect_alike(cells_of(*cpu, cpu->fields().t), cells_of(*gpu, gpu->fields().t), "temperature");
    expect_alike(cpu->velocity_sums(), gpu->velocity_sums(), "sums");
    EXPECT_NEAR(cpu->courant_rate() / gpu->courant_rate(), 1, 1e-11);
    EXPECT_NEAR(cpu->walls().force / gpu->walls().force, 1, 1e-11);
    EXPECT_LT(gpu->largest_divergence(), 1e-11);
    EXPECT_NEAR(cpu->lost() / gpu->lost(), 1, 1e-9);
  }
}

}  // namespace
}  // namespace channel
