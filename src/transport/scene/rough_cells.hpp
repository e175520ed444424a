#pragma once

#include <ermine/tracer.hpp>

#include "transport/scene/temperature_field.hpp"

#include <vector>

namespace ermine {

/// Cells whose rays start all over them, 1 each; the others' start at the centre. Empty: all start
/// as Options::start has it.
///
/// In a smooth field the value at a cell's centre with the mesh correction is the cell's average,
/// and has less noise. Where the temperature or what absorbs jumps from one cell to the next, or to
/// the wall, it is not: those cells and their neighbours average. Of a field in parts, cells that
/// other ranks own may be 0.
std::vector<char> rough_cells(const Tracer& tracer, const TemperatureField& temperature);

/// Cells that are rough in one of two fields and not in the other, 1 each; empty where `rough` is.
/// An update of differences cannot continue their values: those of the earlier field are values at
/// centres and those of this one averages, or the reverse.
std::vector<char> changed_starts(const std::vector<char>& rough, const Tracer& tracer,
                                 std::span<const double> earlier);

}  // namespace ermine
