#pragma once

#include "validation_cases.hpp"

#include <string>

namespace ermine::cli {

/// Grey slabs against the exact solution; grey cube against quadrature.
Comparison compare_linear_slab(const Case& problem, const Result& result, const GasMedium*);
Comparison compare_parabolic_slab(const Case& problem, const Result& result, const GasMedium*);
Comparison compare_cube(const Case& problem, const Result& result, const GasMedium*);

/// Gas slabs against the deterministic solution with the same spectral points.
Comparison compare_thin_hot_slab(const Case& problem, const Result& result, const GasMedium*);
Comparison compare_thick_hot_slab(const Case& problem, const Result& result, const GasMedium*);
Comparison compare_linear_gas(const Case& problem, const Result& result, const GasMedium*);
Comparison compare_parabolic_gas(const Case& problem, const Result& result, const GasMedium*);

/// k-distributions built from lines against line-by-line: the deterministic slab, and Monte Carlo
/// in the cube on the plane z = 0.5.
Comparison compare_with_lines_10(const Case& problem, const Result& result, const GasMedium* lines);
Comparison compare_with_lines_11(const Case& problem, const Result& result, const GasMedium* lines);
Comparison compare_with_lines_12(const Case& problem, const Result& result, const GasMedium* lines);

/// The table built from lines that a case of the variant "lines" uses.
GasMedium line_table_medium(int number);

}  // namespace ermine::cli
