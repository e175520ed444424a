#include "files/hdf5_stored.hpp"

#include "core/check.hpp"

#include <filesystem>
#include <system_error>
#include <vector>

namespace ermine {
namespace {

namespace fs = std::filesystem;

/// Chunks that hold all of a dataset; 0 where it has none.
hsize_t chunks_of(const Hdf5Handle& set, const Hdf5Handle& layout) {
  const Hdf5Handle space(H5Dget_space(set.get()), H5Sclose);
  const int rank = std::max(0, H5Sget_simple_extent_ndims(space.get()));
  std::vector<hsize_t> size(static_cast<std::size_t>(rank)), chunk(size.size());
  H5Sget_simple_extent_dims(space.get(), size.data(), nullptr);
  H5Pget_chunk(layout.get(), rank, chunk.data());
  hsize_t count = 1;
  for (std::size_t d = 0; d < size.size(); ++d) count *= (size[d] + chunk[d] - 1) / chunk[d];
  return count;
}

bool all_chunks_written(const Hdf5Handle& set, const Hdf5Handle& layout) {
#if H5_VERSION_GE(1, 10, 5)
  const Hdf5Handle space(H5Dget_space(set.get()), H5Sclose);
  hsize_t written = 0;
  return H5Dget_num_chunks(set.get(), space.get(), &written) >= 0 &&
         written == chunks_of(set, layout);
#else
  return chunks_of(set, layout) == 0 || H5Dget_storage_size(set.get()) > 0;
#endif
}

bool all_written(const Hdf5Handle& set, const Hdf5Handle& layout) {
  if (H5Pget_layout(layout.get()) == H5D_CHUNKED) return all_chunks_written(set, layout);
  const Hdf5Handle space(H5Dget_space(set.get()), H5Sclose);
  H5D_space_status_t status = H5D_SPACE_STATUS_ERROR;
  return H5Sget_simple_extent_npoints(space.get()) == 0 ||
         (H5Dget_space_status(set.get(), &status) >= 0 && status == H5D_SPACE_STATUS_ALLOCATED);
}

bool exists_irregular(const fs::path& file) {
  std::error_code error;
  const fs::file_type type = fs::status(file, error).type();
  return type != fs::file_type::regular && type != fs::file_type::not_found &&
         type != fs::file_type::none;
}

extern "C" herr_t check_linked_file(const char* parent, const char*, const char* file, const char*,
                                    unsigned*, hid_t, void*) {
  const fs::path beside = fs::path(parent).parent_path() / fs::path(file).filename();
  const fs::path below = fs::path(parent).parent_path() / file;
  return exists_irregular(file) || exists_irregular(beside) || exists_irregular(below) ? -1 : 0;
}

}  // namespace

void require_own_data(const Hdf5Handle& set, const std::string& dataset, const std::string& name) {
  const Hdf5Handle layout(H5Dget_create_plist(set.get()), H5Pclose);
  ERMINE_REQUIRE(
      H5Pget_layout(layout.get()) != H5D_VIRTUAL && H5Pget_external_count(layout.get()) <= 0,
      "the data of dataset '{}' of {} lie in other files (virtual or external storage; "
      "what is missing there would be read as zeros), copy them into one file",
      dataset, name);
}

void require_written(const Hdf5Handle& set, const std::string& dataset, const std::string& name) {
  const Hdf5Handle layout(H5Dget_create_plist(set.get()), H5Pclose);
  ERMINE_REQUIRE(all_written(set, layout),
                 "dataset '{}' of {} was never written, or not all of it (the rest would be read "
                 "as zeros), write all values",
                 dataset, name);
}

Hdf5Handle link_access() {
  Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_elink_cb(access.get(), check_linked_file, nullptr);
  return access;
}

}  // namespace ermine
