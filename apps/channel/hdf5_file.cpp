#include "hdf5_file.hpp"

#include <ermine/error.hpp>

#include <fmt/format.h>

#include <functional>
#include <numeric>
#include <utility>

namespace channel {
namespace {

/// Closes what HDF5 has opened.
struct Handle {
  hid_t id;
  herr_t (*close)(hid_t);
  Handle(hid_t opened, herr_t (*closer)(hid_t)) : id(opened), close(closer) {}
  ~Handle() {
    if (id >= 0) close(id);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  explicit operator bool() const { return id >= 0; }
};

hsize_t count_of(const Extent& extent) {
  return std::accumulate(extent.begin(), extent.end(), hsize_t{1}, std::multiplies<>());
}

/// Makes the folders of a name.
hid_t with_folders() {
  const hid_t list = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(list, 1);
  return list;
}

/// Room in front of the file for a seal.
hid_t with_room() {
  const hid_t list = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_userblock(list, ermine::seal_size);
  return list;
}

}  // namespace

Hdf5Writer::Hdf5Writer(const std::filesystem::path& target, const ermine::Seal& seal)
    : pending_(target), seal_(seal) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const Handle room(with_room(), H5Pclose);
  file_ = H5Fcreate(pending_.temporary().c_str(), H5F_ACC_TRUNC, room.id, H5P_DEFAULT);
  check(file_ >= 0, "creating it");
}

Hdf5Writer::~Hdf5Writer() {
  if (planes_ >= 0) H5Dclose(planes_);
  if (file_ >= 0) H5Fclose(file_);
}

void Hdf5Writer::check(bool good, const std::string& what) const {
  if (good) return;
  throw ermine::Error(
      fmt::format("{}: {} failed, check permissions and free space on the disk; an older file of "
                  "that name is untouched",
                  pending_.target().string(), what));
}

void Hdf5Writer::numbers(const std::string& name, const Extent& extent, const double* values) {
  const Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr),
                     H5Sclose);
  const Handle folders(with_folders(), H5Pclose);
  const Handle data(H5Dcreate2(file_, name.c_str(), H5T_IEEE_F64LE, space.id, folders.id,
                               H5P_DEFAULT, H5P_DEFAULT),
                    H5Dclose);
  check(data && (count_of(extent) == 0 ||
                 H5Dwrite(data.id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0),
        "writing " + name);
}

void Hdf5Writer::bytes(const std::string& name, std::string_view values) {
  const hsize_t count = values.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle folders(with_folders(), H5Pclose);
  const Handle data(
      H5Dcreate2(file_, name.c_str(), H5T_STD_U8LE, space.id, folders.id, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  check(data && (count == 0 || H5Dwrite(data.id, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                        values.data()) >= 0),
        "writing " + name);
}

void Hdf5Writer::text(const std::string& name, const std::string& value) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id, std::max<std::size_t>(value.size(), 1));
  H5Tset_cset(type.id, H5T_CSET_UTF8);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle folders(with_folders(), H5Pclose);
  const Handle data(
      H5Dcreate2(file_, name.c_str(), type.id, space.id, folders.id, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  check(data && H5Dwrite(data.id, type.id, H5S_ALL, H5S_ALL, H5P_DEFAULT, value.c_str()) >= 0,
        "writing " + name);
}

void Hdf5Writer::begin_planes(const std::string& name, const Extent& extent) {
  extent_ = extent;
  const Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr),
                     H5Sclose);
  const Handle folders(with_folders(), H5Pclose);
  planes_ = H5Dcreate2(file_, name.c_str(), H5T_IEEE_F64LE, space.id, folders.id, H5P_DEFAULT,
                       H5P_DEFAULT);
  check(planes_ >= 0, "writing " + name);
}

void Hdf5Writer::plane(hsize_t i, const double* values) {
  Extent start(extent_.size(), 0), count = extent_;
  start[0] = i;
  count[0] = 1;
  const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                      H5Sclose);
  const Handle space(H5Dget_space(planes_), H5Sclose);
  H5Sselect_hyperslab(space.id, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  check(H5Dwrite(planes_, H5T_NATIVE_DOUBLE, memory.id, space.id, H5P_DEFAULT, values) >= 0,
        "writing a plane");
}

void Hdf5Writer::end_planes() {
  check(H5Dclose(std::exchange(planes_, -1)) >= 0, "writing planes");
}

void Hdf5Writer::commit() {
  check(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0, "writing");
  check(H5Fclose(std::exchange(file_, -1)) >= 0, "closing");
  ermine::write_seal(pending_, seal_);
  pending_.commit();
}

Hdf5Reader::Hdf5Reader(std::filesystem::path file) : path_(std::move(file)) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  file_ = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  check(file_ >= 0, "cannot be read as HDF5");
}

Hdf5Reader::~Hdf5Reader() {
  if (file_ >= 0) H5Fclose(file_);
}

void Hdf5Reader::check(bool good, const std::string& what) const {
  if (good) return;
  throw ermine::Error(
      fmt::format("{}: {}, give a restart file of this program", path_.string(), what));
}

bool Hdf5Reader::has(const std::string& name) const {
  std::string so_far;
  for (std::size_t slash = 0; slash != std::string::npos;) {
    slash = name.find('/', slash + 1);
    so_far = name.substr(0, slash);
    if (H5Lexists(file_, so_far.c_str(), H5P_DEFAULT) <= 0) return false;
  }
  return true;
}

Extent Hdf5Reader::extent(const std::string& name) const {
  check(has(name), "has no " + name);
  const Handle data(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  check(static_cast<bool>(data), name + " cannot be read");
  const Handle space(H5Dget_space(data.id), H5Sclose);
  Extent extent(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.id), 0)));
  H5Sget_simple_extent_dims(space.id, extent.data(), nullptr);
  // All that this program writes lies in the file, one number after the other. In floating point
  // the product of dimensions cannot wrap around.
  const Handle type(H5Dget_type(data.id), H5Tclose);
  const double size = std::accumulate(
      extent.begin(), extent.end(), static_cast<double>(H5Tget_size(type.id)), std::multiplies<>());
  hsize_t whole = 0;
  check(H5Fget_filesize(file_, &whole) >= 0 && size <= static_cast<double>(whole) &&
            size == static_cast<double>(H5Dget_storage_size(data.id)),
        name + " is not as large as it claims");
  return extent;
}

std::vector<double> Hdf5Reader::numbers(const std::string& name) const {
  std::vector<double> values(count_of(extent(name)));
  const Handle data(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  check(values.empty() ||
            H5Dread(data.id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0,
        name + " cannot be read");
  return values;
}

std::vector<char> Hdf5Reader::bytes(const std::string& name) const {
  std::vector<char> values(count_of(extent(name)));
  const Handle data(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  check(values.empty() ||
            H5Dread(data.id, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0,
        name + " cannot be read");
  return values;
}

std::vector<double> Hdf5Reader::plane(const std::string& name, hsize_t i) const {
  Extent count = extent(name), start(count.size(), 0);
  check(count.size() == 3 && i < count[0], name + " has another shape");
  start[0] = i;
  count[0] = 1;
  const Handle data(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle memory(H5Screate_simple(3, count.data(), nullptr), H5Sclose);
  const Handle space(H5Dget_space(data.id), H5Sclose);
  H5Sselect_hyperslab(space.id, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  std::vector<double> values(count_of(count));
  check(H5Dread(data.id, H5T_NATIVE_DOUBLE, memory.id, space.id, H5P_DEFAULT, values.data()) >= 0,
        name + " cannot be read");
  return values;
}

}  // namespace channel
