#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace ermine {

/// Whether the processes of MPI can write one HDF5 file together.
bool parallel_hdf5();

/// Some planes of a dataset, slowest dimension first.
struct DatasetPlanes {
  std::string dataset;
  std::array<std::size_t, 3> shape;  ///< of all of it
  std::size_t first;
  std::size_t count;  ///< may be 0
  std::span<const double> values;
};

/// All processes of an MPI communicator (its Fortran handle) write their planes of datasets that
/// are in a file already: the same datasets in the same order. Throws on those where it fails.
void write_together(const std::filesystem::path& file, std::span<const DatasetPlanes> planes,
                    int communicator);

}  // namespace ermine
