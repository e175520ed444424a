#include "cuda_space.cuh"
#include "flow_solver.hpp"
#include "poisson_cuda.cuh"

namespace channel {
namespace {

/// One process has all rows.
class CudaHalos {
 public:
  CudaHalos(Cuda& space, const Mesh&, const Ranks&) : space_(space) {}

  void along_z(const Layout& layout, const Fields<double>& f) {
    space_.each({0, layout.nx, -1, layout.ny + 1, 0, 1}, HalosAlongZ{layout, f});
  }
  void below_z(const Layout& layout, double* w) {
    space_.each({0, layout.nx, 0, layout.ny, 0, 1}, FacesBelowZ{layout, w});
  }
  void gather_rows(double*, int) {}

 private:
  Cuda& space_;
};

}  // namespace

std::unique_ptr<Flow> make_device_flow(const FlowOptions& options) {
  return std::make_unique<FlowSolver<Cuda, CudaPoisson, CudaHalos>>(options, Ranks());
}

}  // namespace channel
