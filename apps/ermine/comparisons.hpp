#pragma once

#include "validation_cases.hpp"

#include <string>

namespace ermine::cli {

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
/// against stored solutions: Q on the plane in the middle of z, all walls, the gas, its coldest
/// part, the energy balance of the run; walls also against a finer grid.
Comparison compare_flame_sheet(const Case& problem, const Result& result, const ReferenceData&);
Comparison compare_spherical_front(const Case& problem, const Result& result, const ReferenceData&);
Comparison compare_wrinkled_front(const Case& problem, const Result& result, const ReferenceData&);
Comparison compare_jet_flame(const Case& problem, const Result& result, const ReferenceData&);
Comparison compare_mirror_furnace(const Case& problem, const Result& result, const ReferenceData&);

/// The table built from lines that a case of the variant "lines" uses.
GasMedium line_table_medium(int number);

}  // namespace ermine::cli
