// Hot gas cools down in a box with cold walls: a flow solver's time loop with radiation in it. The
// "flow" is heat conduction; examples/heated_box.toml describes it. Build and run, with ermine
// installed:
//
//   cmake -B build -S examples/cpp && cmake --build build && build/heated_box
//   examples/heated_box.toml

#include <ermine/ermine.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

constexpr std::size_t n = 16;               // cells along each axis
constexpr double dx = 1.0 / n;              // [m]
constexpr double dt = 0.002;                // [s]
constexpr double rho_cp = 400.0;            // [J/(m3 K)]
constexpr double conductivity = 20.0;       // [W/(m K)]
constexpr double wall_temperature = 500.0;  // [K]

/// Cells 1 to n along each axis, and a layer of ghost cells around them, as flow solvers have it.
struct Field {
  std::vector<double> values = std::vector<double>((n + 2) * (n + 2) * (n + 2));

  double& operator()(std::size_t i, std::size_t j, std::size_t k) {
    return values[i + (n + 2) * (j + (n + 2) * k)];
  }
};

template <class Action>
void for_each_cell(Action action) {
  for (std::size_t k = 1; k <= n; ++k) {
    for (std::size_t j = 1; j <= n; ++j) {
      for (std::size_t i = 1; i <= n; ++i) action(i, j, k);
    }
  }
}

void set_initial_temperature(Field& t) {
  const auto f = [](std::size_t i) {
    const double s = (static_cast<double>(i) - 0.5) * dx;
    return 4 * s * (1 - s);
  };
  for_each_cell([&](auto i, auto j, auto k) { t(i, j, k) = 500 + 1000 * (f(i) * f(j) * f(k)); });
}

/// So that the mean of ghost and cell is the temperature of the wall.
void set_ghosts(Field& t) {
  const auto mirrored = [](double inside) { return 2 * wall_temperature - inside; };
  for (std::size_t b = 1; b <= n; ++b) {
    for (std::size_t a = 1; a <= n; ++a) {
      t(0, a, b) = mirrored(t(1, a, b));
      t(n + 1, a, b) = mirrored(t(n, a, b));
      t(a, 0, b) = mirrored(t(a, 1, b));
      t(a, n + 1, b) = mirrored(t(a, n, b));
      t(a, b, 0) = mirrored(t(a, b, 1));
      t(a, b, n + 1) = mirrored(t(a, b, n));
    }
  }
}

void conduct_and_radiate(Field& t, Field& q) {
  Field old = t;
  for_each_cell([&](auto i, auto j, auto k) {
    const double sum =
        ((old(i - 1, j, k) + old(i + 1, j, k)) + (old(i, j - 1, k) + old(i, j + 1, k))) +
        (old(i, j, k - 1) + old(i, j, k + 1));
    const double laplacian = (sum - 6 * old(i, j, k)) / (dx * dx);
    t(i, j, k) = old(i, j, k) + dt / rho_cp * (conductivity * laplacian - q(i, j, k));
  });
}

void print_row(int step, Field& t, Field& q) {
  double sum_t = 0, max_t = 0, sum_q = 0, max_q = 0;
  for_each_cell([&](auto i, auto j, auto k) {
    sum_t += t(i, j, k);
    sum_q += q(i, j, k);
    max_t = std::max(max_t, t(i, j, k));
    max_q = std::max(max_q, q(i, j, k));
  });
  constexpr double cells = n * n * n;
  std::printf("%5d %9.3f %11.2f %10.2f %15.3f %14.3f\n", step, step * dt, sum_t / cells, max_t,
              sum_q / cells / 1000, max_q / 1000);
}

}  // namespace

int main(int argc, char** argv) try {
  // What absorbs, which walls, how many rays: from the file. This program's part is the grid, and
  // which cells its arrays hold: here all, with the layer of ghosts that ermine passes over.
  ermine::Radiation radiation(argc > 1 ? argv[1] : "examples/heated_box.toml");
  const ermine::Axis axis = ermine::Axis::uniform(n, 0.0, 1.0);
  radiation.set_grid({axis, axis, axis});
  radiation.set_block(
      {.begin = {0, 0, 0}, .end = {n, n, n}, .halo_below = {1, 1, 1}, .halo_above = {1, 1, 1}});

  Field t, q;
  set_initial_temperature(t);
  std::printf(" step  time [s]  mean T [K]  max T [K]  mean Q [kW/m3]  max Q [kW/m3]\n");
  for (int step = 1; step <= 50; ++step) {
    set_ghosts(t);
    radiation.advance(t.values.data());
    radiation.get(ermine::Quantity::source, q.values.data());
    conduct_and_radiate(t, q);
    if (step % 10 == 0) print_row(step, t, q);
  }

  const ermine::CouplingStatistics& done = radiation.statistics();
  std::printf("%lld updates, standard error of Q: %8.3f kW/m3, %6.2f %%\n",
              static_cast<long long>(done.updates), done.error / 1000, 100 * done.relative_error);
  std::printf("time of the radiation hidden behind the flow: %5.1f %%\n",
              100 * done.hidden_fraction());
  return 0;
} catch (const ermine::Error& error) {
  std::fprintf(stderr, "heated_box: %s\n", error.what());
  return 1;
}
