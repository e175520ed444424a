#include "poisson_host.hpp"

namespace channel {
namespace {

/// What FFTW estimates is the same each time, and so are results. Where it would buffer, it
/// estimates wrong: 192^2 numbers in place, forth and back, take 9.6 ns each with buffers, 7.0
/// without (measured plans: 5.4). Large primes have no plan without.
template <class Make>
fftw_plan planned(Plans plans, const Make& make) {
  const fftw_plan plan =
      make(plans == Plans::measured ? FFTW_MEASURE
                                    : FFTW_ESTIMATE | FFTW_NO_BUFFERING | FFTW_NO_INDIRECT_OP);
  return plan ? plan : make(FFTW_ESTIMATE);
}

}  // namespace

HostPoisson::HostPoisson(Host&, const FlowOptions& options, const Ranks& ranks)
    : ranks_(ranks),
      layout_{options.mesh.nx(), options.mesh.ny,
              ranks.end(options.mesh.nz) - ranks.begin(options.mesh.nz)},
      nz_(options.mesh.nz),
      begin_(ranks.begin(layout_.modes())),
      end_(ranks.end(layout_.modes())),
      systems_(options.mesh, begin_, end_),
      buffer_(Host::allocate(layout_.size())) {
  if (ranks_.size() == 1) {
    plan_alone(options.plans);
  } else {
    plan_shared(options.plans);
  }
  // Measured on these arrays.
  std::fill_n(buffer_.get(), layout_.size(), 0.0);
}

void HostPoisson::plan_alone(Plans plans) {
  const int n[2] = {layout_.nz, layout_.ny};
  const int reals[2] = {layout_.nz, static_cast<int>(layout_.row())};
  const int complexes[2] = {layout_.nz, layout_.modes()};
  forward_.reset(planned(plans, [&](unsigned how) {
    return fftw_plan_many_dft_r2c(2, n, 1, buffer_.get(), reals, 1, 0, complex(0), complexes, 1, 0,
                                  how);
  }));
  backward_.reset(planned(plans, [&](unsigned how) {
    return fftw_plan_many_dft_c2r(2, n, 1, complex(0), complexes, 1, 0, buffer_.get(), reals, 1, 0,
                                  how);
  }));
}

void HostPoisson::plan_shared(Plans plans) {
  const int ny[1] = {layout_.ny};
  const int nz[1] = {nz_};
  const int reals = static_cast<int>(layout_.row()), complexes = layout_.modes();
  const int own = end_ - begin_;
  const auto plane = static_cast<std::size_t>(nz_) * own;
  modes_.resize(2 * plane * layout_.nx);
  auto* modes = reinterpret_cast<fftw_complex*>(modes_.data());
  forward_.reset(planned(plans, [&](unsigned how) {
    return fftw_plan_many_dft_r2c(1, ny, layout_.nz, buffer_.get(), nullptr, 1, reals, complex(0),
                                  nullptr, 1, complexes, how);
  }));
  backward_.reset(planned(plans, [&](unsigned how) {
    return fftw_plan_many_dft_c2r(1, ny, layout_.nz, complex(0), nullptr, 1, complexes,
                                  buffer_.get(), nullptr, 1, reals, how);
  }));
  for (const bool forwards : {true, false}) {
    (forwards ? forward_z_ : backward_z_).reset(planned(plans, [&](unsigned how) {
      return fftw_plan_many_dft(1, nz, own, modes, nullptr, own, 1, modes, nullptr, own, 1,
                                forwards ? FFTW_FORWARD : FFTW_BACKWARD, how | FFTW_UNALIGNED);
    }));
  }
  const auto pack = static_cast<std::size_t>(layout_.nz) * layout_.modes();
  sent_.resize(2 * std::max(plane, pack) * layout_.nx);
  received_.resize(sent_.size());
  row_.resize(2 * static_cast<std::size_t>(layout_.nx) * layout_.row());
}

void HostPoisson::solve() {
  if (ranks_.size() == 1) {
    solve_alone();
  } else {
    solve_shared();
  }
}

void HostPoisson::solve_alone() {
#pragma omp parallel for schedule(static) if (layout_.size() > Host::worth_threads)
  for (int i = 0; i < layout_.nx; ++i) {
    fftw_execute_dft_r2c(forward_.get(), buffer_.get() + i * layout_.plane(),
                         complex(i * layout_.plane()));
  }
  Host::each_strip(layout_.nz, layout_.modes(),
                   Tridiagonal{.nx = layout_.nx,
                               .row = layout_.row() / 2,
                               .plane = layout_.plane() / 2,
                               .below = systems_.below.data(),
                               .above = systems_.above.data(),
                               .pivot = systems_.pivot.data(),
                               .modes = layout_.modes(),
                               .pivot_plane = layout_.nz * layout_.modes(),
                               .p = buffer_.get()});
#pragma omp parallel for schedule(static) if (layout_.size() > Host::worth_threads)
  for (int i = 0; i < layout_.nx; ++i) {
    fftw_execute_dft_c2r(backward_.get(), complex(i * layout_.plane()),
                         buffer_.get() + i * layout_.plane());
  }
}

void HostPoisson::solve_shared() {
  const int own = end_ - begin_;
  const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(nz_) * own;
  auto* modes = reinterpret_cast<fftw_complex*>(modes_.data());
#pragma omp parallel for schedule(static) if (layout_.size() > Host::worth_threads)
  for (int i = 0; i < layout_.nx; ++i) {
    fftw_execute_dft_r2c(forward_.get(), buffer_.get() + i * layout_.plane(),
                         complex(i * layout_.plane()));
  }
  transpose(true);
  if (own > 0) {
#pragma omp parallel for schedule(static) if (layout_.size() > Host::worth_threads)
    for (int i = 0; i < layout_.nx; ++i) {
      fftw_execute_dft(forward_z_.get(), modes + i * plane, modes + i * plane);
    }
    Host::each_strip(nz_, own,
                     Tridiagonal{.nx = layout_.nx,
                                 .row = own,
                                 .plane = plane,
                                 .below = systems_.below.data(),
                                 .above = systems_.above.data(),
                                 .pivot = systems_.pivot.data(),
                                 .modes = own,
                                 .pivot_plane = plane,
                                 .p = modes_.data()});
#pragma omp parallel for schedule(static) if (layout_.size() > Host::worth_threads)
    for (int i = 0; i < layout_.nx; ++i) {
      fftw_execute_dft(backward_z_.get(), modes + i * plane, modes + i * plane);
    }
  }
  transpose(false);
#pragma omp parallel for schedule(static) if (layout_.size() > Host::worth_threads)
  for (int i = 0; i < layout_.nx; ++i) {
    fftw_execute_dft_c2r(backward_.get(), complex(i * layout_.plane()),
                         buffer_.get() + i * layout_.plane());
  }
}

void HostPoisson::transpose(bool forwards) {
  const int own = end_ - begin_;
  std::vector<int> by_row, by_mode;  // numbers to and from each rank
  for (int r = 0; r < ranks_.size(); ++r) {
    const int modes = ranks_.begin(layout_.modes(), r + 1) - ranks_.begin(layout_.modes(), r);
    const int rows = ranks_.begin(nz_, r + 1) - ranks_.begin(nz_, r);
    by_row.push_back(2 * layout_.nx * layout_.nz * modes);
    by_mode.push_back(2 * layout_.nx * rows * own);
  }
  // Rows of this process in pieces, one for the modes of each rank.
  const auto rows = [&](auto&& copy) {
    double* piece = forwards ? sent_.data() : received_.data();
    for (int r = 0; r < ranks_.size(); ++r) {
      const int from = ranks_.begin(layout_.modes(), r);
      const int numbers = 2 * (ranks_.begin(layout_.modes(), r + 1) - from);
      for (int i = 0; i < layout_.nx; ++i) {
        for (int k = 0; k < layout_.nz; ++k, piece += numbers) {
          copy(buffer_.get() + layout_.at(i, 2 * from, k), piece, numbers);
        }
      }
    }
  };
  // Modes of this process in pieces, one for the rows of each rank.
  const auto modes = [&](auto&& copy) {
    double* piece = forwards ? received_.data() : sent_.data();
    for (int r = 0; r < ranks_.size(); ++r) {
      const int from = ranks_.begin(nz_, r), to = ranks_.begin(nz_, r + 1);
      const int numbers = 2 * own * (to - from);
      for (int i = 0; i < layout_.nx; ++i, piece += numbers) {
        copy(modes_.data() + 2 * own * (static_cast<std::ptrdiff_t>(i) * nz_ + from), piece,
             numbers);
      }
    }
  };
  const auto out = [](double* field, double* piece, int n) { std::copy_n(field, n, piece); };
  const auto in = [](double* field, double* piece, int n) { std::copy_n(piece, n, field); };
  if (forwards) {
    rows(out);
    ranks_.exchange(sent_.data(), by_row, received_.data(), by_mode);
    modes(in);
  } else {
    modes(out);
    ranks_.exchange(sent_.data(), by_mode, received_.data(), by_row);
    rows(in);
  }
}

void HostPoisson::fill_halos() {
  const int nx = layout_.nx, nz = layout_.nz;
  Host::each({0, nx, 0, 1, 0, nz}, PressurePadding{layout_, buffer_.get()});
  const int row = static_cast<int>(layout_.row());
  if (ranks_.size() == 1) {
    Host::each({0, nx, 0, row, 0, 1}, PressureRow{layout_, buffer_.get()});
    return;
  }
  double* const received = row_.data() + static_cast<std::ptrdiff_t>(nx) * row;
  for (int i = 0; i < nx; ++i) {
    std::copy_n(buffer_.get() + layout_.at(i, 0, 0), row, row_.data() + i * row);
  }
  ranks_.shift_down(row_.data(), received, nx * row);
  for (int i = 0; i < nx; ++i) {
    std::copy_n(received + i * row, row, buffer_.get() + layout_.at(i, 0, nz));
  }
}

}  // namespace channel
