#include <ermine/radiation.hpp>

#include "coupling/radiation_state.hpp"

#include <utility>

namespace ermine {

Radiation::Radiation(CoupledCase problem, Communicator communicator)
    : state_(std::make_unique<State>(std::move(problem), std::move(communicator))) {}

Radiation::Radiation(const std::filesystem::path& case_file,
                     const std::vector<std::string>& overrides, Communicator communicator) {
  std::optional<CoupledCase> problem;
  together(*communicator.ranks(), [&] { problem = read_coupled_case(case_file, overrides); });
  state_ = std::make_unique<State>(std::move(*problem), std::move(communicator));
}

Radiation::Radiation(Radiation&&) noexcept = default;
Radiation& Radiation::operator=(Radiation&&) noexcept = default;
Radiation::~Radiation() = default;

void Radiation::set_grid(std::array<Axis, 3> axes) { state_->set_grid(std::move(axes)); }
void Radiation::set_block(const Block& block) { state_->set_block(block); }
void Radiation::set_scaling(const Scaling& scaling) { state_->set_scaling(scaling); }
void Radiation::set_wall(Face face, Wall wall) { state_->set_wall(face, std::move(wall)); }
void Radiation::set_composition(Species species, double mole_fraction) {
  state_->set_composition(species, {mole_fraction});
}
void Radiation::set_composition(Species species, const float* mole_fraction) {
  state_->set_composition(species, state_->field(mole_fraction));
}
void Radiation::set_composition(Species species, const double* mole_fraction) {
  state_->set_composition(species, state_->field(mole_fraction));
}
void Radiation::set_absorption(double coefficient) { state_->set_absorption({coefficient}); }
void Radiation::set_absorption(const float* coefficient) {
  state_->set_absorption(state_->field(coefficient));
}
void Radiation::set_absorption(const double* coefficient) {
  state_->set_absorption(state_->field(coefficient));
}
void Radiation::advance(const float* temperature) { state_->advance(temperature); }
void Radiation::advance(const double* temperature) { state_->advance(temperature); }
void Radiation::submit(const float* temperature) { state_->submit(temperature); }
void Radiation::submit(const double* temperature) { state_->submit(temperature); }
bool Radiation::poll() { return state_->poll(); }
void Radiation::wait() { state_->wait(); }
void Radiation::cancel() { state_->cancel(); }
int Radiation::pending() const { return state_->pending(); }
void Radiation::get(Quantity quantity, float* values) const { state_->get(quantity, values); }
void Radiation::get(Quantity quantity, double* values) const { state_->get(quantity, values); }
void Radiation::get(WallQuantity quantity, Face face, float* values) const {
  state_->get(quantity, face, values);
}
void Radiation::get(WallQuantity quantity, Face face, double* values) const {
  state_->get(quantity, face, values);
}
std::array<std::int64_t, 2> Radiation::wall_shape(Face face) const {
  return state_->wall_shape(face);
}
const CouplingStatistics& Radiation::statistics() const { return state_->statistics(); }
const Grid& Radiation::grid() const { return state_->grid(); }
const Block& Radiation::block() const { return state_->block(); }
const Communicator& Radiation::communicator() const { return state_->communicator(); }
std::string Radiation::describe() const { return state_->describe(); }
void Radiation::save(const std::filesystem::path& file) { state_->save(file); }
void Radiation::load(const std::filesystem::path& file) { state_->load(file); }

}  // namespace ermine
