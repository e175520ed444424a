#ifndef ERMINE_TESTS_CAPI_CHECKS_H
#define ERMINE_TESTS_CAPI_CHECKS_H

/* What the tests in C need of a test framework: checks that go on after a failure, and a small box
 * of gas to try functions on. */

#include <ermine/ermine.h>

#include <stdio.h>
#include <string.h>

enum { NX = 4, NY = 3, NZ = 5, CELLS = NX * NY * NZ };

static int failures = 0;

static int check(int holds, const char* what, int line) {
  if (!holds) {
    fprintf(stderr, "line %d: %s\n", line, what);
    ++failures;
  }
  return holds;
}

#define CHECK(condition) check((condition) != 0, #condition, __LINE__)

static void check_ok(ermine_radiation* radiation, int status, const char* what, int line) {
  if (!check(status == ERMINE_OK, what, line)) {
    fprintf(stderr, "  %s\n", ermine_last_error(radiation));
  }
}

#define OK(radiation, call) check_ok(radiation, call, #call, __LINE__)

/* The call is refused as wrong input, with a message that has these words in it. */
static void check_refused(ermine_radiation* radiation, int status, const char* words,
                          const char* what, int line) {
  const char* message = ermine_last_error(radiation);
  if (!check(status == ERMINE_ERROR_INPUT, what, line) ||
      !check(strstr(message, words) != NULL, what, line)) {
    fprintf(stderr, "  status %d: %s\n", status, message);
  }
}

#define REFUSED(radiation, call, words) check_refused(radiation, call, words, #call, __LINE__)

#define WALLS                        \
  "[walls]\n"                        \
  "x_low = { temperature = 500 }\n"  \
  "x_high = { temperature = 700 }\n" \
  "y_low = { temperature = 500 }\n"  \
  "y_high = { temperature = 500 }\n" \
  "z_low = { temperature = 500 }\n"  \
  "z_high = { temperature = 500 }\n"

#define SOLVER           \
  "[solver]\n"           \
  "backend = \"cpu\"\n"  \
  "rays_per_cell = 64\n" \
  "[coupling]\n"         \
  "lag = 0\n"

static const char* const grey_case = "medium = { absorption_coefficient = 1.0 }\n" WALLS SOLVER;
static const char* const bare_case = "medium = { absorption_coefficient = 1.0 }\n" SOLVER;
static const char* const gas_case =
    "[medium]\n"
    "pressure = 101325\n"
    "mole_fractions = { H2O = 0.1, CO2 = 0.1 }\n"
    "quadrature_points = 4\n" WALLS SOLVER;

static const char* const sooty_case =
    "[medium]\n"
    "pressure = 101325\n"
    "mole_fractions = { H2O = 0.1, CO2 = 0.1 }\n"
    "soot = { volume_fraction = 1e-6 }\n"
    "quadrature_points = 4\n" WALLS SOLVER;

static ermine_radiation* created(const char* text) {
  ermine_radiation* radiation = NULL;
  OK(radiation,
     ermine_create_from_text(text, "test.toml", NULL, 0, ERMINE_THIS_PROCESS, &radiation));
  return radiation;
}

static const double x_faces[NX + 1] = {0.0, 0.2, 0.5, 0.8, 1.0};
static const double y_faces[NY + 1] = {0.0, 0.3, 0.6, 1.0};
static const double z_faces[NZ + 1] = {-1.0, -0.5, -0.1, 0.1, 0.5, 1.0};

static int give_grid(ermine_radiation* radiation) {
  const ermine_axis axes[3] = {{x_faces, NX, 0}, {y_faces, NY, 0}, {z_faces, NZ, 0}};
  return ermine_set_grid(radiation, axes);
}

/* A box that lacks nothing but temperature. */
static ermine_radiation* box_of(const char* text) {
  ermine_radiation* radiation = created(text);
  OK(radiation, give_grid(radiation));
  return radiation;
}

/* Exact in single precision. */
static double temperature_of(int i, int j, int k) { return 800.0 + 64.0 * i + 32.0 * j - 16.0 * k; }

static void set_temperature(double t[CELLS]) {
  for (int k = 0; k < NZ; ++k) {
    for (int j = 0; j < NY; ++j) {
      for (int i = 0; i < NX; ++i) t[i + NX * (j + NY * k)] = temperature_of(i, j, k);
    }
  }
}

static void to_float(const double* from, float* to, int count) {
  for (int i = 0; i < count; ++i) to[i] = (float)from[i];
}

/* Q of a box, after one step with the temperature above. */
static void solve(ermine_radiation* radiation, double q[CELLS]) {
  double t[CELLS];
  set_temperature(t);
  OK(radiation, ermine_advance(radiation, t));
  OK(radiation, ermine_get(radiation, ERMINE_SOURCE, q));
}

static void solve_and_destroy(ermine_radiation* radiation, double q[CELLS]) {
  solve(radiation, q);
  ermine_destroy(radiation);
}

static int same_bits(const double* a, const double* b, size_t count) {
  return memcmp(a, b, count * sizeof(double)) == 0;
}

#endif
