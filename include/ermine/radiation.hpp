#pragma once

#include <ermine/case.hpp>
#include <ermine/communicator.hpp>
#include <ermine/coupling.hpp>
#include <ermine/energy_balance.hpp>

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ermine {

/// Radiation as a flow solver holds it between its time steps:
///
///   ermine::Radiation radiation("radiation.toml", {}, communicator);
///   radiation.set_grid(axes);                        // once, if the file has none
///   radiation.set_block({.begin = lo, .end = hi});   // cells of this process
///   for (;;) {                                       // time steps
///     radiation.advance(temperature);                // submits, and takes over what is due
///     radiation.get(Quantity::source, q);            // energy equation: - q
///   }
///
/// All processes of the communicator make the same calls in the same order, from one thread, unless
/// said otherwise. What goes wrong on one of them is thrown on all. Arrays are of this process,
/// as its Block has them, float or double, in memory of the host or of a GPU (where calls wait for
/// the default stream, not for streams that do not wait for it). Rays depend on the
/// seed, the number of the update and the cell, not on processes, threads or GPUs: so do results.
class Radiation {
 public:
  /// A case without temperature; `coupling` stands in its text under [coupling].
  explicit Radiation(CoupledCase problem, Communicator communicator = {});
  explicit Radiation(const std::filesystem::path& case_file,
                     const std::vector<std::string>& overrides = {},
                     Communicator communicator = {});
  Radiation(Radiation&&) noexcept;
  Radiation& operator=(Radiation&&) noexcept;
  ~Radiation();  ///< cancels what is under way; of this process alone

  /// The problem, changed between updates. Grid and block: before the first one only.
  void set_grid(std::array<Axis, 3> axes);
  /// Blocks of all processes must cover the grid, each cell once. Without a call: slabs across the
  /// last axis with enough cells, of equal thickness but for one cell.
  void set_block(const Block& block);
  void set_scaling(const Scaling& scaling);
  /// The same on all processes; fields of the whole side.
  void set_wall(Face face, Wall wall);
  /// Of a gas mixture: mole fraction of a species of it, everywhere or in the cells of this
  /// process.
  void set_composition(Species species, double mole_fraction);
  void set_composition(Species species, const float* mole_fraction);
  void set_composition(Species species, const double* mole_fraction);
  /// Of a gas with soot: its volume fraction.
  void set_soot(double volume_fraction);
  void set_soot(const float* volume_fraction);
  void set_soot(const double* volume_fraction);
  /// Of a class of particles that the case has: what it absorbs or scatters [1/m].
  void set_particles(const std::string& name, ParticleProperty property, double coefficient);
  void set_particles(const std::string& name, ParticleProperty property, const float* coefficient);
  void set_particles(const std::string& name, ParticleProperty property, const double* coefficient);
  /// Grey gas: absorption coefficient [1/m].
  void set_absorption(double coefficient);
  void set_absorption(const float* coefficient);
  void set_absorption(const double* coefficient);

  /// One flow step: submits the temperature if an update is due, then takes over the solution that
  /// is due. At the first step that is the one just submitted.
  void advance(const float* temperature);
  void advance(const double* temperature);

  /// The same by hand. submit() copies the temperature and returns; solutions come in the order in
  /// which they were submitted. poll(): whether wait() would return at once, on all processes
  /// alike.
  void submit(const float* temperature);
  void submit(const double* temperature);
  bool poll();
  void wait();
  /// Forgets all that was submitted and not waited for; the updates keep their numbers. Updates
  /// that are differences begin anew.
  void cancel();
  int pending() const;  ///< solutions submitted and not waited for
  /// `interrupts` is called some twenty times a second while this process waits in advance(),
  /// wait(), save() or load(). Where it returns true, they throw Interrupted; what was to be waited
  /// for stays pending.
  void set_interrupt(std::function<bool()> interrupts);

  /// Of the solution taken over last. Not collective.
  void get(Quantity quantity, float* values) const;
  void get(Quantity quantity, double* values) const;
  /// Of the faces of this process's cells on a side of the domain: lower axis fastest, as
  /// wall_shape() says; nothing where it has none.
  void get(WallQuantity quantity, Face face, float* values) const;
  void get(WallQuantity quantity, Face face, double* values) const;
  std::array<std::int64_t, 2> wall_shape(Face face) const;
  /// Heat lost by gas and walls of the whole grid [W], not scaled. The same on all processes.
  EnergyBalance balance() const;

  /// For bindings to other languages; not collective. Extents of the array that the next call is
  /// given, fastest axis first, ghost layers included: that call refuses others, on all processes.
  void expect_shape(const std::array<std::int64_t, 3>& extents);
  void set_language(Language language);

  /// Not collective.
  const CouplingStatistics& statistics() const;
  const Grid& grid() const;
  const Block& block() const;
  const Communicator& communicator() const;
  /// What is solved, with block and communicator: for people, before memory is taken.
  std::string describe() const;

  /// Everything that the next steps depend on, in one file: a run that loads it goes on bit for bit
  /// as if it had never stopped, on the same blocks or others. What is under way is waited for,
  /// and kept. Load: after grid, block, walls and composition were set; a damaged file, and one of
  /// another grid, gas, wall or seed, is refused.
  void save(const std::filesystem::path& file);
  void load(const std::filesystem::path& file);
  /// The same as bytes, to be kept within another file: given to the first process, wanted by all.
  std::string save_state();
  void load_state(std::span<const char> bytes);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace ermine
