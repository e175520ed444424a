#pragma once

#include "files/hdf5_handle.hpp"

#include <vector>

namespace ermine::fuzz {

/// An HDF5 file in memory that is being made.
class Hdf5Image {
 public:
  Hdf5Image() : file_(create()) {}

  hid_t file() const { return file_.get(); }
  std::vector<char> bytes() const {
    H5Fflush(file(), H5F_SCOPE_GLOBAL);
    const ssize_t size = H5Fget_file_image(file(), nullptr, 0);
    std::vector<char> bytes(size > 0 ? static_cast<std::size_t>(size) : 0);
    if (size > 0) H5Fget_file_image(file(), bytes.data(), bytes.size());
    return bytes;
  }

 private:
  static Hdf5Handle create() {
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access.get(), 4096, false);
    return {H5Fcreate("fuzz", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose};
  }

  Hdf5Handle file_;
};

}  // namespace ermine::fuzz
