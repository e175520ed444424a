#ifndef ERMINE_ERMINE_H
#define ERMINE_ERMINE_H

/**
 * C interface of ermine, for flow solvers; bindings/fortran/ermine.f90 is built on it. It mirrors
 * the C++ class in <ermine/radiation.hpp>:
 *
 *   ermine_radiation* radiation = NULL;
 *   if (ermine_create("radiation.toml", NULL, 0, ERMINE_THIS_PROCESS, &radiation) != ERMINE_OK) {
 *     fprintf(stderr, "%s\n", ermine_last_error(radiation));
 *   }
 *   ermine_set_grid(radiation, axes);        once, if the file has none
 *   for (;;) {                               time steps
 *     ermine_advance(radiation, t);          submits, and takes over what is due
 *     ermine_get(radiation, ERMINE_SOURCE, q);
 *   }
 *   ermine_destroy(radiation);
 *
 * Units are SI. Functions return ERMINE_OK or another ermine_status, and never end the program. All
 * processes of a communicator make the same calls in the same order, from one thread; functions
 * that say "not collective" may be called by some of them only. Arrays are of the cells of the
 * calling process, as its ermine_block says, in memory of the host or of a GPU; functions that take
 * double have a twin that takes float. Two handles know nothing of each other.
 */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ermine_radiation ermine_radiation;

enum ermine_status {
  ERMINE_OK = 0,
  ERMINE_ERROR_INPUT = 1, /**< something given, a file, or a call at the wrong time */
  ERMINE_ERROR_MEMORY = 2,
  ERMINE_ERROR_INTERNAL = 3 /**< should not happen: please report */
};

/** Communicator of one process, with or without MPI. */
enum { ERMINE_THIS_PROCESS = -1 };

enum ermine_face {
  ERMINE_X_LOW = 0,
  ERMINE_X_HIGH = 1,
  ERMINE_Y_LOW = 2,
  ERMINE_Y_HIGH = 3,
  ERMINE_Z_LOW = 4,
  ERMINE_Z_HIGH = 5
};

enum ermine_reflection { ERMINE_DIFFUSE = 0, ERMINE_SPECULAR = 1 };

enum ermine_species {
  ERMINE_H2O = 0,
  ERMINE_CO2 = 1,
  ERMINE_CO = 2,
  ERMINE_CH4 = 3,
  ERMINE_SOOT = 4 /**< has a volume fraction in place of a mole fraction */
};

/** What there is of particles [1/m]. */
enum ermine_particle_property { ERMINE_PARTICLE_ABSORPTION = 0, ERMINE_PARTICLE_SCATTERING = 1 };

enum ermine_language { ERMINE_LANGUAGE_C = 0, ERMINE_LANGUAGE_FORTRAN = 1 };

/** Of each cell [W/m3], times the factor of ermine_set_scaling(). */
enum ermine_quantity {
  ERMINE_SOURCE = 0,         /**< Q = emission - absorption, positive where the gas loses heat */
  ERMINE_STANDARD_ERROR = 1, /**< of Q, and of absorption */
  ERMINE_EMISSION = 2,       /**< exact */
  ERMINE_ABSORPTION = 3,
  ERMINE_EMISSION_SLOPE = 4 /**< d emission / dT [W/(m3 K)], for implicit treatment */
};

/** Of each wall face cell [W/m2]. */
enum ermine_wall_quantity {
  ERMINE_NET_FLUX = 0, /**< positive where the wall loses heat */
  ERMINE_NET_FLUX_ERROR = 1
};

/** One axis of the grid. */
typedef struct ermine_axis {
  const double* faces; /**< cells + 1 increasing coordinates [m] */
  int64_t cells;
  int periodic; /**< 0: walls at both ends */
} ermine_axis;

/** The same with faces in single precision. */
typedef struct ermine_axis_float {
  const float* faces;
  int64_t cells;
  int periodic;
} ermine_axis_float;

/** The cells of one process, and how its arrays hold them. */
typedef struct ermine_block {
  int64_t begin[3]; /**< first cell along x, y, z, counted from 0 */
  int64_t end[3];   /**< one beyond the last */
  /** Cells around them that arrays have besides, never read or written. */
  int64_t halo_below[3];
  int64_t halo_above[3];
  /** Axes of arrays, the one with neighbours side by side in memory first: {0, 1, 2} for x fastest,
   * {2, 1, 0} for C's t[x][y][z]. All 0: {0, 1, 2}. */
  int order[3];
} ermine_block;

/** One side of the domain: opaque and grey. Fields have one value, or one for each face cell of the
 * whole side, the lower axis fastest. */
typedef struct ermine_wall {
  const double* temperature; /**< [K] */
  int64_t temperature_count;
  const double* emissivity; /**< 0 to 1; NULL: 1, black */
  int64_t emissivity_count;
  int reflection; /**< an ermine_reflection */
} ermine_wall;

/** What a coupled run has done so far, on this process; times in seconds. */
typedef struct ermine_statistics {
  int64_t size;      /**< in: sizeof(ermine_statistics); later versions add members at the end */
  int64_t steps;     /**< calls of ermine_advance() */
  int64_t updates;   /**< solutions submitted */
  int64_t cancelled; /**< of these */
  double seconds_submitting;
  double seconds_waiting;
  double seconds_solving; /**< from submission to result */
  double hidden_fraction; /**< share of solving that the caller did not wait for */
  int64_t rays;           /**< of all processes */
  double relative_error;  /**< of the last update: standard error over Q, root mean squares */
  double error;           /**< the same [W/m3], times the factor of ermine_set_scaling() */
  int64_t bytes_sent;     /**< by this process to others */
  int64_t field_bytes;    /**< memory of the temperature that rays march through */
} ermine_statistics;

/** A Monte Carlo number and its standard error. */
typedef struct ermine_estimate {
  double value;
  double error;
} ermine_estimate;

/** Energy balance of one update [W], of the whole grid, not scaled: heat lost by radiation. In
 * theory gas and walls together lose nothing. Where wall fluxes were not computed, those of walls
 * are zero and `sum` is the heat lost by the gas. */
typedef struct ermine_balance {
  int64_t size;        /**< in: sizeof(ermine_balance); later versions add members at the end */
  ermine_estimate gas; /**< its error contains `unexplained` */
  ermine_estimate walls[6];  /**< of each side, in the order of ermine_face; zero if periodic */
  ermine_estimate all_walls; /**< their sum */
  ermine_estimate sum;       /**< of gas and walls; its error contains `unexplained` */
  ermine_estimate gas_bias;  /**< of `gas`, that of the levels of detail; zero on one level */
  double unexplained;        /**< part of `sum` that neither noise nor levels of detail explain */
  double exchanged;          /**< heat exchanged, to compare with */
} ermine_balance;

/** Version of the library, "0.1.0". Not collective, as the next. */
const char* ermine_version(void);
/** 1 if communicators of MPI can be given, else 0. */
int ermine_built_with_mpi(void);

/** From a case file, whose temperature is ignored and whose grid may be missing. `overrides`:
 * "key=value", as after `ermine run --set`; NULL if there are none. `communicator`:
 * MPI_Comm_c2f(comm), which is duplicated, or ERMINE_THIS_PROCESS. The handle is there after
 * failures, too (unless memory lacks for it): it tells the error, and is to be destroyed.
 * Collective. */
int ermine_create(const char* case_file, const char* const* overrides, int override_count,
                  int communicator, ermine_radiation** radiation);
/** The same from the text of a case file; `name` stands for the file in messages, and its folder
 * anchors relative names of files. */
int ermine_create_from_text(const char* text, const char* name, const char* const* overrides,
                            int override_count, int communicator, ermine_radiation** radiation);
/** Cancels what is under way. NULL is allowed. Before MPI_Finalize(), and on all processes. */
void ermine_destroy(ermine_radiation* radiation);
/** What went wrong in the last call that failed, and what to do; "" if none did. Valid until the
 * next call with this handle. Not collective. */
const char* ermine_last_error(const ermine_radiation* radiation);

/** Rank of this process in the communicator; 0 if it is alone. Not collective. */
int ermine_rank(const ermine_radiation* radiation);
/** For bindings to other languages; not collective. An ermine_language, whose names and numbers
 * messages use. */
int ermine_set_language(ermine_radiation* radiation, int language);
/** Extents of the array that the next call is given, fastest axis first, halo included: that call
 * refuses others, on all processes. */
int ermine_expect_shape(ermine_radiation* radiation, const int64_t extents[3]);

/** Axes x, y and z. Before the first update. */
int ermine_set_grid(ermine_radiation* radiation, const ermine_axis axes[3]);
/** Cells whose widths differ by the rounding of single precision only become cells of equal width,
 * which rays cross about twice as fast as others. */
int ermine_set_grid_float(ermine_radiation* radiation, const ermine_axis_float axes[3]);
/** The cells of this process. Those of all cover the grid, each cell once. Before the first update.
 * Without a call, slabs of about equal thickness; ermine_get_block() tells. */
int ermine_set_block(ermine_radiation* radiation, const ermine_block* block);
/** For codes without units: temperature [K] = offset + factor * theirs; what they get is Q [W/m3]
 * times `source`, and its slope over their temperature. */
int ermine_set_scaling(ermine_radiation* radiation, double offset, double factor, double source);
/** The same on all processes. */
int ermine_set_wall(ermine_radiation* radiation, int face, const ermine_wall* wall);

/** Gas mixtures: mole fraction of a species of the case file, everywhere or cell by cell. Of
 * ERMINE_SOOT: volume fraction of the soot of the case file. */
int ermine_set_composition(ermine_radiation* radiation, int species, double mole_fraction);
int ermine_set_composition_field(ermine_radiation* radiation, int species,
                                 const double* mole_fraction);
int ermine_set_composition_field_float(ermine_radiation* radiation, int species,
                                       const float* mole_fraction);
/** Of the particles that the case file has under a name, what an ermine_particle_property says
 * [1/m], everywhere or cell by cell. */
int ermine_set_particles(ermine_radiation* radiation, const char* name, int property,
                         double coefficient);
int ermine_set_particles_field(ermine_radiation* radiation, const char* name, int property,
                               const double* coefficient);
int ermine_set_particles_field_float(ermine_radiation* radiation, const char* name, int property,
                                     const float* coefficient);
/** Grey gas: absorption coefficient [1/m], everywhere or cell by cell. */
int ermine_set_absorption(ermine_radiation* radiation, double coefficient);
int ermine_set_absorption_field(ermine_radiation* radiation, const double* coefficient);
int ermine_set_absorption_field_float(ermine_radiation* radiation, const float* coefficient);

/** One flow step: submits the temperature [K] if an update is due, then takes over the solution
 * that is due. At the first step that is the one just submitted. */
int ermine_advance(ermine_radiation* radiation, const double* temperature);
int ermine_advance_float(ermine_radiation* radiation, const float* temperature);
/** The same by hand: copies the temperature [K] and returns. */
int ermine_submit(ermine_radiation* radiation, const double* temperature);
int ermine_submit_float(ermine_radiation* radiation, const float* temperature);
/** `ready`: 1 if ermine_wait() would return at once, on all processes alike, else 0. */
int ermine_poll(ermine_radiation* radiation, int* ready);
/** Takes over the oldest solution submitted and not waited for. */
int ermine_wait(ermine_radiation* radiation);
/** Forgets all that was submitted and not waited for; updates keep their numbers. */
int ermine_cancel(ermine_radiation* radiation);
/** Solutions submitted and not waited for. Not collective. */
int ermine_pending(ermine_radiation* radiation, int* count);

/** Of the solution taken over last: an ermine_quantity of each cell. Not collective, as all that
 * follow but save and load. */
int ermine_get(ermine_radiation* radiation, int quantity, double* values);
int ermine_get_float(ermine_radiation* radiation, int quantity, float* values);
/** An ermine_wall_quantity of the faces that this process's cells have on a side of the domain:
 * shape[0] x shape[1] values of ermine_wall_shape(), the lower axis fastest; none where either is
 * 0. */
int ermine_get_wall(ermine_radiation* radiation, int quantity, int face, double* values);
int ermine_get_wall_float(ermine_radiation* radiation, int quantity, int face, float* values);
int ermine_wall_shape(ermine_radiation* radiation, int face, int64_t shape[2]);

/** Of the solution taken over last; the same on all processes. */
int ermine_get_balance(ermine_radiation* radiation, ermine_balance* balance);
int ermine_get_statistics(ermine_radiation* radiation, ermine_statistics* statistics);
/** Cells of the whole grid along x, y and z. */
int ermine_get_cells(ermine_radiation* radiation, int64_t cells[3]);
/** Face coordinates [m] along an axis (0, 1 or 2), one more than cells. */
int ermine_get_faces(ermine_radiation* radiation, int axis, double* faces);
int ermine_get_block(ermine_radiation* radiation, ermine_block* block);
/** What is solved, for people. The text is valid until the next call with this handle. */
int ermine_describe(ermine_radiation* radiation, const char** text);

/** Writes everything that the next steps depend on to one file; what is under way is waited for,
 * and kept. Collective. */
int ermine_save(ermine_radiation* radiation, const char* file);
/** Goes on from such a file bit for bit, on the same blocks or others. After grid, block, walls and
 * composition were set. Collective. */
int ermine_load(ermine_radiation* radiation, const char* file);

#ifdef __cplusplus
}
#endif

#endif
