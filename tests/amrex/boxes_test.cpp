// Radiation of a hierarchy of boxes: two levels, many boxes on each process. Prints numbers that
// depend on each bit of the source, which must be the same on any number of processes.
//   boxes_test CASE
#include <ermine/ermine.h>

#include "ermine_amrex.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

using amrex::Box;
using amrex::IntVect;
using amrex::MFIter;
using amrex::MultiFab;

int failures = 0;

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  ++failures;
}

/// Boxes of 4 cells along each axis.
void cut(Box const& whole, amrex::BoxList& boxes) {
  constexpr int size = 4;
  for (int k = whole.smallEnd(2); k <= whole.bigEnd(2); k += size) {
    for (int j = whole.smallEnd(1); j <= whole.bigEnd(1); j += size) {
      for (int i = whole.smallEnd(0); i <= whole.bigEnd(0); i += size) {
        boxes.push_back(Box(IntVect(i, j, k), IntVect(i + size - 1, j + size - 1, k + size - 1)));
      }
    }
  }
}

struct Hierarchy {
  amrex::Vector<amrex::Geometry> geom;
  amrex::Vector<amrex::BoxArray> grids;
  amrex::Vector<amrex::DistributionMapping> dmap;
};

/// 8 x 8 x 12 cells, with twice as many along each axis in the middle, in two regions. Cell numbers
/// of axis z begin below zero.
Hierarchy make_hierarchy() {
  Hierarchy made;
  for (int level = 0; level < 2; ++level) {
    const int fine = level + 1;
    const Box domain(IntVect(0, 0, -4 * fine), IntVect(8 * fine - 1, 8 * fine - 1, 8 * fine - 1));
    made.geom.emplace_back(domain, std::array<double, 3>{0, 0, -50},
                           std::array<double, 3>{100, 100, 100}, std::array<int, 3>{1, 1, 0});
    amrex::BoxList boxes;
    if (level == 0) {
      cut(domain, boxes);
    } else {
      cut(Box(IntVect(4, 4, -4), IntVect(11, 11, 7)), boxes);
      cut(Box(IntVect(12, 0, 8), IntVect(15, 3, 11)), boxes);
    }
    made.grids.emplace_back(std::move(boxes));
    amrex::Vector<int> owners;
    for (int i = 0; i < made.grids.back().size(); ++i) {
      owners.push_back((7 * i + level) % amrex::ParallelDescriptor::NProcs());
    }
    made.dmap.emplace_back(owners);
  }
  return made;
}

double temperature(const amrex::Geometry& geom, int i, int j, int k) {
  const double z = (k + 0.5) * geom.CellSize(2) / 100;
  const double x = (i + 0.5) * geom.CellSize(0) / 100;
  return 1000 + 400 * std::sin(6.28318 * x) * z + 20 * (j % 3);
}
double water(const amrex::Geometry& geom, int i, int, int k) {
  return 0.1 + 0.05 * std::cos(6.28318 * (i + 0.5) * geom.CellSize(0) / 100) + 0.001 * (k % 2);
}

std::vector<MultiFab> solve(const Hierarchy& on, const char* file, int level, double factor) {
  ermine_amrex::Options options;
  options.case_file = file;
  options.level = level;
  options.species = {ERMINE_H2O};
  options.length = 0.01;
  options.source = factor;
  ermine_amrex::Radiation rad(on.geom, on.grids, on.dmap, options);
  std::vector<MultiFab> sources(2);
  for (int step = 0; step < 2; ++step) {
    for (int l = 0; l < 2; ++l) {
      MultiFab fields;
      fields.define(on.grids[l], on.dmap[l], 2, 0);
      for (MFIter mfi(fields); mfi.isValid(); ++mfi) {
        const auto values = fields.array(mfi);
        amrex::ParallelFor(mfi.validbox(), [&](int i, int j, int k) {
          values(i, j, k, 0) = temperature(on.geom[l], i, j, k) + 10 * step;
          values(i, j, k, 1) = water(on.geom[l], i, j, k);
        });
      }
      for (MFIter mfi(fields, true); mfi.isValid(); ++mfi) {
        const amrex::Array4<const double> t = fields.const_array(mfi);
        rad.update(mfi, l, t, {{t.p + t.nstride, t.box}});
      }
    }
    rad.evaluateRad();
  }
  for (int l = 0; l < 2; ++l) {
    sources[l].define(on.grids[l], on.dmap[l], 1, 0);
    for (MFIter mfi(sources[l], true); mfi.isValid(); ++mfi) {
      rad.calcRadSource(mfi, sources[l].array(mfi), l);
    }
  }
  return sources;
}

/// A number that depends on each bit and its place, of all processes.
std::uint64_t checksum(const MultiFab& fab, const Hierarchy& on, int level) {
  std::uint64_t own = 0, sum = 0;
  const Box domain = on.geom[level].Domain();
  for (MFIter mfi(fab); mfi.isValid(); ++mfi) {
    const auto values = fab.const_array(mfi);
    amrex::ParallelFor(mfi.validbox(), [&](int i, int j, int k) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &values(i, j, k), sizeof bits);
      const auto cell = static_cast<std::uint64_t>(
          i + domain.length(0) * (j + domain.length(1) * (k - domain.smallEnd(2))));
      own += bits * (2 * cell + 1);
    });
  }
  MPI_Allreduce(&own, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

/// All values of a level on all processes, by cells of its domain; NaN where it has no boxes.
std::vector<double> whole(const MultiFab& fab, const Hierarchy& on, int level) {
  MultiFab all;
  all.define(amrex::BoxArray(on.geom[level].Domain()),
             amrex::DistributionMapping({amrex::ParallelDescriptor::MyProc()}), 1, 0);
  std::vector<double> values;
  for (MFIter mfi(all); mfi.isValid(); ++mfi) {
    const auto cells = all.array(mfi);
    amrex::ParallelFor(mfi.validbox(), [&](int i, int j, int k) { cells(i, j, k) = std::nan(""); });
    all.ParallelCopy(fab, 0, 0, 1);
    values.assign(cells.p, cells.p + cells.nstride);
  }
  return values;
}

std::size_t place(const Box& domain, int i, int j, int k) {
  return static_cast<std::size_t>(i + domain.length(0) *
                                          (j + domain.length(1) * (k - domain.smallEnd(2))));
}

/// Q of the coarse level by the C interface alone, with averages made here.
std::vector<double> expected_q(const Hierarchy& on, const char* file) {
  const Box coarse = on.geom[0].Domain();
  std::vector<double> t(static_cast<std::size_t>(coarse.numPts())), h2o(t.size()), q(t.size());
  const auto refined = [&](int i, int j, int k) {
    for (int b = 0; b < on.grids[1].size(); ++b) {
      const Box box = on.grids[1][b];
      const std::array<int, 3> cell{2 * i, 2 * j, 2 * k};
      bool inside = true;
      for (int a = 0; a < 3; ++a) {
        inside = inside && cell[a] >= box.smallEnd(a) && cell[a] <= box.bigEnd(a);
      }
      if (inside) return true;
    }
    return false;
  };
  amrex::ParallelFor(coarse, [&](int i, int j, int k) {
    double& kelvin = t[place(coarse, i, j, k)];
    double& fraction = h2o[place(coarse, i, j, k)];
    if (!refined(i, j, k)) {
      kelvin = temperature(on.geom[0], i, j, k) + 10;
      fraction = water(on.geom[0], i, j, k);
      return;
    }
    for (int n = 0; n < 8; ++n) {
      const int x = 2 * i + n % 2, y = 2 * j + n / 2 % 2, z = 2 * k + n / 4;
      kelvin += temperature(on.geom[1], x, y, z) + 10;
      fraction += water(on.geom[1], x, y, z);
    }
    kelvin /= 8;
    fraction /= 8;
  });
  std::array<std::vector<double>, 3> faces;
  ermine_axis axes[3];
  for (int a = 0; a < 3; ++a) {
    const double from = 0.01 * on.geom[0].ProbLo(a), to = 0.01 * on.geom[0].ProbHi(a);
    for (int i = 0; i <= coarse.length(a); ++i) {
      faces[a].push_back(from + (to - from) * i / coarse.length(a));
    }
    axes[a] = {faces[a].data(), coarse.length(a), a < 2};
  }
  ermine_radiation* alone = nullptr;
  check(ermine_create(file, nullptr, 0, ERMINE_THIS_PROCESS, &alone) == ERMINE_OK, "create");
  check(ermine_set_grid(alone, axes) == ERMINE_OK, "set_grid");
  check(ermine_set_composition_field(alone, ERMINE_H2O, h2o.data()) == ERMINE_OK, "composition");
  check(ermine_advance(alone, t.data()) == ERMINE_OK, "advance");
  check(ermine_advance(alone, t.data()) == ERMINE_OK, "advance");
  check(ermine_get(alone, ERMINE_SOURCE, q.data()) == ERMINE_OK, ermine_last_error(alone));
  ermine_destroy(alone);
  return q;
}

void test(const char* file) {
  const Hierarchy on = make_hierarchy();
  const Box coarse = on.geom[0].Domain(), fine = on.geom[1].Domain();
  const auto on_coarse = solve(on, file, 0, 1.0);
  const auto on_fine = solve(on, file, 1, 1.0);
  const auto tenfold = solve(on, file, 0, 10.0);
  const std::vector<double> q = expected_q(on, file);
  const auto level_0 = whole(on_coarse[0], on, 0);
  const auto level_1 = whole(on_coarse[1], on, 1);
  const auto tenfold_0 = whole(tenfold[0], on, 0);
  bool same = true, inherited = true, scaled = true;
  amrex::ParallelFor(coarse, [&](int i, int j, int k) {
    const std::size_t cell = place(coarse, i, j, k);
    same = same && level_0[cell] == -q[cell] && q[cell] != 0;
    scaled = scaled && std::abs(tenfold_0[cell] / level_0[cell] - 10) < 1e-5;
  });
  int cells = 0;
  amrex::ParallelFor(fine, [&](int i, int j, int k) {
    const double value = level_1[place(fine, i, j, k)];
    if (std::isnan(value)) return;
    ++cells;
    const int below = k >= 0 ? k / 2 : -((1 - k) / 2);
    inherited = inherited && value == level_0[place(coarse, i / 2, j / 2, below)];
  });
  check(same, "the source of the coarse level is not -Q of averages");
  check(inherited && cells == 8 * 8 * 12 + 4 * 4 * 4,
        "fine cells do not have that of their parent");
  check(scaled, "the factor of the source");

  // On the fine level: coarse cells lose what their parts lose.
  const auto parts = whole(on_fine[1], on, 1);
  const auto means = whole(on_fine[0], on, 0);
  bool conserved = true;
  amrex::ParallelFor(coarse, [&](int i, int j, int k) {
    double sum = 0;
    for (int n = 0; n < 8; ++n) {
      sum += parts[place(fine, 2 * i + n % 2, 2 * j + n / 2 % 2, 2 * k + n / 4)];
    }
    if (std::isnan(sum)) return;
    const double mean = means[place(coarse, i, j, k)];
    conserved = conserved && std::abs(sum / 8 - mean) < 1e-9 * std::abs(mean) + 1e-6;
  });
  check(conserved, "coarse cells do not have the mean of their parts");
  for (int level = 0; level < 2; ++level) {
    const auto coarse_sum = static_cast<unsigned long long>(checksum(on_coarse[level], on, level));
    const auto fine_sum = static_cast<unsigned long long>(checksum(on_fine[level], on, level));
    if (amrex::ParallelDescriptor::MyProc() == 0) std::printf("%llx %llx\n", coarse_sum, fine_sum);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc == 2) test(argv[1]);
  int all = failures;
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return argc == 2 && all == 0 ? 0 : 1;
}
