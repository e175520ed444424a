#include "core/check.hpp"
#include "files/hdf5.hpp"
#include "files/hdf5_handle.hpp"

#include <functional>
#include <numeric>

namespace ermine {
namespace {

Hdf5Handle create_groups() {
  Hdf5Handle list(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(list.get(), 1);
  return list;
}

/// Without the time of writing: equal contents make equal files.
Hdf5Handle without_times() {
  Hdf5Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(list.get(), false);
  return list;
}

/// Fixed-length UTF-8 text: readable by every HDF5 tool.
Hdf5Handle text_type(const std::string& text) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), text.size() + 1);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

/// HDF5 takes a pointer and would read on past the end.
void check_count(std::span<const std::size_t> shape, std::size_t values, const std::string& path,
                 const std::filesystem::path& file) {
  ERMINE_REQUIRE(
      std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()) == values,
      "dataset '{}' of {} has {} values, which do not make up its shape ({})", path, file.string(),
      values, fmt::join(shape, ", "));
}

}  // namespace

Hdf5Writer::Hdf5Writer(const std::filesystem::path& file, std::size_t expected_bytes)
    : shown_(file), file_(-1) {
  silence_hdf5();
  const Hdf5Handle in_memory(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // All at once: room that grows bit by bit leaves holes behind, as large as itself.
  const std::size_t increment = (1u << 20) + expected_bytes;
  check(H5Pset_fapl_core(in_memory.get(), increment, false), "creating");
  file_ = H5Fcreate("bytes", H5F_ACC_TRUNC, H5P_DEFAULT, in_memory.get());
  check(file_, "creating");
}

Hdf5Writer::~Hdf5Writer() {
  if (file_ >= 0) H5Fclose(file_);
}

void Hdf5Writer::check(std::int64_t status, const char* doing) const {
  ERMINE_REQUIRE(status >= 0, "{} {} failed, check permissions and free space on the disk", doing,
                 shown_.string());
}

void Hdf5Writer::write(const std::string& path, std::span<const std::size_t> shape,
                       std::span<const double> values) {
  check_count(shape, values.size(), path, shown_);
  const std::vector<hsize_t> dimensions(shape.begin(), shape.end());
  const Hdf5Handle space(
      H5Screate_simple(static_cast<int>(dimensions.size()), dimensions.data(), nullptr), H5Sclose);
  const Hdf5Handle groups = create_groups();
  const Hdf5Handle set(H5Dcreate2(file_, path.c_str(), H5T_IEEE_F64LE, space.get(), groups.get(),
                                  without_times().get(), H5P_DEFAULT),
                       H5Dclose);
  check(set.get(), "writing");
  check(H5Dwrite(set.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        "writing");
}

void Hdf5Writer::reserve(const std::string& path, std::span<const std::size_t> shape) {
  const std::vector<hsize_t> dimensions(shape.begin(), shape.end());
  const Hdf5Handle space(
      H5Screate_simple(static_cast<int>(dimensions.size()), dimensions.data(), nullptr), H5Sclose);
  const Hdf5Handle layout = without_times();
  check(H5Pset_alloc_time(layout.get(), H5D_ALLOC_TIME_EARLY), "writing");
  const Hdf5Handle groups = create_groups();
  const Hdf5Handle set(H5Dcreate2(file_, path.c_str(), H5T_IEEE_F64LE, space.get(), groups.get(),
                                  layout.get(), H5P_DEFAULT),
                       H5Dclose);
  check(set.get(), "writing");
}

void Hdf5Writer::write_chunks(const std::string& path, std::span<const std::size_t> shape,
                              std::int64_t stored_as, std::int64_t type, const void* values) {
  const std::vector<hsize_t> dimensions(shape.begin(), shape.end());
  // One chunk per value of the slowest dimension: a band with all its rows, a plane of cells.
  std::vector<hsize_t> chunk = dimensions;
  chunk.front() = 1;
  const Hdf5Handle space(
      H5Screate_simple(static_cast<int>(dimensions.size()), dimensions.data(), nullptr), H5Sclose);
  const Hdf5Handle layout = without_times();
  check(H5Pset_chunk(layout.get(), static_cast<int>(chunk.size()), chunk.data()), "writing");
  check(H5Pset_shuffle(layout.get()), "writing");
  check(H5Pset_deflate(layout.get(), 6), "writing");
  const Hdf5Handle groups = create_groups();
  const Hdf5Handle set(H5Dcreate2(file_, path.c_str(), stored_as, space.get(), groups.get(),
                                  layout.get(), H5P_DEFAULT),
                       H5Dclose);
  check(set.get(), "writing");
  check(H5Dwrite(set.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "writing");
}

void Hdf5Writer::write_compressed(const std::string& path, std::span<const std::size_t> shape,
                                  std::span<const float> values) {
  check_count(shape, values.size(), path, shown_);
  write_chunks(path, shape, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, values.data());
}

void Hdf5Writer::write_compressed(const std::string& path, std::span<const std::size_t> shape,
                                  std::span<const std::int8_t> values) {
  check_count(shape, values.size(), path, shown_);
  write_chunks(path, shape, H5T_STD_I8LE, H5T_NATIVE_INT8, values.data());
}

void Hdf5Writer::write_text(const std::string& path, const std::string& text) {
  const Hdf5Handle type = text_type(text);
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle set(H5Dcreate2(file_, path.c_str(), type.get(), space.get(), H5P_DEFAULT,
                                  without_times().get(), H5P_DEFAULT),
                       H5Dclose);
  check(set.get(), "writing");
  check(H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()), "writing");
}

void Hdf5Writer::attribute(const std::string& path, const std::string& name,
                           const std::string& value) {
  const Hdf5Handle object(H5Oopen(file_, path.c_str(), H5P_DEFAULT), H5Oclose);
  const Hdf5Handle type = text_type(value);
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute(
      H5Acreate2(object.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  check(H5Awrite(attribute.get(), type.get(), value.c_str()), "writing");
}

void Hdf5Writer::attribute(const std::string& path, const std::string& name, std::int64_t value) {
  const Hdf5Handle object(H5Oopen(file_, path.c_str(), H5P_DEFAULT), H5Oclose);
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute(
      H5Acreate2(object.get(), name.c_str(), H5T_STD_I64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  check(H5Awrite(attribute.get(), H5T_NATIVE_INT64, &value), "writing");
}

void Hdf5Writer::attribute(const std::string& path, const std::string& name, double value) {
  const Hdf5Handle object(H5Oopen(file_, path.c_str(), H5P_DEFAULT), H5Oclose);
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute(
      H5Acreate2(object.get(), name.c_str(), H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  check(H5Awrite(attribute.get(), H5T_NATIVE_DOUBLE, &value), "writing");
}

std::vector<char> Hdf5Writer::bytes() {
  check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "writing");
  const auto size = H5Fget_file_image(file_, nullptr, 0);
  check(size, "writing");
  std::vector<char> image(static_cast<std::size_t>(size));
  check(H5Fget_file_image(file_, image.data(), image.size()), "writing");
  check(H5Fclose(std::exchange(file_, -1)), "writing");
  return image;
}

}  // namespace ermine
