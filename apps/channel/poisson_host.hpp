#pragma once

#include "flow.hpp"
#include "host.hpp"
#include "poisson.hpp"
#include "pressure.hpp"
#include "ranks.hpp"

#include <fftw3.h>
#include <memory>
#include <type_traits>
#include <vector>

namespace channel {

/// Poisson's equation on the CPU: transforms by FFTW in place, plane after plane, each by one
/// thread; between processes that share z, rows of y are exchanged for those of z.
class HostPoisson {
 public:
  HostPoisson(Host&, const FlowOptions& options, const Ranks& ranks);

  const SpectralLayout& layout() const { return layout_; }
  double* data() { return buffer_.get(); }
  /// From the right-hand side to the solution times ny nz, which callers divide out beforehand.
  void solve();
  /// The numbers beyond rows and planes.
  void fill_halos();

 private:
  struct Destroy {
    void operator()(fftw_plan plan) const { fftw_destroy_plan(plan); }
  };
  using Plan = std::unique_ptr<std::remove_pointer_t<fftw_plan>, Destroy>;

  void plan_alone(Plans plans);
  void plan_shared(Plans plans);
  void solve_alone();
  void solve_shared();
  /// Between rows of this process (`pack`) and modes of this process, for all planes at once.
  void transpose(bool forwards);
  fftw_complex* complex(std::ptrdiff_t n) {
    return reinterpret_cast<fftw_complex*>(buffer_.get() + n);
  }

  Ranks ranks_;
  SpectralLayout layout_;
  int nz_ = 0;       ///< of all processes
  int begin_, end_;  ///< modes of y of this process
  PoissonSystems systems_;
  std::shared_ptr<double> buffer_;
  std::vector<double> modes_, sent_, received_, row_;
  Plan forward_, backward_, forward_z_, backward_z_;
};

}  // namespace channel
