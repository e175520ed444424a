#pragma once

#include <ermine/ermine.h>

#include "cartesian_mesh.hpp"
#include "composition.hpp"
#include "radiationModel.H"
#include "wall_sides.hpp"

#include <array>
#include <deque>
#include <memory>
#include <vector>

namespace Foam {
namespace radiation {

/// Radiation by ermine's Monte Carlo, as a radiation model of OpenFOAM:
///
///   radiation       on;
///   radiationModel  ermine;
///   ermineCoeffs
///   {
///       case        "constant/radiation.toml";        // gas, rays, seed; see docs/formats/case.md
///       set         ("solver.rays_per_cell=256");     // optional: as after `ermine run --set`
///       emissivity  0.8;                              // of patches that are not named below
///       patches     { floor { emissivity 0.3; reflection specular; } }
///       composition (H2O CO2);                       // optional: as the thermo package has them
///       soot        fv;                              // optional: a field of volume fractions
///   }
///
/// The heat source of the gas is Ru - Rp T^4: Ru is absorption [W/m3], Rp T^4 emission, which so
/// follows the temperature until the next solution. `qr` [W/m2] at walls is positive where they
/// gain heat, as fvDOM has it. One update per time step at most.
class ErmineModel : public radiationModel {
 public:
  TypeName("ermine");

  explicit ErmineModel(const volScalarField& T);
  ErmineModel(const dictionary& dict, const volScalarField& T);
  ~ErmineModel() override = default;

  void calculate() override;
  bool read() override;
  tmp<volScalarField> Rp() const override;
  tmp<volScalarField::Internal> Ru() const override;
  label nBands() const override { return 1; }

 private:
  struct Destroy {
    void operator()(ermine_radiation* radiation) const;
  };

  void start();
  void create();
  void set_grid();
  void set_walls();
  bool update_is_due() const;
  void count(const ermine_statistics& statistics);
  void check(int status) const;
  void take_over();
  void get(int quantity, volScalarField& field);

  volScalarField source_;    ///< ermine's Q = emission - absorption
  volScalarField error_;     ///< its standard error
  volScalarField absorbed_;  ///< Ru
  volScalarField emitted_;   ///< Rp
  volScalarField qr_;
  std::unique_ptr<ermineFoam::CartesianMesh> grid_;
  std::unique_ptr<ermineFoam::WallSides> sides_;
  std::unique_ptr<ermineFoam::Composition> composition_;
  std::unique_ptr<ermine_radiation, Destroy> radiation_handle_;
  std::array<std::vector<double>, 6> wall_temperature_;  ///< as ermine has it
  /// Temperatures of the solution at hand and of those under way.
  std::deque<std::vector<double>> submitted_;
  label updates_ = 0;
  label steps_ = 0;
  label update_step_ = 0;  ///< step of the last update
  label interval_ = 0;     ///< steps between updates; 0: not known yet
  label last_step_ = -1;
};

}  // namespace radiation
}  // namespace Foam
