#include "ermine_model.hpp"

#include "addToRunTimeSelectionTable.H"

#ifdef ERMINE_OPENFOAM_MPI
#include <mpi.h>
#endif

namespace Foam {
namespace radiation {
namespace {

const dimensionSet per_volume = dimPower / dimVolume;

/// A field that is written with the time, and read again at a restart.
volScalarField new_field(const char* name, const fvMesh& mesh, const dimensionSet& dimensions) {
  return volScalarField(
      IOobject(name, mesh.time().timeName(), mesh, IOobject::READ_IF_PRESENT, IOobject::AUTO_WRITE),
      mesh, dimensionedScalar(dimensions, Zero));
}

int communicator() {
  if (!Pstream::parRun()) return ERMINE_THIS_PROCESS;
#ifdef ERMINE_OPENFOAM_MPI
  return MPI_Comm_c2f(MPI_COMM_WORLD);
#else
  FatalErrorInFunction << "the radiation model 'ermine' was built without MPI" << nl
                       << "Build ermine with ERMINE_USE_MPI=ON, or run on one process"
                       << exit(FatalError);
  return ERMINE_THIS_PROCESS;
#endif
}

}  // namespace

defineTypeNameAndDebug(ErmineModel, 0);
addToRadiationRunTimeSelectionTables(ErmineModel);

ErmineModel::ErmineModel(const volScalarField& T)
    : radiationModel(typeName, T),
      source_(new_field("ermineQ", mesh_, per_volume)),
      error_(new_field("ermineQError", mesh_, per_volume)),
      absorbed_(new_field("ermineRu", mesh_, per_volume)),
      emitted_(new_field("ermineRp", mesh_, per_volume / pow4(dimTemperature))),
      qr_(new_field("qr", mesh_, dimPower / dimArea)) {
  if (radiation_) start();
}

ErmineModel::ErmineModel(const dictionary& dict, const volScalarField& T)
    : radiationModel(typeName, dict, T),
      source_(new_field("ermineQ", mesh_, per_volume)),
      error_(new_field("ermineQError", mesh_, per_volume)),
      absorbed_(new_field("ermineRu", mesh_, per_volume)),
      emitted_(new_field("ermineRp", mesh_, per_volume / pow4(dimTemperature))),
      qr_(new_field("qr", mesh_, dimPower / dimArea)) {
  if (radiation_) start();
}

void ErmineModel::Destroy::operator()(ermine_radiation* radiation) const {
  ermine_destroy(radiation);
}

void ErmineModel::check(int status) const {
  if (status == ERMINE_OK) return;
  FatalErrorInFunction << "ermine: " << ermine_last_error(radiation_handle_.get())
                       << exit(FatalError);
}

void ErmineModel::start() {
  grid_.reset(new ermineFoam::CartesianMesh(mesh_));
  sides_.reset(new ermineFoam::WallSides(mesh_, *grid_, coeffs_));
  composition_.reset(new ermineFoam::Composition(mesh_, *grid_, coeffs_));
  create();
  set_grid();
  set_walls();  // which the description names
  const char* text = nullptr;
  check(ermine_describe(radiation_handle_.get(), &text));
  Info << "Radiation by ermine " << ermine_version() << ": " << text << endl;
}

void ErmineModel::create() {
  fileName file = coeffs_.get<fileName>("case").expand();
  if (!file.isAbsolute()) file = time_.globalPath() / file;
  stringList given = coeffs_.getOrDefault<stringList>("set", stringList());
  std::vector<const char*> overrides;
  for (const string& one : given) overrides.push_back(one.c_str());
  // Rp T^4 goes with the temperature already.
  overrides.push_back("coupling.extrapolate=false");
  ermine_radiation* created = nullptr;
  const int status = ermine_create(file.c_str(), overrides.data(), int(overrides.size()),
                                   communicator(), &created);
  radiation_handle_.reset(created);
  check(status);
}

void ErmineModel::set_grid() {
  ermine_axis axes[3];
  for (int axis = 0; axis < 3; ++axis) {
    axes[axis] = {grid_->planes(axis).data(), grid_->cells(axis), sides_->periodic(axis) ? 1 : 0};
  }
  check(ermine_set_grid(radiation_handle_.get(), axes));
  check(ermine_set_block(radiation_handle_.get(), &grid_->block()));
}

void ErmineModel::set_walls() {
  for (int side = 0; side < 6; ++side) {
    if (sides_->periodic(side / 2)) continue;
    std::vector<double> temperature = sides_->temperature(side, T_);
    if (temperature == wall_temperature_[side]) continue;
    const std::vector<double>& emissivity = sides_->emissivity(side);
    const ermine_wall wall = {temperature.data(), std::int64_t(temperature.size()),
                              emissivity.data(), std::int64_t(emissivity.size()),
                              sides_->reflection(side)};
    check(ermine_set_wall(radiation_handle_.get(), side, &wall));
    wall_temperature_[side] = std::move(temperature);
  }
}

void ErmineModel::calculate() {
  // Outer iterations within a time step keep its solution: new rays would keep them from
  // converging.
  if (time_.timeIndex() == last_step_) return;
  last_step_ = time_.timeIndex();
  if (!radiation_handle_) start();
  if (mesh_.changing()) {
    FatalErrorInFunction << "the mesh has changed, which the radiation model 'ermine' cannot follow"
                         << nl << "Keep the mesh as it is, or take another radiation model"
                         << exit(FatalError);
  }
  if (update_is_due()) {  // each change costs a new set-up of gas and rays
    set_walls();
    check(composition_->give(radiation_handle_.get()));
  }
  std::vector<double> temperature;
  temperature.reserve(grid_->order().size() + 1);  // not null, without cells either
  for (const label cell : grid_->order()) temperature.push_back(T_[cell]);
  ermine_statistics statistics{};
  statistics.size = sizeof statistics;
  int pending = 0;
  check(ermine_advance(radiation_handle_.get(), temperature.data()));
  check(ermine_get_statistics(radiation_handle_.get(), &statistics));
  check(ermine_pending(radiation_handle_.get(), &pending));
  if (statistics.updates > updates_) submitted_.push_back(std::move(temperature));
  count(statistics);
  while (submitted_.size() > std::size_t(pending) + 1) submitted_.pop_front();
  take_over();
  Info << "ermine: update " << updates_ - pending << ", standard error "
       << 100 * statistics.relative_error << " % of Q (root mean squares), waited for "
       << statistics.seconds_waiting << " s in all" << endl;
}

/// Whether the next step takes a new solution, as far as steps so far have shown.
bool ErmineModel::update_is_due() const {
  return interval_ == 0 || steps_ + 1 - update_step_ >= interval_;
}

void ErmineModel::count(const ermine_statistics& statistics) {
  steps_ = label(statistics.steps);
  if (statistics.updates > updates_) {
    if (updates_ > 0) interval_ = steps_ - update_step_;
    update_step_ = steps_;
  }
  updates_ = label(statistics.updates);
}

void ErmineModel::get(int quantity, volScalarField& field) {
  std::vector<double> values(grid_->order().size() + 1);
  check(ermine_get(radiation_handle_.get(), quantity, values.data()));
  for (std::size_t i = 0; i < grid_->order().size(); ++i) field[grid_->order()[i]] = values[i];
}

void ErmineModel::take_over() {
  get(ERMINE_SOURCE, source_);
  get(ERMINE_STANDARD_ERROR, error_);
  get(ERMINE_ABSORPTION, absorbed_);
  get(ERMINE_EMISSION, emitted_);
  // The temperature that this emission belongs to.
  const std::vector<double>& temperature = submitted_.front();
  for (std::size_t i = 0; i < temperature.size(); ++i) {
    emitted_[grid_->order()[i]] /= pow4(max(temperature[i], SMALL));
  }
  for (int side = 0; side < 6; ++side) {
    if (sides_->periodic(side / 2)) continue;
    std::int64_t shape[2] = {0, 0};
    check(ermine_wall_shape(radiation_handle_.get(), side, shape));
    std::vector<double> flux(shape[0] * shape[1] + 1);
    check(ermine_get_wall(radiation_handle_.get(), ERMINE_NET_FLUX, side, flux.data()));
    // ermine counts what walls lose.
    for (double& value : flux) value = -value;
    sides_->put(side, flux, qr_);
  }
}

bool ErmineModel::read() {
  if (!radiationModel::read()) return false;
  if (grid_) {
    sides_.reset(new ermineFoam::WallSides(mesh_, *grid_, coeffs_));
    composition_.reset(new ermineFoam::Composition(mesh_, *grid_, coeffs_));
  }
  for (std::vector<double>& known : wall_temperature_) known.clear();
  return true;
}

tmp<volScalarField> ErmineModel::Rp() const { return tmp<volScalarField>(emitted_); }

tmp<volScalarField::Internal> ErmineModel::Ru() const {
  return tmp<volScalarField::Internal>(absorbed_());
}

}  // namespace radiation
}  // namespace Foam
