// Gas properties without the solver.
#include <ermine/spectra.hpp>

#include <cmath>
#include <cstdio>

int main() {
  using namespace ermine;
  KDistributionOptions options;
  options.temperature = {1000.0};
  const SpectralTable water = k_distribution(shipped_parameters(Species::h2o), 101325.0,
                                             Composition::pure(Species::h2o), options);
  const double mean = planck_mean(water, 1000.0);
  std::printf("Planck mean of water vapour at 1000 K: %.3f 1/m\n", mean);
  return std::abs(mean - 5.13) < 0.1 ? 0 : 1;
}
