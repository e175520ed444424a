#pragma once

#include "flow.hpp"

#include <vector>

namespace channel {

/// Cells of one wall-parallel plane, y fastest, of all processes; empty on all but the first.
inline std::vector<double> gather_plane(Flow& flow, const double* field, int i) {
  const Layout layout = flow.layout();
  const Mesh& mesh = flow.options().mesh;
  const Ranks& ranks = flow.ranks();
  std::vector<double> with_halos(static_cast<std::size_t>(layout.plane()));
  flow.read(with_halos.data(), field, layout.at(i, -1, -1), layout.plane());
  std::vector<double> own;
  own.reserve(static_cast<std::size_t>(layout.ny) * layout.nz);
  for (int k = 0; k < layout.nz; ++k) {
    const auto row = with_halos.begin() + (k + 1) * layout.row() + 1;
    own.insert(own.end(), row, row + layout.ny);
  }
  if (ranks.size() == 1) return own;
  std::vector<int> counts;
  for (int r = 0; r < ranks.size(); ++r) {
    counts.push_back(mesh.ny * (ranks.begin(mesh.nz, r + 1) - ranks.begin(mesh.nz, r)));
  }
  std::vector<double> all(
      ranks.first() ? static_cast<std::size_t>(mesh.ny) * static_cast<std::size_t>(mesh.nz) : 0);
  ranks.gather(own.data(), counts, all.data());
  return all;
}

/// The cell in which x lies, of those across the channel.
inline int cell_at(const Mesh& mesh, double x) {
  int i = 0;
  while (i + 1 < mesh.nx() && mesh.x_faces[static_cast<std::size_t>(i) + 1] <= x) ++i;
  return i;
}

}  // namespace channel
