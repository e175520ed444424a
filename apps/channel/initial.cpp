#include "initial.hpp"

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace channel {
namespace {

constexpr double pi = std::numbers::pi;

/// One wave along the walls of the vector potential (0 at walls, with its slope), from which
/// velocities are taken as derivatives: free of divergence but for the error of the grid.
struct Wave {
  double ky, kz, phase_y, phase_z, size;
};

std::vector<Wave> waves(const Mesh& mesh, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  const auto uniform = [&] { return static_cast<double>(generator() >> 11) * 0x1p-53; };
  std::vector<Wave> all;
  // Streaks of about a half height, and shorter waves that bend them.
  for (int m = 1; m <= 6; ++m) {
    for (int n = 0; n <= 4; ++n) {
      all.push_back({2 * pi * m / mesh.length_y, 2 * pi * n / mesh.length_z, 2 * pi * uniform(),
                     2 * pi * uniform(), (n == 0 ? 1.0 : 0.5) / m});
    }
  }
  return all;
}

/// Where velocity is along x across the channel of height 2: both vanish at walls.
double bump(double x) { return x * x * (2 - x) * (2 - x); }
double bump_slope(double x) { return 4 * x * (2 - x) * (1 - x); }

void add_waves(const std::vector<Wave>& all, double amplitude, Function& u, Function& v,
               Function& w) {
  u = [=](double x, double y, double z) {
    double sum = 0;
    for (const Wave& a : all) {
      sum += a.size * std::cos(a.ky * y + a.phase_y) * std::cos(a.kz * z + a.phase_z);
    }
    return amplitude * bump(x) * sum;
  };
  v = [=](double x, double y, double z) {
    double sum = 0;
    for (const Wave& a : all) {
      sum -= a.size / a.ky * std::sin(a.ky * y + a.phase_y) * std::cos(a.kz * z + a.phase_z);
    }
    return amplitude * bump_slope(x) * sum;
  };
  const Function base = w;
  w = [=](double x, double y, double z) {
    double sum = 0;
    for (const Wave& a : all) {
      sum += a.size * std::sin(a.ky * y + a.phase_y) * std::cos(a.kz * z + a.phase_z);
    }
    return base(x, y, z) + amplitude * bump(x) * sum;
  };
}

/// Scales the parabola so that its bulk velocity on this grid is one.
double parabola_scale(const Mesh& mesh) {
  double bulk = 0;
  const double h = mesh.height();
  for (int i = 0; i < mesh.nx(); ++i) {
    const double x = mesh.centre(i);
    bulk += 6 * x * (h - x) / (h * h) * mesh.width(i) / h;
  }
  return 1 / bulk;
}

}  // namespace

void set_fields(Flow& flow, const Function& u, const Function& v, const Function& w,
                const Function& t) {
  const Layout layout = flow.layout();
  const Mesh& mesh = flow.options().mesh;
  const int first = flow.ranks().begin(mesh.nz);
  const double dy = mesh.dy(), dz = mesh.dz();
  std::vector<double> host(static_cast<std::size_t>(layout.size()));
  const auto put = [&](double* field, auto&& value) {
    for (int i = 0; i < layout.nx; ++i) {
      for (int k = 0; k < layout.nz; ++k) {
        for (int j = 0; j < layout.ny; ++j) {
          host[static_cast<std::size_t>(layout.at(i, j, k))] = value(i, j * dy, (first + k) * dz);
        }
      }
    }
    flow.write(host.data(), field);
  };
  const Fields<double> f = flow.fields();
  put(f.u, [&](int i, double y, double z) {
    return i + 1 < layout.nx ? u(mesh.x_faces[i + 1], y + dy / 2, z + dz / 2) : 0.0;
  });
  put(f.v, [&](int i, double y, double z) { return v(mesh.centre(i), y + dy, z + dz / 2); });
  put(f.w, [&](int i, double y, double z) { return w(mesh.centre(i), y + dy / 2, z + dz); });
  put(f.t, [&](int i, double y, double z) { return t(mesh.centre(i), y + dy / 2, z + dz / 2); });
  flow.project();
}

void set_start(Flow& flow, const StartOptions& options) {
  const FlowOptions& o = flow.options();
  const Function zero = [](double, double, double) { return 0.0; };
  const double height = o.mesh.height();
  const Function conduction = [=](double x, double, double) {
    return o.t_low + (o.t_high - o.t_low) * x / height;
  };
  Function u = zero, v = zero, w = zero;
  if (options.kind == Start::taylor_green) {
    const double ky = 2 * pi / o.mesh.length_y, kz = 2 * pi / o.mesh.length_z;
    v = [=](double, double y, double z) { return std::cos(ky * y) * std::sin(kz * z); };
    w = [=](double, double y, double z) { return -ky / kz * std::sin(ky * y) * std::cos(kz * z); };
  } else if (options.kind != Start::rest) {
    const double scale = parabola_scale(o.mesh);
    w = [=](double x, double, double) { return scale * 6 * x * (height - x) / (height * height); };
    if (options.kind == Start::turbulent) {
      add_waves(waves(o.mesh, options.seed), options.amplitude, u, v, w);
    }
  }
  set_fields(flow, u, v, w, conduction);
}

}  // namespace channel
