#pragma once

#include "files/hdf5_handle.hpp"

#include <string>

namespace ermine {

/// HDF5 reads data that were never written, or that lie in other files which are missing or too
/// short, as zeros. These throw Error where the data of a dataset lie in other files, and where not
/// all of them were written.
void require_own_data(const Hdf5Handle& set, const std::string& dataset, const std::string& name);
void require_written(const Hdf5Handle& set, const std::string& dataset, const std::string& name);

/// To open a dataset with: links to other files are followed where those are regular files, since
/// to open a pipe may never end.
Hdf5Handle link_access();

}  // namespace ermine
