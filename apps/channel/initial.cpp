#include "initial.hpp"

#include <algorithm>
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
  // What a grid cannot tell from longer waves would change the bulk velocity.
  for (int m = 1; m <= std::min(6, (mesh.ny - 1) / 2); ++m) {
    for (int n = 0; n <= 4; ++n) {
      all.push_back({2 * pi * m / mesh.length_y, 2 * pi * n / mesh.length_z, 2 * pi * uniform(),
                     2 * pi * uniform(), (n == 0 ? 1.0 : 0.5) / m});
    }
  }
  return all;
}

/// Where velocity is along x, across a channel of that height: both vanish at walls.
double bump(double x, double height) {
  const double s = 2 * x / height;
  return s * s * (2 - s) * (2 - s);
}
double bump_slope(double x, double height) {
  const double s = 2 * x / height;
  return 4 * s * (2 - s) * (1 - s) * 2 / height;
}

/// Sums of all waves on one wall-parallel plane, y fastest: what u, v and w have of them besides
/// their factor of x. Each is taken where it lives.
struct WavePlanes {
  std::vector<double> u, v, w;
};

WavePlanes wave_planes(const std::vector<Wave>& all, const Mesh& mesh, int begin, int end) {
  const auto count = static_cast<std::size_t>(mesh.ny) * static_cast<std::size_t>(end - begin);
  WavePlanes planes{std::vector<double>(count), std::vector<double>(count),
                    std::vector<double>(count)};
  for (const Wave& a : all) {
    std::size_t n = 0;
    for (int k = begin; k < end; ++k) {
      const double centre_z = a.size * std::cos(a.kz * (k + 0.5) * mesh.dz() + a.phase_z);
      const double face_z = a.size * std::cos(a.kz * (k + 1) * mesh.dz() + a.phase_z);
      for (int j = 0; j < mesh.ny; ++j, ++n) {
        const double centre = a.ky * (j + 0.5) * mesh.dy() + a.phase_y;
        const double face = a.ky * (j + 1) * mesh.dy() + a.phase_y;
        planes.u[n] += centre_z * std::cos(centre);
        planes.v[n] -= centre_z / a.ky * std::sin(face);
        planes.w[n] += face_z * std::sin(centre);
      }
    }
  }
  return planes;
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

/// Adds factor(x) of the plane to each plane of a field, x at its faces or centres.
template <class Factor>
void add_planes(Flow& flow, double* field, const std::vector<double>& plane, Factor&& factor) {
  const Layout layout = flow.layout();
  std::vector<double> host(static_cast<std::size_t>(layout.size()));
  flow.read(host.data(), field, 0, layout.size());
  for (int i = 0; i < layout.nx; ++i) {
    const double scale = factor(i);
    std::size_t n = 0;
    for (int k = 0; k < layout.nz; ++k) {
      for (int j = 0; j < layout.ny; ++j, ++n) {
        host[static_cast<std::size_t>(layout.at(i, j, k))] += scale * plane[n];
      }
    }
  }
  flow.write(host.data(), field);
}

void add_waves(Flow& flow, const StartOptions& options) {
  const Mesh& mesh = flow.options().mesh;
  const WavePlanes planes = wave_planes(waves(mesh, options.seed), mesh,
                                        flow.ranks().begin(mesh.nz), flow.ranks().end(mesh.nz));
  const Fields<double> f = flow.fields();
  const double size = options.amplitude;
  add_planes(flow, f.u, planes.u, [&](int i) {
    return i + 1 < mesh.nx()
               ? size * bump(mesh.x_faces[static_cast<std::size_t>(i) + 1], mesh.height())
               : 0.0;
  });
  add_planes(flow, f.v, planes.v,
             [&](int i) { return size * bump_slope(mesh.centre(i), mesh.height()); });
  add_planes(flow, f.w, planes.w,
             [&](int i) { return size * bump(mesh.centre(i), mesh.height()); });
  flow.project();
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
  }
  set_fields(flow, u, v, w, conduction);
  if (options.kind == Start::turbulent) add_waves(flow, options);
}

}  // namespace channel
