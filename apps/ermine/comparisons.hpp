#pragma once

#include "validation_cases.hpp"

#include <string>

namespace ermine::cli {

/// Whether slabs are compared with averages of the reference over cells, or with its values at
/// their centres.
///
/// Q is an average over each cell unless rays start at points, and so is the reference then. At
/// walls that differ from the gas by a jump the two are far apart: Q of cases 5 and 6 is within
/// 0.22 and 0.11 % of averages, and 0.36 and 3.1 % off the values at centres. In smooth gas, where
/// rays start at centres, Q with the mesh correction is closer to the average, too: 0.03 % in cases
/// 7 and 9, where it is 0.23 and 0.29 % off the values at centres.
///
/// Temperatures of cells are those of their centres. Where a temperature curves, Q follows it: in
/// case 2 it is 0.02 % off the values at centres and 0.05 % off averages. In the cubes of cases 3
/// and 4, whose emission curves along three axes and falls to that of the walls without a jump, it
/// is 0.02 and 0.33 % off the values at centres, 0.11 and 0.43 % off averages. They are compared
/// with values at centres. So is the cube of Burns and Christon: cells have the absorption
/// coefficient of their centres, and along its axis that is a peak.
inline bool compares_averages(const Options& options) { return options.start != StartPoint::point; }

/// Grey slabs against the exact solution; grey cube against quadrature.
Comparison compare_linear_slab(const Case& problem, const Result& result, const ReferenceData&);
Comparison compare_parabolic_slab(const Case& problem, const Result& result, const ReferenceData&);
Comparison compare_cube(const Case& problem, const Result& result, const ReferenceData&);

/// The cube of Burns and Christon, on its axis, against quadrature.
Comparison compare_burns_christon(const Case& problem, const Result& result, const ReferenceData&);
/// Thick grey slab whose temperature is a wave.
Comparison compare_wave_slab(const Case& problem, const Result& result, const ReferenceData&);
/// Gas and walls of one temperature: no Q, no wall flux, not even by rounding.
Comparison compare_with_nothing(const Case& problem, const Result& result, const ReferenceData&);

/// Heat flux behind two layers over the length of the second, for as many lengths as it takes;
/// published line-by-line curves beside it where they are at hand (ex_S1_LBL.dat, ex_S2_LBL.dat).
Comparison compare_layers_s1(const Case& problem, const Result& result, const ReferenceData& data);
Comparison compare_layers_s2(const Case& problem, const Result& result, const ReferenceData& data);

/// Gas slabs against the deterministic solution with the same spectral points.
Comparison compare_thin_hot_slab(const Case& problem, const Result& result, const ReferenceData&);
Comparison compare_thick_hot_slab(const Case& problem, const Result& result, const ReferenceData&);
Comparison compare_linear_gas(const Case& problem, const Result& result, const ReferenceData&);
Comparison compare_parabolic_gas(const Case& problem, const Result& result, const ReferenceData&);

/// k-distributions built from lines against line-by-line: the deterministic slab, and Monte Carlo
/// in the cube on the plane z = 0.5.
Comparison compare_with_lines_10(const Case& problem, const Result& result,
                                 const ReferenceData& data);
Comparison compare_with_lines_11(const Case& problem, const Result& result,
                                 const ReferenceData& data);
Comparison compare_with_lines_12(const Case& problem, const Result& result,
                                 const ReferenceData& data);

/// Fields with sharp fronts, mixtures, composition fields and reflecting walls at default settings
/// against stored averages over cells: Q on the plane in the middle of z, all walls, the gas, its
/// coldest part; walls also against a finer grid. The energy balance of the run against zero.
Comparison compare_flame_sheet(const Case& problem, const Result& result, const ReferenceData&);
Comparison compare_spherical_front(const Case& problem, const Result& result, const ReferenceData&);
Comparison compare_wrinkled_front(const Case& problem, const Result& result, const ReferenceData&);
Comparison compare_jet_flame(const Case& problem, const Result& result, const ReferenceData&);
Comparison compare_mirror_furnace(const Case& problem, const Result& result, const ReferenceData&);

/// Particles: slabs against discrete ordinates, a square against published values.
Comparison compare_mist_slab(const Case& problem, const Result& result, const ReferenceData&);
Comparison compare_ash_steam(const Case& problem, const Result& result, const ReferenceData&);
Comparison compare_scattering_square(const Case& problem, const Result& result,
                                     const ReferenceData&);

/// The table built from lines that a case of the variant "lines" uses.
GasMedium line_table_medium(int number);

}  // namespace ermine::cli
