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
/// the wall, it is not: those cells and their neighbours average. Where updates are differences,
/// all do. Of a field in parts, cells that other ranks own may be 0.
std::vector<char> rough_cells(const Tracer& tracer, const TemperatureField& temperature);

}  // namespace ermine
