#include "files/parallel_hdf5.hpp"

#include "core/check.hpp"
#include "files/hdf5_handle.hpp"

#include <mpi.h>

namespace ermine {

bool parallel_hdf5() { return true; }

void write_together(const std::filesystem::path& file, std::span<const DatasetPlanes> planes,
                    int communicator) {
  silence_hdf5();
  const auto check = [&](std::int64_t status) {
    ERMINE_REQUIRE(status >= 0, "writing {} failed, check permissions and free space on the disk",
                   file.string());
  };
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_fapl_mpio(access.get(), MPI_Comm_f2c(communicator), MPI_INFO_NULL));
  const Hdf5Handle together(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  check(H5Pset_dxpl_mpio(together.get(), H5FD_MPIO_COLLECTIVE));
  const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDWR, access.get());
  check(opened);
  std::int64_t status = 0;  // a process that left early would leave the others waiting
  for (const DatasetPlanes& some : planes) {
    const Hdf5Handle set(H5Dopen2(opened, some.dataset.c_str(), H5P_DEFAULT), H5Dclose);
    const Hdf5Handle space(H5Dget_space(set.get()), H5Sclose);
    const hsize_t start[3] = {some.first, 0, 0};
    const hsize_t count[3] = {some.count, some.shape[1], some.shape[2]};
    const Hdf5Handle memory(H5Screate_simple(3, count, nullptr), H5Sclose);
    if (some.count > 0) {
      H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start, nullptr, count, nullptr);
    } else {
      H5Sselect_none(space.get());
      H5Sselect_none(memory.get());
    }
    const herr_t written = H5Dwrite(set.get(), H5T_NATIVE_DOUBLE, memory.get(), space.get(),
                                    together.get(), some.values.data());
    if (written < 0) status = written;
  }
  const herr_t closed = H5Fclose(opened);
  check(status);
  check(closed);
}

}  // namespace ermine
