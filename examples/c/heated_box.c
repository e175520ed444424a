/* Hot gas cools down in a box with cold walls: a flow solver's time loop with radiation in it. The
 * "flow" is heat conduction; examples/heated_box.toml describes it. Build and run, with ermine
 * installed:
 *
 *   cmake -B build -S examples/c && cmake --build build && build/heated_box
 * examples/heated_box.toml
 */

#include <ermine/ermine.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 16 }; /* cells along each axis */

static const double dx = 1.0 / N;             /* [m] */
static const double dt = 0.002;               /* [s] */
static const double rho_cp = 400.0;           /* [J/(m3 K)] */
static const double conductivity = 20.0;      /* [W/(m K)] */
static const double wall_temperature = 500.0; /* [K] */

/* Cells 1 to N along each axis, and a layer of ghost cells around them, as flow solvers have it. As
 * in most C programs the last index, here x, runs fastest. */
typedef double field[N + 2][N + 2][N + 2];

static field t, old, q;

/* Each call returns a status; the handle keeps what went wrong, and what to do about it. */
static void check(int status, const ermine_radiation* radiation) {
  if (status == ERMINE_OK) return;
  fprintf(stderr, "heated_box: %s\n", ermine_last_error(radiation));
  exit(1);
}

static double f(int i) {
  const double s = (i - 0.5) * dx;
  return 4 * s * (1 - s);
}

static void set_initial_temperature(void) {
  for (int k = 1; k <= N; ++k)
    for (int j = 1; j <= N; ++j)
      for (int i = 1; i <= N; ++i) t[k][j][i] = 500 + 1000 * (f(i) * f(j) * f(k));
}

/* So that the mean of ghost and cell is the temperature of the wall. */
static void set_ghosts(void) {
  for (int b = 1; b <= N; ++b) {
    for (int a = 1; a <= N; ++a) {
      t[b][a][0] = 2 * wall_temperature - t[b][a][1];
      t[b][a][N + 1] = 2 * wall_temperature - t[b][a][N];
      t[b][0][a] = 2 * wall_temperature - t[b][1][a];
      t[b][N + 1][a] = 2 * wall_temperature - t[b][N][a];
      t[0][b][a] = 2 * wall_temperature - t[1][b][a];
      t[N + 1][b][a] = 2 * wall_temperature - t[N][b][a];
    }
  }
}

static void conduct_and_radiate(void) {
  memcpy(old, t, sizeof(field));
  for (int k = 1; k <= N; ++k) {
    for (int j = 1; j <= N; ++j) {
      for (int i = 1; i <= N; ++i) {
        const double sum =
            ((old[k][j][i - 1] + old[k][j][i + 1]) + (old[k][j - 1][i] + old[k][j + 1][i])) +
            (old[k - 1][j][i] + old[k + 1][j][i]);
        const double laplacian = (sum - 6 * old[k][j][i]) / (dx * dx);
        t[k][j][i] = old[k][j][i] + dt / rho_cp * (conductivity * laplacian - q[k][j][i]);
      }
    }
  }
}

static void print_row(int step) {
  const double cells = N * N * N;
  double sum_t = 0, max_t = 0, sum_q = 0, max_q = 0;
  for (int k = 1; k <= N; ++k) {
    for (int j = 1; j <= N; ++j) {
      for (int i = 1; i <= N; ++i) {
        sum_t += t[k][j][i];
        sum_q += q[k][j][i];
        if (t[k][j][i] > max_t) max_t = t[k][j][i];
        if (q[k][j][i] > max_q) max_q = q[k][j][i];
      }
    }
  }
  printf("%5d %9.3f %11.2f %10.2f %15.3f %14.3f\n", step, step * dt, sum_t / cells, max_t,
         sum_q / cells / 1000, max_q / 1000);
}

int main(int argc, char** argv) {
  /* What absorbs, which walls, how many rays: from the file. A program with MPI gives
   * MPI_Comm_c2f(comm) in place of ERMINE_THIS_PROCESS. */
  ermine_radiation* radiation = NULL;
  check(ermine_create(argc > 1 ? argv[1] : "examples/heated_box.toml", NULL, 0, ERMINE_THIS_PROCESS,
                      &radiation),
        radiation);

  /* This program's part is the grid, and which cells its arrays hold: here all, with the layer of
   * ghosts that ermine passes over. */
  double faces[N + 1];
  for (int i = 0; i <= N; ++i) faces[i] = i * dx;
  const ermine_axis axis = {.faces = faces, .cells = N, .periodic = 0};
  const ermine_axis axes[3] = {axis, axis, axis};
  check(ermine_set_grid(radiation, axes), radiation);
  const ermine_block block = {.begin = {0, 0, 0},
                              .end = {N, N, N},
                              .halo_below = {1, 1, 1},
                              .halo_above = {1, 1, 1},
                              .order = {0, 1, 2}}; /* x, y, z: x fastest */
  check(ermine_set_block(radiation, &block), radiation);

  set_initial_temperature();
  printf(" step  time [s]  mean T [K]  max T [K]  mean Q [kW/m3]  max Q [kW/m3]\n");
  for (int step = 1; step <= 50; ++step) {
    set_ghosts();
    check(ermine_advance(radiation, &t[0][0][0]), radiation);
    check(ermine_get(radiation, ERMINE_SOURCE, &q[0][0][0]), radiation);
    conduct_and_radiate();
    if (step % 10 == 0) print_row(step);
  }

  ermine_statistics done = {.size = sizeof done};
  check(ermine_get_statistics(radiation, &done), radiation);
  printf("%lld updates, standard error of Q: %8.3f kW/m3, %6.2f %%\n", (long long)done.updates,
         done.error / 1000, 100 * done.relative_error);
  printf("time of the radiation hidden behind the flow: %5.1f %%\n", 100 * done.hidden_fraction);
  ermine_destroy(radiation);
  return 0;
}
