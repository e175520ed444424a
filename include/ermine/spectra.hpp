#pragma once

/// Everything ermine::spectra promises: absorption of hot gases from narrow-band parameters and
/// line lists, usable without the solver.

#include <ermine/error.hpp>
#include <ermine/gas_properties.hpp>
#include <ermine/lines.hpp>
#include <ermine/narrow_band.hpp>
#include <ermine/planck.hpp>
#include <ermine/soot.hpp>
#include <ermine/species.hpp>
#include <ermine/spectral_table.hpp>
#include <ermine/version.hpp>
