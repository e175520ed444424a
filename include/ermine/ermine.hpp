#pragma once

/// Everything ermine promises: radiative heat transfer in participating gases by reciprocal
/// Monte Carlo. Start with ermine::Tracer, or with ermine::read_case().

#include <ermine/case.hpp>
#include <ermine/communicator.hpp>
#include <ermine/coupling.hpp>
#include <ermine/device.hpp>
#include <ermine/energy_balance.hpp>
#include <ermine/error.hpp>
#include <ermine/files.hpp>
#include <ermine/forecast.hpp>
#include <ermine/grid.hpp>
#include <ermine/history.hpp>
#include <ermine/medium.hpp>
#include <ermine/mesh_error.hpp>
#include <ermine/options.hpp>
#include <ermine/output.hpp>
#include <ermine/radiation.hpp>
#include <ermine/result.hpp>
#include <ermine/tracer.hpp>
#include <ermine/version.hpp>
#include <ermine/walls.hpp>
