#include <ermine/radiation.hpp>

#include "core/fp_guard.hpp"
#include "coupling/radiation_state.hpp"

#include <utility>

namespace ermine {
namespace {

/// Access to a state, under a guard that lives as long as the expression.
template <class State>
struct GuardedState {
  FloatingPointGuard guard;
  State* state;

  State* operator->() const { return state; }
};
template <class State>
GuardedState<State> guarded(const std::unique_ptr<State>& state) {
  return {{}, state.get()};
}

}  // namespace

Radiation::Radiation(CoupledCase problem, Communicator communicator) {
  const FloatingPointGuard guard;
  state_ = std::make_unique<State>(std::move(problem), std::move(communicator));
}

Radiation::Radiation(const std::filesystem::path& case_file,
                     const std::vector<std::string>& overrides, Communicator communicator) {
  const FloatingPointGuard guard;
  std::optional<CoupledCase> problem;
  communicator.ranks()->enter("create");
  together(*communicator.ranks(), [&] { problem = read_coupled_case(case_file, overrides); });
  state_ = std::make_unique<State>(std::move(*problem), std::move(communicator));
}

Radiation::Radiation(Radiation&&) noexcept = default;
Radiation& Radiation::operator=(Radiation&&) noexcept = default;
Radiation::~Radiation() = default;

void Radiation::set_grid(std::array<Axis, 3> axes) { guarded(state_)->set_grid(std::move(axes)); }
void Radiation::set_block(const Block& block) { guarded(state_)->set_block(block); }
void Radiation::set_scaling(const Scaling& scaling) { guarded(state_)->set_scaling(scaling); }
void Radiation::set_wall(Face face, Wall wall) { guarded(state_)->set_wall(face, std::move(wall)); }
void Radiation::set_composition(Species species, double mole_fraction) {
  guarded(state_)->set_composition(species, {mole_fraction});
}
void Radiation::set_composition(Species species, const float* mole_fraction) {
  guarded(state_)->set_composition(species,
                                   guarded(state_)->field("set_composition", mole_fraction));
}
void Radiation::set_composition(Species species, const double* mole_fraction) {
  guarded(state_)->set_composition(species,
                                   guarded(state_)->field("set_composition", mole_fraction));
}
void Radiation::set_soot(double volume_fraction) { guarded(state_)->set_soot({volume_fraction}); }
void Radiation::set_soot(const float* volume_fraction) {
  guarded(state_)->set_soot(guarded(state_)->field("set_soot", volume_fraction));
}
void Radiation::set_soot(const double* volume_fraction) {
  guarded(state_)->set_soot(guarded(state_)->field("set_soot", volume_fraction));
}
void Radiation::set_particles(const std::string& name, ParticleProperty property,
                              double coefficient) {
  guarded(state_)->set_particles(name, property, {coefficient});
}
void Radiation::set_particles(const std::string& name, ParticleProperty property,
                              const float* coefficient) {
  guarded(state_)->set_particles(name, property,
                                 guarded(state_)->field("set_particles", coefficient));
}
void Radiation::set_particles(const std::string& name, ParticleProperty property,
                              const double* coefficient) {
  guarded(state_)->set_particles(name, property,
                                 guarded(state_)->field("set_particles", coefficient));
}
void Radiation::set_absorption(double coefficient) {
  guarded(state_)->set_absorption({coefficient});
}
void Radiation::set_absorption(const float* coefficient) {
  guarded(state_)->set_absorption(guarded(state_)->field("set_absorption", coefficient));
}
void Radiation::set_absorption(const double* coefficient) {
  guarded(state_)->set_absorption(guarded(state_)->field("set_absorption", coefficient));
}
void Radiation::advance(const float* temperature) { guarded(state_)->advance(temperature); }
void Radiation::advance(const double* temperature) { guarded(state_)->advance(temperature); }
void Radiation::submit(const float* temperature) { guarded(state_)->submit(temperature); }
void Radiation::submit(const double* temperature) { guarded(state_)->submit(temperature); }
bool Radiation::poll() { return guarded(state_)->poll(); }
void Radiation::wait() { guarded(state_)->wait(); }
void Radiation::cancel() { guarded(state_)->cancel(); }
void Radiation::set_interrupt(std::function<bool()> interrupts) {
  state_->set_interrupt(std::move(interrupts));
}
int Radiation::pending() const { return state_->pending(); }
void Radiation::get(Quantity quantity, float* values) const {
  guarded(state_)->get(quantity, values);
}
void Radiation::get(Quantity quantity, double* values) const {
  guarded(state_)->get(quantity, values);
}
void Radiation::get(WallQuantity quantity, Face face, float* values) const {
  guarded(state_)->get(quantity, face, values);
}
void Radiation::get(WallQuantity quantity, Face face, double* values) const {
  guarded(state_)->get(quantity, face, values);
}
std::array<std::int64_t, 2> Radiation::wall_shape(Face face) const {
  return guarded(state_)->wall_shape(face);
}
EnergyBalance Radiation::balance() const { return guarded(state_)->balance(); }
void Radiation::expect_shape(const std::array<std::int64_t, 3>& extents) {
  state_->expect_shape(extents);
}
void Radiation::set_language(Language language) { state_->set_language(language); }
const CouplingStatistics& Radiation::statistics() const { return state_->statistics(); }
const Grid& Radiation::grid() const { return state_->grid(); }
const Block& Radiation::block() const { return guarded(state_)->block(); }
const Communicator& Radiation::communicator() const { return state_->communicator(); }
std::string Radiation::describe() const { return guarded(state_)->describe(); }
void Radiation::save(const std::filesystem::path& file) { guarded(state_)->save(file); }
void Radiation::load(const std::filesystem::path& file) { guarded(state_)->load(file); }
std::string Radiation::save_state() { return guarded(state_)->saved(); }
void Radiation::load_state(std::span<const char> bytes) { guarded(state_)->load(bytes); }

}  // namespace ermine
