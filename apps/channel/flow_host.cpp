#include "flow_solver.hpp"
#include "host.hpp"
#include "poisson_host.hpp"

#include <span>

namespace channel {
namespace {

/// What processes with slabs of z have from each other.
class HostHalos {
 public:
  HostHalos(Host&, const Mesh& mesh, const Ranks& ranks) : ranks_(ranks) {
    const auto row = static_cast<std::size_t>(mesh.ny) + 2;
    send_.resize(4 * row * static_cast<std::size_t>(mesh.nx()));
    receive_.resize(send_.size());
    for (int r = 0; r < ranks.size(); ++r) {
      rows_.push_back(ranks.begin(mesh.nz, r + 1) - ranks.begin(mesh.nz, r));
    }
  }

  void along_z(const Layout& layout, const Fields<double>& f) {
    if (ranks_.size() == 1) {
      Host::each({0, layout.nx, -1, layout.ny + 1, 0, 1}, HalosAlongZ{layout, f});
      return;
    }
    const std::array<double*, 4> all{f.u, f.v, f.w, f.t};
    exchange(layout, {all.data(), all.size()}, layout.nz - 1, -1, true);
    exchange(layout, {all.data(), all.size()}, 0, layout.nz, false);
  }
  void below_z(const Layout& layout, double* w) {
    if (ranks_.size() == 1) {
      Host::each({0, layout.nx, 0, layout.ny, 0, 1}, FacesBelowZ{layout, w});
      return;
    }
    exchange(layout, {&w, 1}, layout.nz - 1, -1, true);
  }
  /// Rows of all processes, in order, on each; `numbers` of each row.
  void gather_rows(double* rows, int numbers) {
    if (ranks_.size() == 1) return;
    std::vector<int> counts;
    for (const int count : rows_) counts.push_back(count * numbers);
    const std::vector<double> own(rows, rows + counts[static_cast<std::size_t>(ranks_.rank())]);
    ranks_.gather_all(own.data(), counts, rows);
  }

 private:
  void exchange(const Layout& layout, std::span<double* const> fields, int from, int to, bool up) {
    const std::ptrdiff_t row = layout.row();
    double* out = send_.data();
    for (const double* field : fields) {
      for (int i = 0; i < layout.nx; ++i) {
        out = std::copy_n(field + layout.at(i, -1, from), row, out);
      }
    }
    const int count = static_cast<int>(out - send_.data());
    if (up) {
      ranks_.shift_up(send_.data(), receive_.data(), count);
    } else {
      ranks_.shift_down(send_.data(), receive_.data(), count);
    }
    const double* in = receive_.data();
    for (double* field : fields) {
      for (int i = 0; i < layout.nx; ++i, in += row) {
        std::copy_n(in, row, field + layout.at(i, -1, to));
      }
    }
  }

  Ranks ranks_;
  std::vector<double> send_, receive_;
  std::vector<int> rows_;
};

}  // namespace

std::unique_ptr<Flow> make_host_flow(const FlowOptions& options, const Ranks& ranks) {
  return std::make_unique<FlowSolver<Host, HostPoisson, HostHalos>>(options, ranks);
}

}  // namespace channel
