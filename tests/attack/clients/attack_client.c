/* A flow solver in C that misuses the library: attack_client ATTACK [ARGUMENT ...]. Prints
 * "accepted" or "refused: MESSAGE" for what must be refused, or "Q CHECKSUM" of solutions. With
 * MPI, started by mpirun, all processes share one problem; each has arguments of its own. */
#define _GNU_SOURCE
#include <ermine/ermine.h>

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef ATTACK_MPI
#include <mpi.h>
#endif

enum { N = 6, CELLS = N * N * N };

static const char grey[] =
    "medium = { absorption_coefficient = 1.0 }\n"
    "walls = { x_low = { temperature = 500 }, x_high = { temperature = 500 } }\n"
    "solver = { rays_per_cell = 4, rays_per_wall_face = 4 }\n"
    "coupling = { interval = 2, lag = 1 }\n";
static const char gas[] =
    "medium = { mole_fractions = { CO = 0.3 }, pressure = 1e5, quadrature_points = 2, "
    "band_width_cm1 = 500 }\n"
    "walls = { x_low = { temperature = 500 }, x_high = { temperature = 500 } }\n"
    "solver = { rays_per_cell = 4, rays_per_wall_face = 4 }\n";

static double faces[N + 1];
static double temperature[CELLS + 8], q[CELLS + 8];
static int communicator = ERMINE_THIS_PROCESS;

static void say(ermine_radiation* r, int status) {
  if (status == ERMINE_OK) {
    printf("accepted\n");
  } else {
    printf("refused: %s\n", ermine_last_error(r));
  }
}

static ermine_radiation* create(const char* text) {
  ermine_radiation* r = NULL;
  if (ermine_create_from_text(text, "client.toml", NULL, 0, communicator, &r) != ERMINE_OK) {
    printf("refused: %s\n", ermine_last_error(r));
    exit(3);
  }
  return r;
}

static int give_grid(ermine_radiation* r) {
  const ermine_axis axes[3] = {{faces, N, 0}, {faces, N, 1}, {faces, N, 1}};
  return ermine_set_grid(r, axes);
}

static ermine_radiation* ready(const char* text) {
  ermine_radiation* r = create(text);
  if (give_grid(r) != ERMINE_OK) exit(4);
  return r;
}

static void checksum(ermine_radiation* r) {
  uint64_t sum = 14695981039346656037u;
  const unsigned char* bytes = (const unsigned char*)q;
  for (int quantity = ERMINE_SOURCE; quantity <= ERMINE_EMISSION_SLOPE; ++quantity) {
    if (ermine_get(r, quantity, q) != ERMINE_OK) {
      printf("refused: %s\n", ermine_last_error(r));
      return;
    }
    for (size_t i = 0; i < sizeof(double) * CELLS; ++i) sum = (sum ^ bytes[i]) * 1099511628211u;
  }
  if (ermine_get_wall(r, ERMINE_NET_FLUX, ERMINE_X_LOW, q) == ERMINE_OK) {
    for (size_t i = 0; i < sizeof(double) * N * N; ++i) sum = (sum ^ bytes[i]) * 1099511628211u;
  }
  printf("Q %016llx\n", (unsigned long long)sum);
}

/* Arrays of these sizes are not there: whoever believes them reads what is not ours. */
static void sizes(const char* what, const char* number) {
  const int64_t huge = strtoll(number, NULL, 10);
  ermine_radiation* r;
  ermine_block block = {{0, 0, 0}, {N, N, N}, {0, 0, 0}, {0, 0, 0}, {0, 1, 2}};
  ermine_wall wall = {temperature, 1, NULL, 0, ERMINE_DIFFUSE};
  if (strcmp(what, "cells") == 0) {
    const ermine_axis axes[3] = {{faces, huge, 0}, {faces, N, 1}, {faces, N, 1}};
    r = create(grey);
    say(r, ermine_set_grid(r, axes));
    return;
  }
  r = ready(grey);
  if (strcmp(what, "halo_below") == 0) block.halo_below[1] = huge;
  if (strcmp(what, "halo_above") == 0) block.halo_above[2] = huge;
  if (strcmp(what, "begin") == 0) block.begin[0] = huge;
  if (strcmp(what, "end") == 0) block.end[0] = huge;
  if (strcmp(what, "order") == 0) block.order[1] = (int)huge;
  if (strcmp(what, "temperatures") == 0 || strcmp(what, "emissivities") == 0) {
    static double half[2] = {0.5, 0.5};
    if (what[0] == 't') wall.temperature_count = huge;
    if (what[0] == 'e') wall.emissivity = half, wall.emissivity_count = huge;
    say(r, ermine_set_wall(r, ERMINE_X_LOW, &wall));
  } else if (strcmp(what, "face") == 0) {
    say(r, ermine_set_wall(r, (int)huge, &wall));
  } else if (strcmp(what, "quantity") == 0) {
    ermine_advance(r, temperature);
    say(r, ermine_get(r, (int)huge, q));
  } else if (strcmp(what, "species") == 0) {
    say(r, ermine_set_composition(r, (int)huge, 0.1));
  } else if (strcmp(what, "statistics") == 0) {
    ermine_statistics statistics = {0};
    statistics.size = huge;
    say(r, ermine_get_statistics(r, &statistics));
  } else {
    int status = ermine_set_block(r, &block);
    if (status == ERMINE_OK) status = ermine_advance(r, temperature);
    say(r, status);
  }
  ermine_destroy(r);
}

static void periodic_wall(void) {
  ermine_radiation* r = ready(grey);
  const ermine_wall wall = {temperature, 1, NULL, 0, ERMINE_DIFFUSE};
  int status = ermine_set_wall(r, ERMINE_Y_LOW, &wall);
  if (status == ERMINE_OK) status = ermine_advance(r, temperature);
  say(r, status);
  ermine_destroy(r);
}

static void periodic_wall_in_case(void) {
  ermine_radiation* r = create(
      "medium = { absorption_coefficient = 1.0 }\n"
      "walls = { x_low = { temperature = 500 }, x_high = { temperature = 500 }, y_low = { "
      "temperature = 900 } }\n");
  int status = give_grid(r);
  if (status == ERMINE_OK) status = ermine_advance(r, temperature);
  say(r, status);
  ermine_destroy(r);
}

static void bad_temperature(double value) {
  ermine_radiation* r = ready(grey);
  temperature[CELLS / 2] = value;
  say(r, ermine_advance(r, temperature));
  ermine_destroy(r);
}

static void save(const char* file) {
  ermine_radiation* r = ready(grey);
  for (int i = 0; i < 3; ++i) ermine_advance(r, temperature);
  if (ermine_save(r, file) != ERMINE_OK) {
    printf("refused: %s\n", ermine_last_error(r));
  }
  ermine_destroy(r);
}

static void load(const char* file) {
  ermine_radiation* r = ready(grey);
  const int status = ermine_load(r, file);
  if (status != ERMINE_OK) {
    printf("refused: %s\n", ermine_last_error(r));
  } else {
    checksum(r);
    for (int i = 0; i < 3; ++i) {
      ermine_advance(r, temperature);
      checksum(r);
    }
  }
  ermine_destroy(r);
}

/* Another problem than that of the file. */
static void load_other(const char* what, const char* file) {
  const ermine_wall hot = {temperature + CELLS, 1, NULL, 0, ERMINE_DIFFUSE};
  ermine_radiation* r = strcmp(what, "gas") == 0 ? ready(gas) : create(grey);
  double stretched[N + 1];
  temperature[CELLS] = 800;
  for (int i = 0; i <= N; ++i) stretched[i] = strcmp(what, "grid") == 0 ? 2 * faces[i] : faces[i];
  const ermine_axis axes[3] = {{stretched, N, 0}, {faces, N, 1}, {faces, N, 1}};
  if (strcmp(what, "gas") != 0 && ermine_set_grid(r, axes) != ERMINE_OK) exit(4);
  if (strcmp(what, "wall") == 0) ermine_set_wall(r, ERMINE_X_LOW, &hot);
  if (strcmp(what, "absorption") == 0) ermine_set_absorption(r, 7.0);
  say(r, ermine_load(r, file));
  ermine_destroy(r);
}

/* As debug builds of flow solvers do. */
static void traps(const char* text, const char* file) {
  fesetround(FE_TONEAREST);
  feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
  ermine_radiation* r = ready(text);
  for (int i = 0; i < 3; ++i) {
    if (ermine_advance(r, temperature) != ERMINE_OK) printf("refused: %s\n", ermine_last_error(r));
  }
  if (ermine_save(r, file) != ERMINE_OK) printf("refused: %s\n", ermine_last_error(r));
  ermine_destroy(r);
  r = ready(text);
  if (ermine_load(r, file) != ERMINE_OK) printf("refused: %s\n", ermine_last_error(r));
  ermine_advance(r, temperature);
  checksum(r);
  ermine_destroy(r);
  /* Errors are found in arithmetic, too. */
  r = ready(text);
  temperature[0] = -1.0;
  ermine_advance(r, temperature);
  ermine_destroy(r);
  printf("traps %d flags %d\n", fegetexcept() == (FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW),
         fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW));
}

/* Each process has its own idea of the problem. */
static void apart(const char* what, double value) {
  ermine_radiation* r = create(grey);
  const ermine_wall wall = {&value, 1, NULL, 0, ERMINE_DIFFUSE};
  if (strcmp(what, "grid") == 0) {
    for (int i = 0; i <= N; ++i) faces[i] *= value;
  }
  int status = give_grid(r);
  if (status == ERMINE_OK && strcmp(what, "absorption") == 0)
    status = ermine_set_absorption(r, value);
  if (status == ERMINE_OK && strcmp(what, "wall") == 0)
    status = ermine_set_wall(r, ERMINE_X_LOW, &wall);
  if (status == ERMINE_OK && strcmp(what, "scaling") == 0)
    status = ermine_set_scaling(r, 0, value, 1);
  if (status == ERMINE_OK && !(strcmp(what, "skip") == 0 && value > 0)) {
    status = ermine_advance(r, temperature);
  }
  if (status == ERMINE_OK && strcmp(what, "skip") == 0) status = ermine_save(r, "skipped.state");
  say(r, status);
  fflush(stdout);
  ermine_destroy(r);
}

int main(int count, char** words) {
  const char* what = count > 1 ? words[1] : "";
  const char* first = count > 2 ? words[2] : "";
  const char* second = count > 3 ? words[3] : "";
  for (int i = 0; i <= N; ++i) faces[i] = i / (double)N;
  for (int i = 0; i < CELLS; ++i) temperature[i] = 600 + 2 * i;
  setvbuf(stdout, NULL, _IOLBF, 0);
#ifdef ATTACK_MPI
  if (strcmp(what, "apart") == 0) {
    MPI_Init(NULL, NULL);
    communicator = (int)MPI_Comm_c2f(MPI_COMM_WORLD);
  }
#endif
  if (strcmp(what, "sizes") == 0)
    sizes(first, second);
  else if (strcmp(what, "periodic_wall") == 0)
    periodic_wall();
  else if (strcmp(what, "periodic_wall_in_case") == 0)
    periodic_wall_in_case();
  else if (strcmp(what, "temperature") == 0)
    bad_temperature(atof(first));
  else if (strcmp(what, "save") == 0)
    save(first);
  else if (strcmp(what, "load") == 0)
    load(first);
  else if (strcmp(what, "load_other") == 0)
    load_other(first, second);
  else if (strcmp(what, "traps") == 0)
    traps(strcmp(first, "gas") == 0 ? gas : grey, second);
  else if (strcmp(what, "apart") == 0)
    apart(first, atof(second));
  else
    return 2;
#ifdef ATTACK_MPI
  if (strcmp(what, "apart") == 0) MPI_Finalize();
#endif
  return 0;
}
