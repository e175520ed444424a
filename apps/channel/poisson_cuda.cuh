#pragma once

#include "cuda_space.cuh"
#include "flow.hpp"
#include "poisson.hpp"
#include "pressure.hpp"

#include <cufft.h>

namespace channel {

/// Poisson's equation on the GPU: as HostPoisson of one process, with cuFFT.
class CudaPoisson {
 public:
  CudaPoisson(Cuda& space, const FlowOptions& options, const Ranks&)
      : space_(space), layout_{options.mesh.nx(), options.mesh.ny, options.mesh.nz} {
    const PoissonSystems systems(options.mesh, 0, layout_.modes());
    below_ = upload(systems.below);
    above_ = upload(systems.above);
    pivot_ = upload(systems.pivot);
    buffer_ = space.allocate(layout_.size());
    int n[2] = {layout_.nz, layout_.ny};
    int reals[2] = {layout_.nz + 1, static_cast<int>(layout_.row())};
    int complexes[2] = {layout_.nz + 1, layout_.modes()};
    const int plane = static_cast<int>(layout_.plane());
    check(cufftPlanMany(&forward_, 2, n, reals, 1, plane, complexes, 1, plane / 2, CUFFT_D2Z,
                        layout_.nx),
          "planning transforms");
    check(cufftPlanMany(&backward_, 2, n, complexes, 1, plane / 2, reals, 1, plane, CUFFT_Z2D,
                        layout_.nx),
          "planning transforms");
    check(cufftSetStream(forward_, space.stream()), "planning transforms");
    check(cufftSetStream(backward_, space.stream()), "planning transforms");
  }
  ~CudaPoisson() {
    cufftDestroy(forward_);
    cufftDestroy(backward_);
  }
  CudaPoisson(const CudaPoisson&) = delete;
  CudaPoisson& operator=(const CudaPoisson&) = delete;

  const SpectralLayout& layout() const { return layout_; }
  double* data() { return buffer_.get(); }

  void solve() {
    auto* complexes = reinterpret_cast<cufftDoubleComplex*>(buffer_.get());
    check(cufftExecD2Z(forward_, buffer_.get(), complexes), "transforming");
    space_.each_strip(
        layout_.nz, layout_.modes(),
        Tridiagonal{.nx = layout_.nx,
                    .row = layout_.row() / 2,
                    .plane = layout_.plane() / 2,
                    .below = below_.get(),
                    .above = above_.get(),
                    .pivot = pivot_.get(),
                    .modes = layout_.modes(),
                    .pivot_plane = static_cast<std::ptrdiff_t>(layout_.nz) * layout_.modes(),
                    .p = buffer_.get()});
    check(cufftExecZ2D(backward_, complexes, buffer_.get()), "transforming");
  }

  void fill_halos() {
    space_.each({0, layout_.nx, 0, 1, 0, layout_.nz}, PressurePadding{layout_, buffer_.get()});
    space_.each({0, layout_.nx, 0, static_cast<int>(layout_.row()), 0, 1},
                PressureRow{layout_, buffer_.get()});
  }

 private:
  static void check(cufftResult status, const char* doing) {
    if (status == CUFFT_SUCCESS) return;
    throw ermine::Error(std::string("cuFFT failed while ") + doing + " (code " +
                        std::to_string(static_cast<int>(status)) +
                        "), give fewer grid.cells or take --backend cpu");
  }
  std::shared_ptr<double> upload(const std::vector<double>& values) {
    auto array = space_.allocate(static_cast<std::ptrdiff_t>(values.size()));
    space_.copy_in(array.get(), values.data(), static_cast<std::ptrdiff_t>(values.size()));
    return array;
  }

  Cuda& space_;
  SpectralLayout layout_;
  std::shared_ptr<double> below_, above_, pivot_, buffer_;
  cufftHandle forward_ = 0, backward_ = 0;
};

}  // namespace channel
