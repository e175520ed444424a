// The radiation model 'ermine' in an OpenFOAM case: takes the temperatures of a file that
// `ermine run` wrote, and must find what stands in it. Without -reference: makes the model only.

#include "argList.H"
#include "basicSpecieMixture.H"
#include "fvCFD.H"
#include "radiationModel.H"
#include "reference.hpp"
#include "rhoThermo.H"

#include <cstdint>
#include <cstring>
#include <memory>

namespace {

int failures = 0;

/// Largest difference over the largest value, of all processes. Rays are the same: only sums and
/// powers may differ, by rounding.
void compare(const char* what, const std::vector<double>& found,
             const std::vector<double>& expected, double tolerance = 1e-9) {
  scalar difference = 0;
  scalar largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    difference = max(difference, mag(found[i] - expected[i]));
    largest = max(largest, mag(expected[i]));
  }
  reduce(difference, maxOp<scalar>());
  reduce(largest, maxOp<scalar>());
  const bool holds = largest > 0 && difference <= tolerance * largest;
  Info << what << ": largest " << largest << ", differs by " << difference
       << (holds ? "" : ", WRONG") << endl;
  if (!holds) ++failures;
}

std::string side_of(const vector& normal, int& axis) {
  axis = mag(normal.x()) > 0.5 ? 0 : mag(normal.y()) > 0.5 ? 1 : 2;
  return std::string(1, "xyz"[axis]) + (normal[axis] > 0 ? "_high" : "_low");
}

void set_temperature(const Reference& reference, volScalarField& T) {
  const fvMesh& mesh = T.mesh();
  const auto values = reference.read("/fields/temperature");
  forAll(T, cell) T[cell] = values[reference.cell(mesh.C()[cell])];
  forAll(mesh.boundary(), patch) {
    if (mesh.boundary()[patch].coupled()) continue;
    const vectorField normal(mesh.boundary()[patch].nf());
    forAll(normal, face) {
      int axis = 0;
      const auto walls = reference.read("/walls/" + side_of(normal[face], axis) + "/temperature");
      T.boundaryFieldRef()[patch][face] =
          walls[reference.face(axis, mesh.boundary()[patch].Cf()[face])];
    }
  }
}

/// Mass fractions of the thermo package that make the mole fractions of the file, the rest being
/// nitrogen and oxygen.
void set_composition(const Reference& reference, rhoThermo& thermo) {
  auto& mixture = dynamic_cast<basicSpecieMixture&>(thermo);
  const fvMesh& mesh = thermo.T().mesh();
  const auto water = reference.read("/fields/mole_fraction_H2O");
  const auto carbon_dioxide = reference.read("/fields/mole_fraction_CO2");
  forAll(mesh.C(), cell) {
    const std::size_t at = reference.cell(mesh.C()[cell]);
    const double rest = 1 - water[at] - carbon_dioxide[at];
    const HashTable<double> moles{
        {"H2O", water[at]}, {"CO2", carbon_dioxide[at]}, {"N2", 0.79 * rest}, {"O2", 0.21 * rest}};
    double mass = 0;
    forAll(mixture.Y(), i) mass += moles[mixture.species()[i]] * mixture.W(i);
    forAll(mixture.Y(), i) {
      mixture.Y(i)[cell] = moles[mixture.species()[i]] * mixture.W(i) / mass;
    }
  }
}

volScalarField soot_of(const Reference& reference, const fvMesh& mesh) {
  volScalarField fv(IOobject("fv", mesh.time().timeName(), mesh), mesh,
                    dimensionedScalar(dimless, Zero));
  const auto values = reference.read("/fields/soot_volume_fraction");
  forAll(mesh.C(), cell) fv[cell] = values[reference.cell(mesh.C()[cell])];
  return fv;
}

void check_walls(const Reference& reference, const volScalarField& qr) {
  const fvMesh& mesh = qr.mesh();
  std::vector<double> found, expected;
  forAll(mesh.boundary(), patch) {
    if (mesh.boundary()[patch].coupled()) continue;
    const vectorField normal(mesh.boundary()[patch].nf());
    forAll(normal, face) {
      int axis = 0;
      const auto flux = reference.read("/walls/" + side_of(normal[face], axis) + "/net_flux");
      found.push_back(qr.boundaryField()[patch][face]);
      // OpenFOAM's sign: what walls gain.
      expected.push_back(-flux[reference.face(axis, mesh.boundary()[patch].Cf()[face])]);
    }
  }
  compare("qr", found, expected);
}

/// A number that depends on each bit of a field and on its place, and not on the order of the sum.
void print_checksum(const char* what, const volScalarField& field,
                    const std::vector<std::size_t>& order) {
  std::uint64_t checksum = 0;
  forAll(field, cell) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &field[cell], sizeof bits);
    checksum += bits * (2 * std::uint64_t(order[cell]) + 1);
  }
  reduce(checksum, sumOp<std::uint64_t>());
  Info << "checksum of " << what << ": " << checksum << endl;
}

void check_cells(const char* what, const std::vector<double>& expected, const scalarField& found) {
  compare(what, std::vector<double>(found.begin(), found.end()), expected);
}

/// One step of rho de/dt = Sh, implicitly, must change the energy as ermine's Q says.
void check_energy(const radiation::radiationModel& radiation, rhoThermo& thermo,
                  const std::vector<double>& q) {
  const fvMesh& mesh = thermo.T().mesh();
  volScalarField& he = thermo.he();
  he = thermo.he(thermo.p(), thermo.T());
  const volScalarField before(he);
  const volScalarField rho(thermo.rho());
  const volScalarField slope(4.0 * radiation.Rp() * pow3(thermo.T()) / thermo.Cpv());
  fvScalarMatrix equation(fvm::ddt(rho, he) == radiation.Sh(thermo, he));
  equation.solve();
  const scalar dt = mesh.time().deltaTValue();
  std::vector<double> gain;
  for (label cell = 0; cell < mesh.nCells(); ++cell) {
    gain.push_back((he[cell] - before[cell]) * (rho[cell] / dt + slope[cell]));
  }
  std::vector<double> loss(q);
  for (double& value : loss) value = -value;
  compare("energy gained", gain, loss);
}

/// Emission follows T^4 from the temperature of its own solution, which comes a step late: in grey
/// gas Rp stays what it is, whatever the temperature does.
void check_lag(radiation::radiationModel& model, volScalarField& T, Time& time) {
  const scalarField first(model.Rp()().primitiveField());
  for (int step = 0; step < 3; ++step) {
    ++time;
    T *= 1.1;
    model.correct();
    const scalarField now(model.Rp()().primitiveField());
    // ermine keeps emission in single precision.
    compare("Rp later", std::vector<double>(now.begin(), now.end()),
            std::vector<double>(first.begin(), first.end()), 1e-6);
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  argList::addOption("reference", "file", "result of ermine run");
  argList::addBoolOption("composition",
                         "the gas is that of the thermo package, with a field of soot");
  argList::addBoolOption("grey", "the gas is grey: also check later steps");
  argList::noFunctionObjects();
  const argList args(argc, argv);
  Time runTime(Time::controlDictName, args);
  const fvMesh mesh(
      IOobject(fvMesh::defaultRegion, runTime.timeName(), runTime, IOobject::MUST_READ));
  autoPtr<rhoThermo> thermo(rhoThermo::New(mesh));
  std::unique_ptr<Reference> reference;
  if (args.found("reference")) {
    reference.reset(new Reference(args["reference"]));
    set_temperature(*reference, thermo->T());
  }
  std::unique_ptr<volScalarField> soot;
  if (args.found("composition")) {
    set_composition(*reference, *thermo);
    soot.reset(new volScalarField(soot_of(*reference, mesh)));
  }
  autoPtr<radiation::radiationModel> model(radiation::radiationModel::New(thermo->T()));
  Info << "model " << model->type() << endl;
  if (!reference) return 0;

  ++runTime;
  // As outer iterations do, which keep the solution of their step.
  for (int iteration = 0; iteration < 3; ++iteration) model->correct();
  std::vector<std::size_t> order;
  forAll(mesh.C(), cell) order.push_back(reference->cell(mesh.C()[cell]));
  const auto in_order = [&](const char* dataset) {
    const auto values = reference->read(dataset);
    std::vector<double> ordered;
    for (const std::size_t at : order) ordered.push_back(values[at]);
    return ordered;
  };
  const auto q = in_order("/fields/Q");
  const auto& T = thermo->T().primitiveField();
  const scalarField Rp(model->Rp()().primitiveField());
  const scalarField Ru(model->Ru()().field());
  check_cells("ermineQ", q, mesh.lookupObject<volScalarField>("ermineQ"));
  print_checksum("ermineQ", mesh.lookupObject<volScalarField>("ermineQ"), order);
  check_cells("ermineQError", in_order("/fields/Q_standard_error"),
              mesh.lookupObject<volScalarField>("ermineQError"));
  check_cells("Ru", in_order("/fields/absorption"), Ru);
  check_cells("Rp T^4", in_order("/fields/emission"), scalarField(Rp * pow4(T)));
  check_walls(*reference, mesh.lookupObject<volScalarField>("qr"));
  check_energy(*model, *thermo, q);
  runTime.writeNow();
  if (args.found("grey")) check_lag(*model, thermo->T(), runTime);
  // A value returned from here would be lost: argList's destructor ends the program with 0.
  if (failures > 0) FatalErrorInFunction << failures << " differ" << exit(FatalError);
  return 0;
}
