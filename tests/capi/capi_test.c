/* All functions of the C interface, in C99: what they do, and how they refuse.
 *   capi_test NAME: runs one test; exit code 1 if something is wrong. */
#include <ermine/ermine.h>

#include "checks.h"

#include <math.h>

static void test_library(void) {
  CHECK(strcmp(ermine_version(), ERMINE_EXPECTED_VERSION) == 0);
  CHECK(ermine_built_with_mpi() == 0 || ermine_built_with_mpi() == 1);
}

static void test_creation_fails(void) {
  const char* const unknown[] = {"solver.rays=10"};
  const char* const missing[] = {"seed=1", NULL};
  ermine_radiation* radiation = NULL;

  REFUSED(radiation, ermine_create("no_such_file.toml", NULL, 0, ERMINE_THIS_PROCESS, &radiation),
          "no_such_file.toml");
  /* The handle keeps the reason, and refuses everything. */
  int64_t cells[3];
  REFUSED(radiation, ermine_get_cells(radiation, cells), "no_such_file.toml");
  REFUSED(radiation, give_grid(radiation), "no_such_file.toml");
  ermine_destroy(radiation);

  REFUSED(radiation, ermine_create(NULL, NULL, 0, ERMINE_THIS_PROCESS, &radiation), "NULL");
  ermine_destroy(radiation);
  REFUSED(radiation,
          ermine_create_from_text(NULL, "a.toml", NULL, 0, ERMINE_THIS_PROCESS, &radiation),
          "NULL");
  ermine_destroy(radiation);
  REFUSED(radiation,
          ermine_create_from_text(grey_case, NULL, NULL, 0, ERMINE_THIS_PROCESS, &radiation),
          "NULL");
  ermine_destroy(radiation);
  REFUSED(radiation,
          ermine_create_from_text("title = \"a\"\nmedum = 1\n", "a.toml", NULL, 0,
                                  ERMINE_THIS_PROCESS, &radiation),
          "a.toml:2");
  ermine_destroy(radiation);
  REFUSED(radiation,
          ermine_create_from_text(grey_case, "a.toml", unknown, 1, ERMINE_THIS_PROCESS, &radiation),
          "rays_per_cell");
  ermine_destroy(radiation);
  REFUSED(radiation,
          ermine_create_from_text(grey_case, "a.toml", missing, 2, ERMINE_THIS_PROCESS, &radiation),
          "overrides");
  ermine_destroy(radiation);
  REFUSED(radiation,
          ermine_create_from_text(grey_case, "a.toml", NULL, 1, ERMINE_THIS_PROCESS, &radiation),
          "overrides");
  ermine_destroy(radiation);
  /* Either there is no MPI, or it was not initialised. */
  REFUSED(radiation, ermine_create_from_text(grey_case, "a.toml", NULL, 0, 0, &radiation), "MPI");
  ermine_destroy(radiation);

  CHECK(ermine_create("a.toml", NULL, 0, ERMINE_THIS_PROCESS, NULL) == ERMINE_ERROR_INPUT);
}

static void test_creation(void) {
  const char* const file = "capi_test_case.toml";
  FILE* written = fopen(file, "w");
  if (!CHECK(written != NULL)) return;
  fputs(grey_case, written);
  fclose(written);
  const char* const overrides[] = {"coupling.interval=3", "solver.rays_per_cell=128"};
  double from_text[CELLS], from_file[CELLS], overridden[CELLS];
  solve_and_destroy(box_of(grey_case), from_text);

  ermine_radiation* radiation = NULL;
  OK(radiation, ermine_create(file, NULL, 0, ERMINE_THIS_PROCESS, &radiation));
  CHECK(strcmp(ermine_last_error(radiation), "") == 0);
  OK(radiation, give_grid(radiation));
  solve_and_destroy(radiation, from_file);
  CHECK(same_bits(from_text, from_file, CELLS));

  OK(radiation, ermine_create(file, overrides, 2, ERMINE_THIS_PROCESS, &radiation));
  OK(radiation, give_grid(radiation));
  solve_and_destroy(radiation, overridden);
  CHECK(!same_bits(from_text, overridden, CELLS));
  remove(file);
}

static void test_null_handle(void) {
  double t[CELLS] = {0};
  float f[CELLS] = {0};
  int number = 0;
  int64_t shape[3];
  const char* text = NULL;
  const ermine_axis axes[3] = {{x_faces, NX, 0}, {y_faces, NY, 0}, {z_faces, NZ, 0}};
  ermine_block block = {.end = {NX, NY, NZ}};
  const ermine_wall wall = {t, 1, NULL, 0, ERMINE_DIFFUSE};
  ermine_statistics statistics = {.size = sizeof statistics};
  ermine_balance balance = {.size = sizeof balance};
  REFUSED(NULL, ermine_set_grid(NULL, axes), "ermine_create");
  REFUSED(NULL, ermine_set_block(NULL, &block), "");
  REFUSED(NULL, ermine_set_scaling(NULL, 0, 1, 1), "");
  REFUSED(NULL, ermine_set_wall(NULL, ERMINE_X_LOW, &wall), "");
  REFUSED(NULL, ermine_set_composition(NULL, ERMINE_H2O, 0.1), "");
  REFUSED(NULL, ermine_set_composition_field(NULL, ERMINE_H2O, t), "");
  REFUSED(NULL, ermine_set_composition_field_float(NULL, ERMINE_H2O, f), "");
  REFUSED(NULL, ermine_set_absorption(NULL, 1.0), "");
  REFUSED(NULL, ermine_set_particles(NULL, "mist", 0, 1.0), "");
  REFUSED(NULL, ermine_set_particles_field(NULL, "mist", 0, t), "");
  REFUSED(NULL, ermine_set_particles_field_float(NULL, "mist", 0, f), "");
  REFUSED(NULL, ermine_set_absorption_field(NULL, t), "");
  REFUSED(NULL, ermine_set_absorption_field_float(NULL, f), "");
  REFUSED(NULL, ermine_advance(NULL, t), "");
  REFUSED(NULL, ermine_advance_float(NULL, f), "");
  REFUSED(NULL, ermine_submit(NULL, t), "");
  REFUSED(NULL, ermine_submit_float(NULL, f), "");
  REFUSED(NULL, ermine_poll(NULL, &number), "");
  REFUSED(NULL, ermine_wait(NULL), "");
  REFUSED(NULL, ermine_cancel(NULL), "");
  REFUSED(NULL, ermine_pending(NULL, &number), "");
  REFUSED(NULL, ermine_get(NULL, ERMINE_SOURCE, t), "");
  REFUSED(NULL, ermine_get_float(NULL, ERMINE_SOURCE, f), "");
  REFUSED(NULL, ermine_get_wall(NULL, ERMINE_NET_FLUX, ERMINE_X_LOW, t), "");
  REFUSED(NULL, ermine_get_wall_float(NULL, ERMINE_NET_FLUX, ERMINE_X_LOW, f), "");
  REFUSED(NULL, ermine_wall_shape(NULL, ERMINE_X_LOW, shape), "");
  REFUSED(NULL, ermine_get_statistics(NULL, &statistics), "");
  REFUSED(NULL, ermine_get_balance(NULL, &balance), "");
  REFUSED(NULL, ermine_get_cells(NULL, shape), "");
  REFUSED(NULL, ermine_get_faces(NULL, 0, t), "");
  REFUSED(NULL, ermine_get_block(NULL, &block), "");
  REFUSED(NULL, ermine_describe(NULL, &text), "");
  REFUSED(NULL, ermine_save(NULL, "a.h5"), "");
  REFUSED(NULL, ermine_load(NULL, "a.h5"), "");
  ermine_destroy(NULL);
}

static void test_null_arguments(void) {
  double q[CELLS];
  ermine_radiation* grey = box_of(grey_case);
  ermine_axis axes[3] = {{x_faces, NX, 0}, {NULL, NY, 0}, {z_faces, NZ, 0}};
  ermine_wall wall = {NULL, 1, NULL, 0, ERMINE_DIFFUSE};
  REFUSED(grey, ermine_set_grid(grey, NULL), "axes");
  REFUSED(grey, ermine_set_grid(grey, axes), "faces");
  REFUSED(grey, ermine_set_block(grey, NULL), "block");
  REFUSED(grey, ermine_set_wall(grey, ERMINE_X_LOW, NULL), "wall");
  REFUSED(grey, ermine_set_wall(grey, ERMINE_X_LOW, &wall), "temperature");
  REFUSED(grey, ermine_set_absorption_field(grey, NULL), "null pointer");
  REFUSED(grey, ermine_set_absorption_field_float(grey, NULL), "null pointer");
  REFUSED(grey, ermine_advance(grey, NULL), "null pointer");
  REFUSED(grey, ermine_advance_float(grey, NULL), "null pointer");
  REFUSED(grey, ermine_submit(grey, NULL), "null pointer");
  REFUSED(grey, ermine_submit_float(grey, NULL), "null pointer");
  REFUSED(grey, ermine_pending(grey, NULL), "count");
  REFUSED(grey, ermine_wall_shape(grey, ERMINE_X_LOW, NULL), "shape");
  REFUSED(grey, ermine_get_statistics(grey, NULL), "statistics");
  REFUSED(grey, ermine_get_cells(grey, NULL), "cells");
  REFUSED(grey, ermine_get_faces(grey, 0, NULL), "faces");
  REFUSED(grey, ermine_get_block(grey, NULL), "block");
  REFUSED(grey, ermine_describe(grey, NULL), "text");
  REFUSED(grey, ermine_save(grey, NULL), "file");
  REFUSED(grey, ermine_load(grey, NULL), "file");
  /* And it works all the same. */
  solve(grey, q);
  REFUSED(grey, ermine_get(grey, ERMINE_SOURCE, NULL), "null pointer");
  REFUSED(grey, ermine_get_float(grey, ERMINE_SOURCE, NULL), "null pointer");
  REFUSED(grey, ermine_get_wall(grey, ERMINE_NET_FLUX, ERMINE_X_LOW, NULL), "null pointer");
  REFUSED(grey, ermine_get_wall_float(grey, ERMINE_NET_FLUX, ERMINE_X_LOW, NULL), "null pointer");
  REFUSED(grey, ermine_poll(grey, NULL), "");
  ermine_destroy(grey);

  ermine_radiation* gas = box_of(gas_case);
  REFUSED(gas, ermine_set_composition_field(gas, ERMINE_H2O, NULL), "null pointer");
  REFUSED(gas, ermine_set_composition_field_float(gas, ERMINE_H2O, NULL), "null pointer");
  ermine_destroy(gas);
}

static void test_numbers_out_of_range(void) {
  double values[CELLS];
  int64_t shape[2];
  const double warm = 600.0, shiny = 0.5, negative = -1.0, much = 1.5;
  ermine_radiation* radiation = box_of(grey_case);
  solve(radiation, values);
  REFUSED(radiation, ermine_get(radiation, -1, values), "quantity -1");
  REFUSED(radiation, ermine_get(radiation, ERMINE_EMISSION_SLOPE + 1, values), "quantity 5");
  REFUSED(radiation, ermine_get_wall(radiation, 2, ERMINE_X_LOW, values), "wall quantity 2");
  REFUSED(radiation, ermine_get_wall(radiation, ERMINE_NET_FLUX, 6, values), "face 6");
  REFUSED(radiation, ermine_wall_shape(radiation, -1, shape), "face -1");
  REFUSED(radiation, ermine_get_faces(radiation, 3, values), "axis 3");
  REFUSED(radiation, ermine_set_composition(radiation, 5, 0.1), "0 to 4");
  const ermine_wall good = {&warm, 1, &shiny, 1, ERMINE_SPECULAR};
  const ermine_wall odd = {&warm, 1, &shiny, 1, 2};
  const ermine_wall cold = {&negative, 1, NULL, 0, ERMINE_DIFFUSE};
  const ermine_wall bright = {&warm, 1, &much, 1, ERMINE_DIFFUSE};
  const ermine_wall few = {values, 2, NULL, 0, ERMINE_DIFFUSE};
  REFUSED(radiation, ermine_set_wall(radiation, 6, &good), "face 6");
  REFUSED(radiation, ermine_set_wall(radiation, ERMINE_X_LOW, &odd), "reflection 2");
  REFUSED(radiation, ermine_set_wall(radiation, ERMINE_X_LOW, &cold), "temperature");
  REFUSED(radiation, ermine_set_wall(radiation, ERMINE_X_LOW, &bright), "emissivity");
  REFUSED(radiation, ermine_set_wall(radiation, ERMINE_X_LOW, &few), "2");
  REFUSED(radiation, ermine_set_absorption(radiation, -1.0), "-1");
  REFUSED(radiation, ermine_set_scaling(radiation, 0.0, 0.0, 1.0), "factor");
  ermine_destroy(radiation);

  const ermine_axis none[3] = {{x_faces, NX, 0}, {y_faces, 0, 0}, {z_faces, NZ, 0}};
  const double falling[2] = {1.0, 0.0};
  const ermine_axis wrong[3] = {{x_faces, NX, 0}, {falling, 1, 0}, {z_faces, NZ, 0}};
  radiation = created(grey_case);
  REFUSED(radiation, ermine_set_grid(radiation, none), "0 cells");
  REFUSED(radiation, ermine_set_grid(radiation, wrong), "increas");
  ermine_destroy(radiation);
}

static void test_wrong_order(void) {
  double t[CELLS], q[CELLS];
  int64_t cells[3];
  set_temperature(t);
  ermine_radiation* radiation = created(grey_case);
  REFUSED(radiation, ermine_advance(radiation, t), "grid");
  REFUSED(radiation, ermine_get_cells(radiation, cells), "grid");
  OK(radiation, give_grid(radiation));
  REFUSED(radiation, ermine_get(radiation, ERMINE_SOURCE, q), "solution");
  REFUSED(radiation, ermine_get_wall(radiation, ERMINE_NET_FLUX, ERMINE_X_LOW, q), "solution");
  REFUSED(radiation, ermine_wait(radiation), "submit");
  OK(radiation, ermine_cancel(radiation)); /* nothing to forget */
  solve(radiation, q);
  const ermine_block block = {.end = {NX, NY, NZ}};
  REFUSED(radiation, give_grid(radiation), "before the first");
  REFUSED(radiation, ermine_set_block(radiation, &block), "before the first");
  REFUSED(radiation, ermine_wait(radiation), "submit");
  ermine_destroy(radiation);
}

static void test_bad_temperature(void) {
  double t[CELLS], q[CELLS], expected[CELLS];
  float f[CELLS];
  solve_and_destroy(box_of(grey_case), expected);
  ermine_radiation* radiation = box_of(grey_case);
  set_temperature(t);
  t[7] = NAN;
  REFUSED(radiation, ermine_advance(radiation, t), "nan");
  REFUSED(radiation, ermine_submit(radiation, t), "nan");
  to_float(t, f, CELLS);
  REFUSED(radiation, ermine_advance_float(radiation, f), "nan");
  t[7] = -10.0;
  REFUSED(radiation, ermine_advance(radiation, t), "-10");
  /* A refused temperature leaves no trace. */
  solve(radiation, q);
  CHECK(same_bits(q, expected, CELLS));
  ermine_destroy(radiation);
}

static void test_layout(void) {
  enum { HX = NX + 3, HY = NY + 1, HZ = NZ + 2 };
  static double t[HX][HY][HZ], q[HX][HY][HZ];
  double expected[CELLS];
  int64_t cells[3];
  double faces[NZ + 1];
  solve_and_destroy(box_of(grey_case), expected);

  ermine_radiation* radiation = box_of(grey_case);
  const ermine_block short_of_one = {.end = {NX, NY - 1, NZ}};
  REFUSED(radiation, ermine_set_block(radiation, &short_of_one), "cell");
  const ermine_block twice_x = {.end = {NX, NY, NZ}, .order = {0, 0, 2}};
  REFUSED(radiation, ermine_set_block(radiation, &twice_x), "order");
  const ermine_block negative = {.end = {NX, NY, NZ}, .halo_below = {-1, 0, 0}};
  REFUSED(radiation, ermine_set_block(radiation, &negative), "halo");
  const ermine_block block = {
      .end = {NX, NY, NZ}, .halo_below = {1, 0, 1}, .halo_above = {2, 1, 1}, .order = {2, 1, 0}};
  OK(radiation, ermine_set_block(radiation, &block));
  ermine_block found;
  OK(radiation, ermine_get_block(radiation, &found));
  for (int axis = 0; axis < 3; ++axis) {
    CHECK(found.begin[axis] == block.begin[axis] && found.end[axis] == block.end[axis]);
    CHECK(found.halo_below[axis] == block.halo_below[axis]);
    CHECK(found.halo_above[axis] == block.halo_above[axis]);
    CHECK(found.order[axis] == block.order[axis]);
  }
  OK(radiation, ermine_get_cells(radiation, cells));
  CHECK(cells[0] == NX && cells[1] == NY && cells[2] == NZ);
  OK(radiation, ermine_get_faces(radiation, 2, faces));
  CHECK(same_bits(faces, z_faces, NZ + 1));

  for (int n = 0; n < HX * HY * HZ; ++n) (&t[0][0][0])[n] = (&q[0][0][0])[n] = NAN;
  for (int k = 0; k < NZ; ++k) {
    for (int j = 0; j < NY; ++j) {
      for (int i = 0; i < NX; ++i) t[i + 1][j][k + 1] = temperature_of(i, j, k);
    }
  }
  OK(radiation, ermine_advance(radiation, &t[0][0][0]));
  OK(radiation, ermine_get(radiation, ERMINE_SOURCE, &q[0][0][0]));
  int untouched = 0;
  for (int n = 0; n < HX * HY * HZ; ++n) untouched += isnan((&q[0][0][0])[n]) ? 1 : 0;
  CHECK(untouched == HX * HY * HZ - CELLS);
  for (int k = 0; k < NZ; ++k) {
    for (int j = 0; j < NY; ++j) {
      for (int i = 0; i < NX; ++i) CHECK(q[i + 1][j][k + 1] == expected[i + NX * (j + NY * k)]);
    }
  }
  ermine_destroy(radiation);
}

static void test_absurd_sizes(void) {
  const int64_t absurd[] = {(int64_t)1 << 31, INT64_MAX, INT64_MIN, -1, 2000};
  const double warm = 600.0;
  double q[CELLS];
  ermine_radiation* radiation = box_of(grey_case);
  for (size_t n = 0; n < sizeof absurd / sizeof *absurd; ++n) {
    for (int axis = 0; axis < 3; ++axis) {
      ermine_block below = {.end = {NX, NY, NZ}};
      ermine_block above = below;
      below.halo_below[axis] = absurd[n];
      above.halo_above[axis] = absurd[n];
      REFUSED(radiation, ermine_set_block(radiation, &below), "halo");
      REFUSED(radiation, ermine_set_block(radiation, &above), "halo");
    }
    const ermine_wall many = {&warm, absurd[n], NULL, 0, ERMINE_DIFFUSE};
    const ermine_wall many_emissivities = {&warm, 1, &warm, absurd[n], ERMINE_DIFFUSE};
    REFUSED(radiation, ermine_set_wall(radiation, ERMINE_X_LOW, &many), "temperature of a wall");
    REFUSED(radiation, ermine_set_wall(radiation, ERMINE_X_LOW, &many_emissivities),
            "emissivity of a wall");
  }
  /* Each is allowed, all together are more than any memory. */
  const ermine_block wide = {
      .end = {NX, NY, NZ}, .halo_below = {1000, 1000, 1000}, .halo_above = {1000, 1000, 1000}};
  REFUSED(radiation, ermine_set_block(radiation, &wide), "memory");
  /* Nothing of it is kept. */
  solve(radiation, q);
  ermine_destroy(radiation);

  radiation = created(grey_case);
  const int64_t cells[] = {(int64_t)1 << 31, INT64_MAX, INT64_MIN, -1, 0};
  for (size_t n = 0; n < sizeof cells / sizeof *cells; ++n) {
    ermine_axis axes[3] = {{x_faces, NX, 0}, {y_faces, cells[n], 0}, {z_faces, NZ, 0}};
    REFUSED(radiation, ermine_set_grid(radiation, axes), "axis y has");
  }
  const ermine_axis huge[3] = {{x_faces, 1000000, 0}, {y_faces, 1000000, 0}, {z_faces, 1000000, 0}};
  REFUSED(radiation, ermine_set_grid(radiation, huge), "memory");
  ermine_destroy(radiation);
  REFUSED(radiation,
          ermine_create_from_text(grey_case, "a.toml", NULL, -1, ERMINE_THIS_PROCESS, &radiation),
          "-1 overrides");
  ermine_destroy(radiation);
}

static void test_single_faces(void) {
  const float even[NX + 1] = {0.0F, 0.1F, 0.2F, 0.3F, 0.4F};
  const float other[NY + 1] = {0.0F, 0.3F, 0.6F, 1.0F};
  const ermine_axis_float axes[3] = {{even, NX, 0}, {other, NY, 0}, {other, NY, 0}};
  const ermine_axis_float none[3] = {{NULL, NX, 0}, {other, NY, 0}, {other, NY, 0}};
  double faces[NX + 1];
  ermine_radiation* radiation = created(grey_case);
  REFUSED(radiation, ermine_set_grid_float(radiation, NULL), "axes");
  REFUSED(radiation, ermine_set_grid_float(radiation, none), "faces");
  OK(radiation, ermine_set_grid_float(radiation, axes));
  OK(radiation, ermine_get_faces(radiation, 0, faces));
  for (int i = 0; i < NX; ++i) CHECK(faces[i] == (double)even[NX] * i / NX);
  CHECK(faces[NX] == even[NX]);
  OK(radiation, ermine_get_faces(radiation, 1, faces));
  for (int i = 0; i <= NY; ++i) CHECK(faces[i] == other[i]);
  ermine_destroy(radiation);
}

static void test_periodic_walls(void) {
  const double warm = 600.0;
  const ermine_wall wall = {&warm, 1, NULL, 0, ERMINE_DIFFUSE};
  const ermine_axis periodic[3] = {{x_faces, NX, 0}, {y_faces, NY, 0}, {z_faces, NZ, 1}};
  ermine_radiation* radiation = created(grey_case);
  REFUSED(radiation, ermine_set_grid(radiation, periodic), "walls.z_low");
  ermine_destroy(radiation);
  radiation = created(bare_case);
  OK(radiation, ermine_set_grid(radiation, periodic));
  REFUSED(radiation, ermine_set_wall(radiation, ERMINE_Z_HIGH, &wall), "z_high");
  OK(radiation, ermine_set_wall(radiation, ERMINE_Y_HIGH, &wall));
  ermine_destroy(radiation);
}

static void test_bindings(void) {
  double t[CELLS];
  const int64_t right[3] = {NX, NY, NZ}, wrong[3] = {NX, NZ, NY};
  set_temperature(t);
  ermine_radiation* radiation = box_of(grey_case);
  CHECK(ermine_rank(radiation) == 0 && ermine_rank(NULL) == 0);
  OK(radiation, ermine_expect_shape(radiation, wrong));
  REFUSED(radiation, ermine_advance(radiation, t),
          "4 x 5 x 3, give the cells of this process: 4 x 3 x 5");
  OK(radiation, ermine_expect_shape(radiation, right));
  OK(radiation, ermine_advance(radiation, t));
  OK(radiation, ermine_advance(radiation, t)); /* said of one call only */
  REFUSED(radiation, ermine_wait(radiation), "ermine_submit()");
  OK(radiation, ermine_set_language(radiation, ERMINE_LANGUAGE_FORTRAN));
  REFUSED(radiation, ermine_wait(radiation), "call submit before");
  REFUSED(radiation, ermine_set_language(radiation, 2), "language 2");
  REFUSED(radiation, ermine_expect_shape(radiation, NULL), "extents");
  ermine_destroy(radiation);
}

static void test_single_precision(void) {
  double t[CELLS], expected[CELLS];
  float f[CELLS], single[CELLS], rounded[CELLS];
  set_temperature(t);
  to_float(t, f, CELLS);
  solve_and_destroy(box_of(grey_case), expected);
  to_float(expected, rounded, CELLS);
  ermine_radiation* radiation = box_of(grey_case);
  OK(radiation, ermine_advance_float(radiation, f));
  OK(radiation, ermine_get_float(radiation, ERMINE_SOURCE, single));
  CHECK(memcmp(single, rounded, sizeof single) == 0);
  ermine_destroy(radiation);
  radiation = box_of(grey_case);
  OK(radiation, ermine_submit_float(radiation, f));
  OK(radiation, ermine_wait(radiation));
  OK(radiation, ermine_get_float(radiation, ERMINE_SOURCE, single));
  CHECK(memcmp(single, rounded, sizeof single) == 0);
  ermine_destroy(radiation);
}

static void test_submit_and_wait(void) {
  double t[CELLS], q[CELLS], expected[CELLS], second[CELLS];
  int ready = -1, count = -1;
  set_temperature(t);
  ermine_radiation* radiation = box_of(grey_case);
  solve(radiation, expected);
  solve(radiation, second);
  CHECK(!same_bits(expected, second, CELLS)); /* another update, other rays */
  ermine_destroy(radiation);

  radiation = box_of(grey_case);
  OK(radiation, ermine_pending(radiation, &count));
  CHECK(count == 0);
  OK(radiation, ermine_submit(radiation, t));
  OK(radiation, ermine_submit(radiation, t));
  OK(radiation, ermine_pending(radiation, &count));
  CHECK(count == 2);
  OK(radiation, ermine_wait(radiation));
  OK(radiation, ermine_get(radiation, ERMINE_SOURCE, q));
  CHECK(same_bits(q, expected, CELLS));
  do OK(radiation, ermine_poll(radiation, &ready));
  while (ready == 0);
  CHECK(ready == 1);
  OK(radiation, ermine_wait(radiation));
  OK(radiation, ermine_get(radiation, ERMINE_SOURCE, q));
  CHECK(same_bits(q, second, CELLS));
  ermine_destroy(radiation);

  /* Updates that are cancelled keep their numbers. */
  radiation = box_of(grey_case);
  OK(radiation, ermine_submit(radiation, t));
  OK(radiation, ermine_cancel(radiation));
  OK(radiation, ermine_pending(radiation, &count));
  CHECK(count == 0);
  OK(radiation, ermine_submit(radiation, t));
  OK(radiation, ermine_wait(radiation));
  OK(radiation, ermine_get(radiation, ERMINE_SOURCE, q));
  CHECK(same_bits(q, second, CELLS));
  OK(radiation, ermine_submit(radiation, t));
  ermine_destroy(radiation); /* with an update under way */
}

static void test_quantities(void) {
  double q[CELLS], error[CELLS], emission[CELLS], absorption[CELLS], slope[CELLS];
  ermine_radiation* radiation = box_of(grey_case);
  solve(radiation, q);
  OK(radiation, ermine_get(radiation, ERMINE_STANDARD_ERROR, error));
  OK(radiation, ermine_get(radiation, ERMINE_EMISSION, emission));
  OK(radiation, ermine_get(radiation, ERMINE_ABSORPTION, absorption));
  OK(radiation, ermine_get(radiation, ERMINE_EMISSION_SLOPE, slope));
  double t[CELLS];
  set_temperature(t);
  for (int n = 0; n < CELLS; ++n) {
    const double exact = 4 * 5.670374419e-8 * pow(t[n], 4); /* 4 kappa sigma T^4 */
    CHECK(fabs(emission[n] - exact) < 1e-5 * exact);
    CHECK(fabs(slope[n] - 4 * exact / t[n]) < 1e-3 * slope[n]);
    CHECK(fabs(emission[n] - absorption[n] - q[n]) < 1e-9 * exact);
    CHECK(error[n] > 0);
  }
  ermine_destroy(radiation);
}

static void test_absorption_and_composition(void) {
  double expected[CELLS], q[CELLS], field[CELLS];
  float single[CELLS];
  for (int n = 0; n < CELLS; ++n) field[n] = 2.0;
  to_float(field, single, CELLS);
  ermine_radiation* radiation = box_of(grey_case);
  OK(radiation, ermine_set_absorption(radiation, 2.0));
  solve_and_destroy(radiation, expected);
  radiation = box_of(grey_case);
  OK(radiation, ermine_set_absorption_field(radiation, field));
  solve_and_destroy(radiation, q);
  CHECK(same_bits(q, expected, CELLS));
  radiation = box_of(grey_case);
  OK(radiation, ermine_set_absorption_field_float(radiation, single));
  solve_and_destroy(radiation, q);
  CHECK(same_bits(q, expected, CELLS));
  solve_and_destroy(box_of(grey_case), q);
  CHECK(!same_bits(q, expected, CELLS)); /* that of the file is 1 */

  radiation = box_of(grey_case);
  REFUSED(radiation, ermine_set_composition(radiation, ERMINE_H2O, 0.1), "mole_fractions");
  REFUSED(radiation, ermine_set_particles(radiation, "mist", ERMINE_PARTICLE_ABSORPTION, 1.0),
          "no particles \"mist\"");
  REFUSED(radiation, ermine_set_particles(radiation, NULL, ERMINE_PARTICLE_ABSORPTION, 1.0),
          "name");
  REFUSED(radiation, ermine_set_particles(radiation, "mist", 2, 1.0), "particle property");
  field[3] = NAN;
  REFUSED(radiation, ermine_set_absorption_field(radiation, field), "nan");
  ermine_destroy(radiation);

  /* Emission is exact, so it tells compositions apart; mixtures of one composition everywhere draw
   * other rays than those of fields. */
  double emission[CELLS], of_field[CELLS], of_file[CELLS], from_float[CELLS];
  for (int n = 0; n < CELLS; ++n) field[n] = 0.25;
  to_float(field, single, CELLS);
  radiation = box_of(gas_case);
  solve(radiation, q);
  OK(radiation, ermine_get(radiation, ERMINE_EMISSION, of_file));
  OK(radiation, ermine_set_composition(radiation, ERMINE_H2O, 0.25));
  solve(radiation, q);
  OK(radiation, ermine_get(radiation, ERMINE_EMISSION, emission));
  ermine_destroy(radiation);
  radiation = box_of(gas_case);
  OK(radiation, ermine_set_composition_field(radiation, ERMINE_H2O, field));
  solve(radiation, q);
  OK(radiation, ermine_get(radiation, ERMINE_EMISSION, of_field));
  for (int n = 0; n < CELLS; ++n) {
    CHECK(emission[n] > 1.1 * of_file[n]);
    CHECK(fabs(of_field[n] - emission[n]) < 1e-3 * emission[n]);
  }
  REFUSED(radiation, ermine_set_composition(radiation, ERMINE_CH4, 0.1), "CH4");
  REFUSED(radiation, ermine_set_composition(radiation, ERMINE_H2O, 1.5), "1.5");
  REFUSED(radiation, ermine_set_composition(radiation, ERMINE_SOOT, 1e-6), "no soot");
  REFUSED(radiation, ermine_set_composition(radiation, ERMINE_SOOT + 1, 0.1), "species");
  REFUSED(radiation, ermine_set_absorption(radiation, 1.0), "gre");
  ermine_destroy(radiation);
  radiation = box_of(gas_case);
  OK(radiation, ermine_set_composition_field_float(radiation, ERMINE_H2O, single));
  solve_and_destroy(radiation, from_float);
  CHECK(same_bits(from_float, q, CELLS));

  radiation = box_of(sooty_case);
  solve(radiation, q);
  OK(radiation, ermine_get(radiation, ERMINE_EMISSION, of_file));
  OK(radiation, ermine_set_composition(radiation, ERMINE_SOOT, 2e-6));
  solve(radiation, q);
  OK(radiation, ermine_get(radiation, ERMINE_EMISSION, emission));
  for (int n = 0; n < CELLS; ++n) field[n] = 2e-6;
  OK(radiation, ermine_set_composition_field(radiation, ERMINE_SOOT, field));
  solve(radiation, q);
  OK(radiation, ermine_get(radiation, ERMINE_EMISSION, of_field));
  for (int n = 0; n < CELLS; ++n) {
    CHECK(emission[n] > 1.1 * of_file[n]);
    CHECK(fabs(of_field[n] - emission[n]) < 2e-3 * emission[n]);
  }
  field[3] = -1e-6;
  REFUSED(radiation, ermine_set_composition_field(radiation, ERMINE_SOOT, field), "-1e-06");
  ermine_destroy(radiation);
}

static void test_walls(void) {
  double q[CELLS], flux[NX * NY], warm_flux[NX * NY], error[NX * NY];
  float single[NX * NY], rounded[NX * NY];
  int64_t shape[2];
  double temperature[NX * NY];
  const double emissivity = 0.5;
  ermine_radiation* radiation = box_of(grey_case);
  solve(radiation, q);
  OK(radiation, ermine_wall_shape(radiation, ERMINE_Z_HIGH, shape));
  CHECK(shape[0] == NX && shape[1] == NY);
  OK(radiation, ermine_wall_shape(radiation, ERMINE_Y_LOW, shape));
  CHECK(shape[0] == NX && shape[1] == NZ);
  OK(radiation, ermine_get_wall(radiation, ERMINE_NET_FLUX, ERMINE_Z_HIGH, flux));
  OK(radiation, ermine_get_wall(radiation, ERMINE_NET_FLUX_ERROR, ERMINE_Z_HIGH, error));
  OK(radiation, ermine_get_wall_float(radiation, ERMINE_NET_FLUX, ERMINE_Z_HIGH, single));
  to_float(flux, rounded, NX * NY);
  CHECK(memcmp(single, rounded, sizeof single) == 0);
  for (int n = 0; n < NX * NY; ++n) CHECK(flux[n] < 0 && error[n] > 0); /* cold: gains heat */
  ermine_destroy(radiation);

  radiation = box_of(grey_case);
  for (int n = 0; n < NX * NY; ++n) temperature[n] = n < NX ? 500.0 : 2000.0;
  const ermine_wall hot = {temperature, NX * NY, NULL, 0, ERMINE_DIFFUSE};
  OK(radiation, ermine_set_wall(radiation, ERMINE_Z_HIGH, &hot));
  solve(radiation, q);
  OK(radiation, ermine_get_wall(radiation, ERMINE_NET_FLUX, ERMINE_Z_HIGH, warm_flux));
  for (int n = 0; n < NX * NY; ++n) CHECK(n < NX ? warm_flux[n] < 0 : warm_flux[n] > 0);
  ermine_destroy(radiation);

  double diffuse[CELLS];
  ermine_wall grey = {temperature, 1, &emissivity, 1, ERMINE_DIFFUSE};
  radiation = box_of(grey_case);
  OK(radiation, ermine_set_wall(radiation, ERMINE_Z_HIGH, &grey));
  solve_and_destroy(radiation, diffuse);
  grey.reflection = ERMINE_SPECULAR;
  radiation = box_of(grey_case);
  OK(radiation, ermine_set_wall(radiation, ERMINE_Z_HIGH, &grey));
  solve(radiation, q);
  CHECK(!same_bits(q, diffuse, CELLS));
  OK(radiation, ermine_get_wall(radiation, ERMINE_NET_FLUX, ERMINE_Z_HIGH, warm_flux));
  for (int n = 0; n < NX * NY; ++n) CHECK(warm_flux[n] > 0.8 * flux[n]); /* gains less */
  ermine_destroy(radiation);
}

static void test_walls_one_by_one(void) {
  double t[CELLS], q[CELLS], expected[CELLS];
  const double cold = 500.0, warm = 700.0;
  set_temperature(t);
  solve_and_destroy(box_of(grey_case), expected);
  ermine_radiation* radiation = box_of(bare_case);
  REFUSED(radiation, ermine_advance(radiation, t), "x_low has no temperature");
  for (int face = 0; face < 6; ++face) {
    const ermine_wall wall = {face == ERMINE_X_HIGH ? &warm : &cold, 1, NULL, 0, ERMINE_DIFFUSE};
    OK(radiation, ermine_set_wall(radiation, face, &wall));
  }
  solve_and_destroy(radiation, q);
  CHECK(same_bits(q, expected, CELLS));
}

static void test_scaling(void) {
  double t[CELLS], q[CELLS], expected[CELLS];
  solve_and_destroy(box_of(grey_case), expected);
  ermine_radiation* radiation = box_of(grey_case);
  set_temperature(t);
  for (int n = 0; n < CELLS; ++n) t[n] = (t[n] - 512.0) / 256.0; /* exactly */
  OK(radiation, ermine_set_scaling(radiation, 512.0, 256.0, 0.125));
  OK(radiation, ermine_advance(radiation, t));
  OK(radiation, ermine_get(radiation, ERMINE_SOURCE, q));
  for (int n = 0; n < CELLS; ++n) CHECK(q[n] == 0.125 * expected[n]);
  ermine_destroy(radiation);
}

/* Sums of the same numbers, of which one has passed through single precision. */
static int close_to(double value, double expected) {
  return fabs(value - expected) <= 1e-6 * fabs(expected);
}

/* Areas of a z side, and volumes, times values of its cells. */
static double integral_of(const double* values, int layers) {
  double sum = 0.0;
  for (int k = 0; k < layers; ++k) {
    const double dz = layers == 1 ? 1.0 : z_faces[k + 1] - z_faces[k];
    for (int j = 0; j < NY; ++j) {
      for (int i = 0; i < NX; ++i) {
        sum += (x_faces[i + 1] - x_faces[i]) * (y_faces[j + 1] - y_faces[j]) * dz *
               values[i + NX * (j + NY * k)];
      }
    }
  }
  return sum;
}

static void test_balance(void) {
  ermine_radiation* radiation = box_of(grey_case);
  ermine_balance balance = {.size = sizeof balance};
  REFUSED(radiation, ermine_get_balance(radiation, &balance), "no solution yet");
  double q[CELLS], flux[NX * NY];
  OK(radiation, ermine_set_scaling(radiation, 0.0, 1.0, 0.5)); /* which it is not subject to */
  solve(radiation, q);
  OK(radiation, ermine_get_balance(radiation, &balance));
  CHECK(balance.size == sizeof balance);
  CHECK(close_to(balance.gas.value, 2 * integral_of(q, NZ)));
  OK(radiation, ermine_get_wall(radiation, ERMINE_NET_FLUX, ERMINE_Z_HIGH, flux));
  CHECK(close_to(balance.walls[ERMINE_Z_HIGH].value, integral_of(flux, 1)));
  double walls = 0.0;
  for (int face = 0; face < 6; ++face) {
    walls += balance.walls[face].value;
    CHECK(balance.walls[face].error > 0);
  }
  CHECK(close_to(balance.all_walls.value, walls));
  CHECK(fabs(balance.sum.value - balance.gas.value - walls) <= 1e-9 * balance.exchanged);
  CHECK(balance.gas.error > 0 && balance.all_walls.error > 0 && balance.sum.error > 0);
  CHECK(balance.gas_bias.value == 0); /* of one level of detail */
  CHECK(balance.unexplained >= 0 && balance.exchanged >= fabs(balance.gas.value));

  /* A program that knows the gas alone. */
  ermine_balance older = {.size = (int64_t)(sizeof(int64_t) + sizeof(ermine_estimate)),
                          .exchanged = 77};
  OK(radiation, ermine_get_balance(radiation, &older));
  CHECK(older.gas.value == balance.gas.value && older.exchanged == 77);
  older.size = sizeof older + 8;
  REFUSED(radiation, ermine_get_balance(radiation, &older), "sizeof(ermine_balance)");
  REFUSED(radiation, ermine_get_balance(radiation, NULL), "balance");
  ermine_destroy(radiation);

  const char* text = NULL;
  radiation = box_of(grey_case);
  OK(radiation, ermine_describe(radiation, &text));
  CHECK(strstr(text, "x_high 700 K") != NULL && strstr(text, "64 rays per cell") != NULL);
  ermine_destroy(radiation);
}

static void test_statistics(void) {
  double q[CELLS];
  const char* text = NULL;
  ermine_radiation* radiation = box_of(grey_case);
  solve(radiation, q);
  solve(radiation, q);
  ermine_statistics done = {.size = sizeof done};
  OK(radiation, ermine_get_statistics(radiation, &done));
  CHECK(done.size == sizeof done);
  CHECK(done.steps == 2 && done.updates == 2 && done.cancelled == 0);
  CHECK(done.rays > 2 * 64 * CELLS - 1 && done.error > 0 && done.relative_error > 0);
  CHECK(done.seconds_solving > 0 && done.seconds_waiting >= 0 && done.seconds_submitting >= 0);
  CHECK(done.hidden_fraction >= 0 && done.hidden_fraction <= 1);
  CHECK(done.bytes_sent == 0);

  /* A program that knows the first three members only. */
  ermine_statistics older = {.size = 3 * sizeof(int64_t), .cancelled = 77};
  OK(radiation, ermine_get_statistics(radiation, &older));
  CHECK(older.steps == 2 && older.updates == 2 && older.cancelled == 77);
  done.size = 0;
  REFUSED(radiation, ermine_get_statistics(radiation, &done), "sizeof");
  done.size = sizeof done + 8;
  REFUSED(radiation, ermine_get_statistics(radiation, &done), "sizeof");

  OK(radiation, ermine_describe(radiation, &text));
  CHECK(text != NULL && strstr(text, "4 x 3 x 5") != NULL);
  ermine_destroy(radiation);
}

/* Some steps whose temperature depends on what radiation says. */
static void march(ermine_radiation* radiation, double t[CELLS], double q[CELLS], int steps) {
  for (int step = 0; step < steps; ++step) {
    OK(radiation, ermine_advance(radiation, t));
    OK(radiation, ermine_get(radiation, ERMINE_SOURCE, q));
    for (int n = 0; n < CELLS; ++n) t[n] -= 1e-4 * q[n];
  }
}

static void test_save_and_load(void) {
  const char* const file = "capi_test_state.h5";
  const char* const lagging[] = {"coupling.lag=1", "coupling.interval=2"};
  double t[CELLS], q[CELLS], expected_t[CELLS], expected_q[CELLS];
  ermine_radiation* radiation = NULL;
  OK(radiation,
     ermine_create_from_text(grey_case, "test.toml", lagging, 2, ERMINE_THIS_PROCESS, &radiation));
  OK(radiation, give_grid(radiation));
  set_temperature(expected_t);
  march(radiation, expected_t, expected_q, 8);
  ermine_destroy(radiation);

  OK(radiation,
     ermine_create_from_text(grey_case, "test.toml", lagging, 2, ERMINE_THIS_PROCESS, &radiation));
  OK(radiation, give_grid(radiation));
  set_temperature(t);
  march(radiation, t, q, 3); /* with an update under way */
  OK(radiation, ermine_save(radiation, file));
  REFUSED(radiation, ermine_save(radiation, "no/such/folder/state.h5"), "no/such/folder");
  ermine_destroy(radiation);

  OK(radiation,
     ermine_create_from_text(grey_case, "test.toml", lagging, 2, ERMINE_THIS_PROCESS, &radiation));
  OK(radiation, give_grid(radiation));
  REFUSED(radiation, ermine_load(radiation, "no_such_state.h5"), "no_such_state.h5");
  OK(radiation, ermine_load(radiation, file));
  march(radiation, t, q, 5);
  CHECK(same_bits(t, expected_t, CELLS));
  CHECK(same_bits(q, expected_q, CELLS));
  ermine_destroy(radiation);

  FILE* broken = fopen(file, "w");
  if (!CHECK(broken != NULL)) return;
  fputs("not a state", broken);
  fclose(broken);
  radiation = box_of(grey_case);
  REFUSED(radiation, ermine_load(radiation, file), file);
  ermine_destroy(radiation);
  remove(file);
}

static const struct {
  const char* name;
  void (*run)(void);
} tests[] = {{"library", test_library},
             {"creation", test_creation},
             {"creation_fails", test_creation_fails},
             {"null_handle", test_null_handle},
             {"null_arguments", test_null_arguments},
             {"numbers_out_of_range", test_numbers_out_of_range},
             {"wrong_order", test_wrong_order},
             {"bad_temperature", test_bad_temperature},
             {"layout", test_layout},
             {"single_precision", test_single_precision},
             {"submit_and_wait", test_submit_and_wait},
             {"quantities", test_quantities},
             {"absorption_and_composition", test_absorption_and_composition},
             {"walls", test_walls},
             {"walls_one_by_one", test_walls_one_by_one},
             {"scaling", test_scaling},
             {"statistics", test_statistics},
             {"balance", test_balance},
             {"save_and_load", test_save_and_load},
             {"absurd_sizes", test_absurd_sizes},
             {"single_faces", test_single_faces},
             {"periodic_walls", test_periodic_walls},
             {"bindings", test_bindings}};

int main(int argc, char** argv) {
  for (size_t n = 0; n < sizeof tests / sizeof *tests; ++n) {
    if (argc == 2 && strcmp(argv[1], tests[n].name) == 0) {
      tests[n].run();
      return failures == 0 ? 0 : 1;
    }
  }
  fprintf(stderr, "usage: capi_test NAME, one of the tests in capi_test.c\n");
  return 2;
}
