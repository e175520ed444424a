#include "statistics.hpp"

#include "planes.hpp"
#include "sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fftw3.h>

namespace channel {
namespace {

constexpr std::array<const char*, 5> spectral_quantities{"u", "v", "w", "temperature", "source"};

void add(std::vector<double>& to, const std::vector<double>& values) {
  to.resize(values.size(), 0.0);
  for (std::size_t n = 0; n < values.size(); ++n) to[n] += values[n];
}

std::vector<double> scaled(const PlaneSums& sums, int quantity, int nx, double factor) {
  std::vector<double> mean(static_cast<std::size_t>(nx));
  for (std::size_t i = 0; i < mean.size(); ++i) {
    mean[i] = sums[static_cast<std::size_t>(quantity) * mean.size() + i] * factor;
  }
  return mean;
}

/// <ab> - <a><b>.
std::vector<double> covariance(const std::vector<double>& product, const std::vector<double>& a,
                               const std::vector<double>& b) {
  std::vector<double> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = product[i] - a[i] * b[i];
  return result;
}

std::vector<double> root(std::vector<double> variance) {
  for (double& value : variance) value = std::sqrt(std::max(value, 0.0));
  return variance;
}

/// Waves that a mode of a real transform stands for: k and -k, but for the mean and the shortest
/// wave of an even number of cells.
double waves_of(int mode, int length) { return mode == 0 || 2 * mode == length ? 1.0 : 2.0; }

/// Adds |f|^2 of real transforms along lines, mean over lines; both halves of a wave counted, so
/// that modes of k > 0 add up to the variance.
void add_power(const double* values, int length, int stride, int lines, int distance, double* out) {
  const int modes = length / 2 + 1;
  std::vector<double> in(static_cast<std::size_t>(length));
  std::vector<double> transformed(2 * static_cast<std::size_t>(modes));
  auto* complexes = reinterpret_cast<fftw_complex*>(transformed.data());
  fftw_plan plan = fftw_plan_dft_r2c_1d(length, in.data(), complexes, FFTW_ESTIMATE);
  const double norm = 1.0 / (static_cast<double>(length) * length * lines);
  for (int line = 0; line < lines; ++line) {
    for (int n = 0; n < length; ++n) {
      in[static_cast<std::size_t>(n)] = values[static_cast<std::ptrdiff_t>(line) * distance +
                                               static_cast<std::ptrdiff_t>(n) * stride];
    }
    fftw_execute(plan);
    for (int m = 0; m < modes; ++m) {
      const double re = complexes[m][0], im = complexes[m][1];
      out[m] += waves_of(m, length) * norm * (re * re + im * im);
    }
  }
  fftw_destroy_plan(plan);
}

/// What add_power() finds of values that are independent of each other.
std::vector<double> white_power(double variance, int length) {
  std::vector<double> power(static_cast<std::size_t>(length / 2 + 1));
  for (int m = 0; m <= length / 2; ++m) {
    power[static_cast<std::size_t>(m)] = waves_of(m, length) * variance / length;
  }
  return power;
}

}  // namespace

Statistics::Statistics(const Mesh& mesh, const std::vector<double>& planes)
    : nx_(mesh.nx()), ny_(mesh.ny), nz_(mesh.nz) {
  flow_.resize(static_cast<std::size_t>(VelocitySums::quantities) * nx_);
  radiation_.resize(static_cast<std::size_t>(RadiationSums::quantities) * nx_);
  const std::size_t modes = static_cast<std::size_t>(ny_ / 2 + 1) + (nz_ / 2 + 1);
  for (const double x : planes) {
    spectra_.push_back(
        {x, cell_at(mesh, x), std::vector<double>(spectral_quantities.size() * modes)});
  }
}

void Statistics::sample_flow(Flow& flow, const double* source) {
  samples_ += 1;
  add(flow_, flow.velocity_sums());
  const Fields<double> f = flow.fields();
  const std::array<const double*, 5> fields{f.u, f.v, f.w, f.t, source};
  for (Spectra& at : spectra_) {
    for (std::size_t q = 0; q < fields.size(); ++q) {
      if (!fields[q]) continue;
      const std::vector<double> plane = gather_plane(flow, fields[q], at.cell);
      if (!plane.empty()) add_spectra(at, q, plane);
    }
  }
}

void Statistics::sample_radiation(RadiationLink& radiation) {
  radiation_samples_ += 1;
  add(radiation_, radiation.sums());
}

void Statistics::add_spectra(Spectra& at, std::size_t quantity,
                             const std::vector<double>& plane) const {
  const std::size_t along_y = static_cast<std::size_t>(ny_ / 2 + 1);
  const std::size_t modes = along_y + (nz_ / 2 + 1);
  add_power(plane.data(), ny_, 1, nz_, ny_, at.sums.data() + quantity * modes);
  add_power(plane.data(), nz_, ny_, ny_, 1, at.sums.data() + quantity * modes + along_y);
}

void Statistics::write_flow(Hdf5Writer& file, double per_plane) const {
  using Q = VelocitySums;
  const auto mean = [&](int q) { return scaled(flow_, q, nx_, per_plane); };
  const auto u = mean(Q::u), v = mean(Q::v), w = mean(Q::w), t = mean(Q::t);
  file.numbers("mean/u", u);
  file.numbers("mean/v", v);
  file.numbers("mean/w", w);
  file.numbers("mean/temperature", t);
  file.numbers("rms/u", root(covariance(mean(Q::uu), u, u)));
  file.numbers("rms/v", root(covariance(mean(Q::vv), v, v)));
  file.numbers("rms/w", root(covariance(mean(Q::ww), w, w)));
  file.numbers("rms/temperature", root(covariance(mean(Q::tt), t, t)));
  file.numbers("stress/uw", covariance(mean(Q::uw), u, w));
  file.numbers("heat_flux/u_temperature", covariance(mean(Q::ut), u, t));
  file.numbers("heat_flux/w_temperature", covariance(mean(Q::wt), w, t));
}

void Statistics::write_radiation(Hdf5Writer& file, double per_plane) const {
  using Q = RadiationSums;
  const auto mean = [&](int q) { return scaled(radiation_, q, nx_, per_plane); };
  const auto t = mean(Q::t);
  const auto t_rms = root(covariance(mean(Q::tt), t, t));
  struct Named {
    const char* name;
    int first;
    int noise;  ///< in its square; none: exact
  };
  constexpr int none = -1;
  constexpr std::array<Named, 5> all{{{"source", Q::q, Q::noise},
                                      {"emission", Q::e, none},
                                      {"absorption", Q::a, Q::noise},
                                      {"absorption_coefficient", Q::k, none},
                                      {"absorption_over_planck_mean", Q::r, Q::noise_over_k}}};
  file.numbers("radiation/noise/source", root(mean(Q::noise)));
  for (const auto& [name, first, noise] : all) {
    const auto value = mean(first);
    auto variance = covariance(mean(first + 1), value, value);
    // Errors of rays do not depend on the fluctuations: they add to the variance, and on average
    // nothing to the covariance with T.
    if (noise != none) {
      const auto of_rays = mean(noise);
      for (std::size_t i = 0; i < variance.size(); ++i) variance[i] -= of_rays[i];
    }
    const auto rms = root(variance);
    auto correlation = covariance(mean(first + 2), value, t);
    for (std::size_t i = 0; i < t.size(); ++i) {
      const double product = rms[i] * t_rms[i];
      // A variance that is hardly more than noise may come out smaller than the covariance allows.
      correlation[i] = product > 0 ? std::clamp(correlation[i] / product, -1.0, 1.0) : 0.0;
    }
    file.numbers(fmt::format("radiation/mean/{}", name), value);
    file.numbers(fmt::format("radiation/rms/{}", name), rms);
    file.numbers(fmt::format("radiation/temperature_correlation/{}", name), correlation);
  }
}

/// What errors of rays leave in the spectra of Q, as if those of all cells were independent. So
/// they are with solver.shifts = "cell" and with random rays. With "mirrored" those of neighbours
/// partly cancel: differences of seeds (48 x 32 x 32 cells, 64 rays) had 0.5 of it in long waves
/// along z and 1.5 in short ones, 0.2 to 2.6 along y.
void Statistics::write_noise(Hdf5Writer& file, const std::string& group, int cell) const {
  const double cells = static_cast<double>(ny_) * nz_;
  const double variance = radiation_[static_cast<std::size_t>(RadiationSums::noise) * nx_ + cell] /
                          (cells * radiation_samples_);
  file.numbers(group + "along_y/source_noise", white_power(variance, ny_));
  file.numbers(group + "along_z/source_noise", white_power(variance, nz_));
}

void Statistics::write(Hdf5Writer& file, const Mesh& mesh) const {
  const double cells = static_cast<double>(ny_) * nz_;
  std::vector<double> centres;
  for (int i = 0; i < nx_; ++i) centres.push_back(mesh.centre(i));
  file.numbers("x", centres);
  file.numbers("samples", {samples_});
  file.numbers("radiation_samples", {radiation_samples_});
  if (samples_ > 0) write_flow(file, 1 / (cells * samples_));
  if (radiation_samples_ > 0) write_radiation(file, 1 / (cells * radiation_samples_));
  if (samples_ == 0) return;
  const hsize_t along_y = static_cast<hsize_t>(ny_ / 2 + 1),
                along_z = static_cast<hsize_t>(nz_ / 2 + 1);
  for (std::size_t p = 0; p < spectra_.size(); ++p) {
    const std::string group = fmt::format("spectra/plane_{}/", p);
    file.numbers(group + "x", {mesh.centre(spectra_[p].cell)});
    std::vector<double> values = spectra_[p].sums;
    for (double& value : values) value /= samples_;
    for (std::size_t q = 0; q < spectral_quantities.size(); ++q) {
      const double* first = values.data() + q * (along_y + along_z);
      file.numbers(group + "along_y/" + spectral_quantities[q], {along_y}, first);
      file.numbers(group + "along_z/" + spectral_quantities[q], {along_z}, first + along_y);
    }
    if (radiation_samples_ > 0) write_noise(file, group, spectra_[p].cell);
  }
}

std::vector<double> Statistics::cells() const {
  std::vector<double> cells;
  for (const Spectra& at : spectra_) cells.push_back(at.cell);
  return cells;
}

void Statistics::save(Hdf5Writer& file) const {
  file.numbers("sums/samples", {samples_, radiation_samples_});
  file.numbers("sums/cells", cells());
  file.numbers("sums/flow", flow_);
  file.numbers("sums/radiation", radiation_);
  std::vector<double> spectra;
  for (const Spectra& at : spectra_) {
    spectra.insert(spectra.end(), at.sums.begin(), at.sums.end());
  }
  file.numbers("sums/spectra", spectra);
}

bool Statistics::load(const Hdf5Reader& file) {
  for (const char* name :
       {"sums/samples", "sums/cells", "sums/flow", "sums/radiation", "sums/spectra"}) {
    if (!file.has(name)) return false;
  }
  const auto samples = file.numbers("sums/samples");
  const auto flow = file.numbers("sums/flow"), radiation = file.numbers("sums/radiation");
  const auto spectra = file.numbers("sums/spectra");
  std::size_t wanted = 0;
  for (const Spectra& at : spectra_) wanted += at.sums.size();
  if (file.numbers("sums/cells") != cells() || flow.size() != flow_.size() ||
      radiation.size() != radiation_.size() || spectra.size() != wanted || samples.size() != 2) {
    return false;
  }
  samples_ = samples[0];
  radiation_samples_ = samples[1];
  flow_ = flow;
  radiation_ = radiation;
  auto from = spectra.begin();
  for (Spectra& at : spectra_) {
    std::copy_n(from, at.sums.size(), at.sums.begin());
    from += static_cast<std::ptrdiff_t>(at.sums.size());
  }
  return true;
}

}  // namespace channel
