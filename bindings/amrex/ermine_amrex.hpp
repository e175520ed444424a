#pragma once

// Radiation in a code on AMReX, on top of ermine's C interface. Header only; link ermine::c.

#include <ermine/ermine.h>

#include <AMReX_BoxArray.H>
#include <AMReX_DistributionMapping.H>
#include <AMReX_Geometry.H>
#include <AMReX_MultiFab.H>
#include <AMReX_ParallelDescriptor.H>
#include <AMReX_Vector.H>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ermine_amrex {

/// How cells of a level lie to those of the level of radiation: `coarser` of them in one of its
/// cells, or `finer` of its cells in one of them; one of the two is 1 along each axis.
struct Ratio {
  std::array<int, 3> coarser{1, 1, 1};
  std::array<int, 3> finer{1, 1, 1};
};

/// i / ratio, rounded down below zero, too.
AMREX_GPU_HOST_DEVICE inline int coarse_cell(int i, int ratio) {
  return i >= 0 ? i / ratio : -((ratio - 1 - i) / ratio);
}

/// Means over the cells of `box`, on the level of radiation, of values on another one; values of
/// coarser cells are kept in all cells within them.
inline void average(amrex::Box const& box, Ratio const& ratio,
                    amrex::Array4<amrex::Real const> const& values,
                    amrex::Array4<amrex::Real> const& mean, int component) {
  amrex::ParallelFor(box, [=] AMREX_GPU_DEVICE(int i, int j, int k) noexcept {
    int const x = coarse_cell(i, ratio.finer[0]) * ratio.coarser[0];
    int const y = coarse_cell(j, ratio.finer[1]) * ratio.coarser[1];
    int const z = coarse_cell(k, ratio.finer[2]) * ratio.coarser[2];
    amrex::Real sum = 0;
    for (int c = 0; c < ratio.coarser[2]; ++c) {
      for (int b = 0; b < ratio.coarser[1]; ++b) {
        for (int a = 0; a < ratio.coarser[0]; ++a) sum += values(x + a, y + b, z + c);
      }
    }
    mean(i, j, k, component) =
        sum / static_cast<amrex::Real>(ratio.coarser[0] * ratio.coarser[1] * ratio.coarser[2]);
  });
}

/// Subtracts Q on the level of radiation from the source of the cells of `box` on another one.
inline void subtract(amrex::Box const& box, Ratio const& ratio,
                     amrex::Array4<amrex::Real const> const& q,
                     amrex::Array4<amrex::Real> const& source) {
  amrex::ParallelFor(box, [=] AMREX_GPU_DEVICE(int i, int j, int k) noexcept {
    int const x = coarse_cell(i, ratio.coarser[0]) * ratio.finer[0];
    int const y = coarse_cell(j, ratio.coarser[1]) * ratio.finer[1];
    int const z = coarse_cell(k, ratio.coarser[2]) * ratio.finer[2];
    amrex::Real sum = 0;
    for (int c = 0; c < ratio.finer[2]; ++c) {
      for (int b = 0; b < ratio.finer[1]; ++b) {
        for (int a = 0; a < ratio.finer[0]; ++a) sum += q(x + a, y + b, z + c);
      }
    }
    source(i, j, k) -=
        sum / static_cast<amrex::Real>(ratio.finer[0] * ratio.finer[1] * ratio.finer[2]);
  });
}

/// What a code has that is not in its geometry and boxes.
struct Options {
  /// Case file: gas, walls, rays, how often radiation is solved (docs/formats/case.md).
  std::string case_file = "radiation.toml";
  /// "key=value", as after `ermine run --set`.
  std::vector<std::string> overrides{};
  /// Level of AMR whose cells radiation is solved on, over the whole domain.
  int level = 0;
  /// Species that update() gets mole fractions of, of ERMINE_H2O, ..., and ERMINE_SOOT, by its
  /// volume fraction. The case names them as well. Other amounts are those of the case.
  std::vector<int> species{};
  double length = 1.0;  ///< [m] of the unit of length of the code; 0.01 for centimetres
  double source = 1.0;  ///< factor from W/m3 to what the code has; 10 for erg/(cm3 s)
};

/// One object for all levels, called once per time step, like the class Radiation of PeleRad:
///
///   ermine_amrex::Radiation rad(geom, grids, dmap, options);
///   for each level, for each MFIter:  rad.update(mfi, level, temperature, {X_h2o, X_co2});
///   rad.evaluateRad();
///   for each level, for each MFIter:  rad.calcRadSource(mfi, source, level);
///
/// Temperature and composition are averaged to the cells of one level (those of coarser levels are
/// kept in all its cells), on which ermine computes Q. Each cell of the code gets the Q of the cell
/// of that level around it, or the mean over those within it: heat is conserved. After a change of
/// grids, make a new object. Collective, except for what has an MFIter.
class Radiation {
 public:
  using Array = amrex::Array4<amrex::Real>;
  using ConstArray = amrex::Array4<amrex::Real const>;

  Radiation(amrex::Vector<amrex::Geometry> const& geom, amrex::Vector<amrex::BoxArray> const& grids,
            amrex::Vector<amrex::DistributionMapping> const& dmap, Options options)
      : options_(std::move(options)), geom_(geom), grids_(grids), dmap_(dmap) {
    if (options_.level < 0 || options_.level >= static_cast<int>(geom.size())) {
      amrex::Abort("ermine_amrex: Options::level is none of the levels of the geometry");
    }
    create();
    define();
  }
  ~Radiation() { ermine_destroy(radiation_); }
  Radiation(Radiation const&) = delete;
  Radiation& operator=(Radiation const&) = delete;

  /// Temperature [K] and amounts, in the order of Options::species, of the cells of one box, of
  /// which arrays have all, also where the iterator goes from tile to tile.
  void update(amrex::MFIter const& mfi, int level, ConstArray const& temperature,
              std::vector<ConstArray> const& amounts = {}) {
    if (amounts.size() != options_.species.size()) {
      amrex::Abort("ermine_amrex: update() gets not as many amounts as Options::species has");
    }
    // The first tile of a box does all of it: tiles may cut cells of the level of radiation.
    for (int axis = 0; axis < 3; ++axis) {
      if (mfi.tilebox().smallEnd(axis) != mfi.validbox().smallEnd(axis)) return;
    }
    amrex::Box const box = averages_[level].boxArray()[mfi.index()];
    Array const mean = averages_[level].array(mfi);
    average(box, ratio_to(level), temperature, mean, 0);
    for (std::size_t s = 0; s < amounts.size(); ++s) {
      average(box, ratio_to(level), amounts[s], mean, static_cast<int>(s) + 1);
    }
  }

  /// The same with the arguments of PeleRad, which have mole fractions here, for Options::species =
  /// {ERMINE_CO2, ERMINE_H2O, ERMINE_CO}. The pressure is that of the case.
  void updateSpecProp(amrex::MFIter const& mfi, ConstArray const& co2, ConstArray const& h2o,
                      ConstArray const& co, ConstArray const& temperature,
                      ConstArray const& /*pressure*/, int level) {
    update(mfi, level, temperature, {co2, h2o, co});
  }
  /// With soot: Options::species = {ERMINE_CO2, ERMINE_H2O, ERMINE_CO, ERMINE_SOOT}.
  void updateSpecProp(amrex::MFIter const& mfi, ConstArray const& co2, ConstArray const& h2o,
                      ConstArray const& co, ConstArray const& temperature,
                      ConstArray const& /*pressure*/, ConstArray const& soot, int level) {
    update(mfi, level, temperature, {co2, h2o, co, soot});
  }

  /// One step of `coupling` in the case: takes a new solution where one is due.
  void evaluateRad() {
    for (std::size_t level = 0; level < grids_.size(); ++level) {
      // Finer levels come later: they are where coarser ones are, too.
      uniform_.ParallelCopy(averages_[level], 0, 0, components());
    }
    for (amrex::MFIter mfi(uniform_); mfi.isValid(); ++mfi) {  // one box
      const amrex::Real* values = uniform_.const_array(mfi).p;
      const auto cells = static_cast<std::int64_t>(mfi.validbox().numPts());
      for (std::size_t s = 0; s < options_.species.size(); ++s) {
        check(set_amount(options_.species[s], values + (static_cast<std::int64_t>(s) + 1) * cells));
      }
      check(advance(values));
      check(get(q_.array(mfi).p));
    }
    for (std::size_t level = 0; level < grids_.size(); ++level) {
      sources_[level].ParallelCopy(q_, 0, 0, 1);
    }
  }

  /// Adds what the cells of a box, or of a tile, gain by radiation, -Q, in the units of the code.
  void calcRadSource(amrex::MFIter const& mfi, Array const& source, int level) const {
    subtract(mfi.tilebox(), ratio_to(level), sources_[level].const_array(mfi), source);
  }

  /// For all else: walls, statistics, energy balance, checkpoints (ermine_save(), ermine_load()).
  ermine_radiation* handle() const { return radiation_; }

 private:
  Ratio ratio_to(int level) const {
    amrex::Box const own = geom_[options_.level].Domain();
    amrex::Box const other = geom_[level].Domain();
    Ratio ratio;
    for (int axis = 0; axis < 3; ++axis) {
      if (other.length(axis) > own.length(axis)) {
        ratio.coarser[axis] = other.length(axis) / own.length(axis);
      } else {
        ratio.finer[axis] = own.length(axis) / other.length(axis);
      }
    }
    return ratio;
  }

  int components() const { return 1 + static_cast<int>(options_.species.size()); }

  void check(int status) const {
    if (status != ERMINE_OK) amrex::Abort(std::string("ermine: ") + ermine_last_error(radiation_));
  }

  void create() {
    std::vector<const char*> overrides;
    for (std::string const& text : options_.overrides) overrides.push_back(text.c_str());
    int comm = ERMINE_THIS_PROCESS;
#ifdef AMREX_USE_MPI
    comm = MPI_Comm_c2f(amrex::ParallelDescriptor::Communicator());
#endif
    check(ermine_create(options_.case_file.c_str(), overrides.data(),
                        static_cast<int>(overrides.size()), comm, &radiation_));
    amrex::Geometry const& geom = geom_[options_.level];
    std::array<std::vector<double>, 3> faces;
    std::array<ermine_axis, 3> axes{};
    for (int axis = 0; axis < 3; ++axis) {
      const int cells = geom.Domain().length(axis);
      const double from = options_.length * geom.ProbLo(axis);
      const double to = options_.length * geom.ProbHi(axis);
      for (int i = 0; i <= cells; ++i) faces[axis].push_back(from + (to - from) * i / cells);
      axes[axis] = {faces[axis].data(), cells, geom.isPeriodic(axis) ? 1 : 0};
    }
    check(ermine_set_grid(radiation_, axes.data()));
    check(ermine_set_scaling(radiation_, 0.0, 1.0, options_.source));
  }

  /// Slabs of the whole domain, one for each process, since ermine takes one block of each.
  void define() {
    amrex::Box const domain = geom_[options_.level].Domain();
    const int processes = amrex::ParallelDescriptor::NProcs();
    int axis = 2;
    while (axis > 0 && domain.length(axis) < processes) --axis;
    const int planes = domain.length(axis);
    if (planes < processes) {
      amrex::Abort(
          "ermine_amrex: there are more processes than cells along any axis of the level "
          "of radiation, take fewer or a finer level");
    }
    amrex::BoxList slabs;
    amrex::Vector<int> owners;
    ermine_block block{};
    for (int process = 0; process < processes; ++process) {
      const int begin = static_cast<int>(std::int64_t{planes} * process / processes);
      const int end = static_cast<int>(std::int64_t{planes} * (process + 1) / processes);
      if (process == amrex::ParallelDescriptor::MyProc()) {
        for (int a = 0; a < 3; ++a) block.end[a] = domain.length(a);
        block.begin[axis] = begin;
        block.end[axis] = end;
      }
      amrex::Box slab = domain;
      slab.setSmall(axis, domain.smallEnd(axis) + begin);
      slab.setBig(axis, domain.smallEnd(axis) + end - 1);
      slabs.push_back(slab);
      owners.push_back(process);
    }
    check(ermine_set_block(radiation_, &block));
    amrex::MFInfo in_host_memory;
    in_host_memory.SetArena(amrex::The_Pinned_Arena());
    amrex::BoxArray const boxes(std::move(slabs));
    amrex::DistributionMapping const owned(owners);
    uniform_.define(boxes, owned, components(), 0, in_host_memory);
    q_.define(boxes, owned, 1, 0, in_host_memory);
    averages_.resize(grids_.size());
    sources_.resize(grids_.size());
    for (std::size_t level = 0; level < grids_.size(); ++level) {
      Ratio const ratio = ratio_to(static_cast<int>(level));
      amrex::BoxArray at_level = grids_[level];
      at_level.refine(amrex::IntVect(ratio.finer[0], ratio.finer[1], ratio.finer[2]));
      at_level.coarsen(amrex::IntVect(ratio.coarser[0], ratio.coarser[1], ratio.coarser[2]));
      averages_[level].define(at_level, dmap_[level], components(), 0);
      sources_[level].define(at_level, dmap_[level], 1, 0);
    }
  }

  // AMReX is built with numbers of one precision, double or float.
  int set_amount(int species, const double* values) {
    return ermine_set_composition_field(radiation_, species, values);
  }
  int set_amount(int species, const float* values) {
    return ermine_set_composition_field_float(radiation_, species, values);
  }
  int advance(const double* temperature) { return ermine_advance(radiation_, temperature); }
  int advance(const float* temperature) { return ermine_advance_float(radiation_, temperature); }
  int get(double* values) { return ermine_get(radiation_, ERMINE_SOURCE, values); }
  int get(float* values) { return ermine_get_float(radiation_, ERMINE_SOURCE, values); }

  Options options_;
  amrex::Vector<amrex::Geometry> geom_;
  amrex::Vector<amrex::BoxArray> grids_;
  amrex::Vector<amrex::DistributionMapping> dmap_;
  ermine_radiation* radiation_ = nullptr;
  amrex::MultiFab uniform_;                  ///< temperature and amounts, in slabs
  amrex::MultiFab q_;                        ///< Q, in slabs
  amrex::Vector<amrex::MultiFab> averages_;  ///< of the boxes of each level, on that of radiation
  amrex::Vector<amrex::MultiFab> sources_;   ///< Q likewise
};

}  // namespace ermine_amrex
