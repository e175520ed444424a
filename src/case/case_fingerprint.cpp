#include "case/case_fingerprint.hpp"

#include "transport/run/fingerprint.hpp"

namespace ermine {
namespace {

Fingerprint of_coupling(const CouplingOptions& coupling) {
  return Fingerprint()
      .add("coupling.field", coupling.field)
      .add("coupling.interval", coupling.interval)
      .add("coupling.lag", coupling.lag)
      .add("coupling.handover", coupling.handover)
      .add("coupling.extrapolate", coupling.extrapolate);
}

}  // namespace

Fingerprint fingerprint(const Case& problem) {
  const OutputOptions& output = problem.output;
  return Fingerprint()
      .add(fingerprint(problem.grid))
      .add(fingerprint(problem.walls.sides()))
      .add(fingerprint(problem.medium))
      .add(fingerprint(scattering_of(problem.particles)))
      .add("temperature", std::span<const double>(problem.temperature))
      .add(fingerprint(problem.options))
      .add("output.directory", std::string_view(output.directory.native()))
      .add("output.name", std::string_view(output.name))
      .add("output.hdf5", output.hdf5)
      .add("output.vtr", output.vtr)
      .add("output.csv", output.csv)
      .add("output.time", output.time)
      .add(of_coupling(problem.coupling));
}

Fingerprint fingerprint(const CoupledCase& problem) {
  Fingerprint parts;
  if (problem.grid) parts.add(fingerprint(*problem.grid));
  return parts.add(fingerprint(problem.walls))
      .add(fingerprint(with_particles(problem.medium, problem.particles)))
      .add(fingerprint(scattering_of(problem.particles)))
      .add(fingerprint(problem.options))
      .add(of_coupling(problem.coupling));
}

}  // namespace ermine
