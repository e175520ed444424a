#pragma once

#include "field.hpp"
#include "mesh.hpp"
#include "momentum.hpp"
#include "ranks.hpp"

#include <array>
#include <memory>
#include <vector>

namespace channel {

enum class Walls { no_slip, free_slip };

/// What drives the flow along z.
enum class Drive { bulk_velocity, pressure_gradient };

/// How the transforms of the CPU are planned. estimated: the same way in every run, and so the same
/// bits. measured: the fastest way found, which may differ from run to run.
enum class Plans { estimated, measured };

/// The problem without units: lengths over the half height h, velocities over the bulk velocity U.
/// Temperatures in K.
struct FlowOptions {
  Mesh mesh;
  double viscosity = 1;    ///< 1 / Re, Re = U h / nu
  double diffusivity = 1;  ///< 1 / (Re Pr)
  Walls walls = Walls::no_slip;
  Drive drive = Drive::bulk_velocity;
  double force = 0;  ///< of Drive::pressure_gradient
  Plans plans = Plans::estimated;
  double t_low = 0, t_high = 0;  ///< of the walls [K]
};

/// Means over both walls and time: gradients into the fluid, and the driving force.
struct WallBalance {
  double w_low = 0, w_high = 0;
  double t_low = 0, t_high = 0;
  double force = 0;
};

/// Sums over wall-parallel planes, of one quantity after the other: sums[quantity * nx + i].
using PlaneSums = std::vector<double>;

/// The flow as it lies in the memory of one backend. Arrays have Layout with all halos.
class Flow {
 public:
  virtual ~Flow() = default;

  virtual const FlowOptions& options() const = 0;
  virtual const Ranks& ranks() const = 0;
  virtual Layout layout() const = 0;
  virtual bool on_device() const = 0;

  virtual void step(double dt) = 0;
  /// Makes what was put into fields() free of divergence, and fills the halos.
  virtual void project() = 0;
  /// Halos of fields that were put in as they are.
  virtual void fill_halos() = 0;
  /// What radiation takes away; arrays of this memory.
  virtual void set_loss(const HeatLoss& loss) = 0;

  virtual Fields<double> fields() = 0;
  /// The state a step leaves behind, of the last step.
  virtual WallBalance walls() = 0;
  /// Integrals over time since the last call of clear_walls(); to be kept in restart files.
  virtual std::array<double, 5> wall_integrals() = 0;
  virtual void set_wall_integrals(const std::array<double, 5>& integrals) = 0;

  /// Largest sum of velocities over widths, over all cells [U/h]; infinite if anything is not
  /// finite.
  virtual double courant_rate() = 0;
  virtual double largest_divergence() = 0;
  virtual PlaneSums velocity_sums() = 0;
  virtual PlaneSums radiation_sums(const double* temperature, const double* source,
                                   const double* emission, const double* absorption,
                                   const double* error) = 0;
  virtual double mean_loss(const double* base) = 0;  ///< mean over the volume
  /// Heat that radiation took in the last step [K], mean over the volume, with implicit emission.
  virtual double lost() = 0;
  /// base = source - slope T.
  virtual void linearise(const double* source, const double* slope, const double* temperature,
                         double* base) = 0;

  virtual std::shared_ptr<double> allocate() = 0;  ///< zeros, of the size of a field
  virtual void copy(double* to, const double* from) = 0;
  /// A plane with its halos, or a whole field; to and from memory of the host.
  virtual void read(double* host, const double* field, std::ptrdiff_t first,
                    std::ptrdiff_t count) = 0;
  virtual void write(const double* host, double* field) = 0;
  virtual void wait() = 0;
};

std::unique_ptr<Flow> make_host_flow(const FlowOptions& options, const Ranks& ranks);
/// Throws where there is no GPU.
std::unique_ptr<Flow> make_device_flow(const FlowOptions& options);

}  // namespace channel
