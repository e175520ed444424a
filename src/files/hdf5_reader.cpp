#include "core/check.hpp"
#include "core/memory.hpp"
#include "files/hdf5.hpp"
#include "files/hdf5_stored.hpp"
#include "files/sealed_file.hpp"

#include <functional>
#include <numeric>
#include <type_traits>

namespace ermine {
namespace {

std::string joined(const std::vector<std::size_t>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

Hdf5Handle open_dataset(std::int64_t file, const std::string& name, const std::string& dataset) {
  Hdf5Handle set(H5Dopen2(file, dataset.c_str(), link_access().get()), H5Dclose);
  ERMINE_REQUIRE(set, "{} has no dataset '{}', list its contents with h5ls -r", name, dataset);
  require_own_data(set, dataset,
                   name);  // before the shape, which virtual storage may open files for
  const Hdf5Handle type(H5Dget_type(set.get()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type.get());
  ERMINE_REQUIRE(kind == H5T_FLOAT || kind == H5T_INTEGER,
                 "dataset '{}' of {} does not hold numbers, name another one", dataset, name);
  return set;
}

std::vector<std::size_t> shape_of(const Hdf5Handle& set) {
  const Hdf5Handle space(H5Dget_space(set.get()), H5Sclose);
  std::vector<hsize_t> dimensions(
      static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.get()))));
  H5Sget_simple_extent_dims(space.get(), dimensions.data(), nullptr);
  return {dimensions.begin(), dimensions.end()};
}

Hdf5Handle open_attribute(std::int64_t file, const std::string& name,
                          const std::string& attribute) {
  Hdf5Handle found(H5Aopen(file, attribute.c_str(), H5P_DEFAULT), H5Aclose);
  ERMINE_REQUIRE(found, "{} has no attribute '{}', list its contents with h5dump -A", name,
                 attribute);
  return found;
}

}  // namespace

Hdf5Reader::Hdf5Reader(const std::filesystem::path& file) : name_(file.string()), file_(-1) {
  silence_hdf5();
  check_seal_if_any(file);
  file_ = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ERMINE_REQUIRE(file_ >= 0,
                 "{} is not a readable HDF5 file (foreign or truncated), check its origin", name_);
}

Hdf5Reader::Hdf5Reader(std::span<const char> bytes, std::string name)
    : name_(std::move(name)), file_(-1) {
  silence_hdf5();
  const Hdf5Handle in_memory(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t increment = 1u << 20;
  H5Pset_fapl_core(in_memory.get(), increment, false);
  // HDF5 copies the bytes; it takes a pointer to non-const all the same.
  H5Pset_file_image(in_memory.get(), const_cast<char*>(bytes.data()), bytes.size());
  // HDF5 wants a name, which must not be that of a file; none can be below /dev/null.
  file_ = H5Fopen("/dev/null/bytes", H5F_ACC_RDONLY, in_memory.get());
  ERMINE_REQUIRE(file_ >= 0,
                 "{} is not a readable HDF5 file (foreign or truncated), check its origin", name_);
}

Hdf5Reader::~Hdf5Reader() {
  if (file_ >= 0) H5Fclose(file_);
}

std::vector<std::size_t> Hdf5Reader::shape(const std::string& dataset) const {
  return shape_of(open_dataset(file_, name_, dataset));
}

template <class Real>
std::vector<Real> Hdf5Reader::read_as(const std::string& dataset,
                                      const std::vector<std::size_t>& wanted) const {
  const Hdf5Handle set = open_dataset(file_, name_, dataset);
  const std::vector<std::size_t> found = shape_of(set);
  ERMINE_REQUIRE(found == wanted,
                 "dataset '{}' of {} has shape {}, but {} is needed (slowest axis first)", dataset,
                 name_, joined(found), joined(wanted));
  // In floating point, where the product of dimensions cannot wrap around.
  const double needed =
      std::accumulate(found.begin(), found.end(), 1.0 * sizeof(Real), std::multiplies<>());
  ERMINE_REQUIRE(needed < 0.8 * physical_memory(),
                 "dataset '{}' of {} needs {:.1f} GB of memory, this machine has {:.1f} GB, check "
                 "its shape {}",
                 dataset, name_, needed / 1e9, physical_memory() / 1e9, joined(found));
  require_written(set, dataset, name_);
  std::vector<Real> values(
      std::accumulate(found.begin(), found.end(), std::size_t{1}, std::multiplies<>()));
  const hid_t type = std::is_same_v<Real, float>    ? H5T_NATIVE_FLOAT
                     : std::is_same_v<Real, double> ? H5T_NATIVE_DOUBLE
                                                    : H5T_NATIVE_INT8;
  ERMINE_REQUIRE(H5Dread(set.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0,
                 "reading dataset '{}' of {} failed (truncated or damaged file), copy it again",
                 dataset, name_);
  return values;
}

std::vector<double> Hdf5Reader::read(const std::string& dataset,
                                     const std::vector<std::size_t>& wanted) const {
  return read_as<double>(dataset, wanted);
}

std::vector<float> Hdf5Reader::read_single(const std::string& dataset,
                                           const std::vector<std::size_t>& wanted) const {
  return read_as<float>(dataset, wanted);
}

std::vector<std::int8_t> Hdf5Reader::read_bytes(const std::string& dataset,
                                                const std::vector<std::size_t>& wanted) const {
  return read_as<std::int8_t>(dataset, wanted);
}

bool Hdf5Reader::has(const std::string& dataset) const {
  return H5Lexists(file_, dataset.c_str(), H5P_DEFAULT) > 0;
}

std::string Hdf5Reader::text(const std::string& attribute) const {
  const Hdf5Handle found = open_attribute(file_, name_, attribute);
  const Hdf5Handle type(H5Aget_type(found.get()), H5Tclose);
  const Hdf5Handle space(H5Aget_space(found.get()), H5Sclose);
  ERMINE_REQUIRE(H5Tget_class(type.get()) == H5T_STRING && !H5Tis_variable_str(type.get()) &&
                     H5Sget_simple_extent_npoints(space.get()) == 1,
                 "attribute '{}' of {} is not one text of fixed length, write it so", attribute,
                 name_);
  std::string text(H5Tget_size(type.get()), '\0');
  ERMINE_REQUIRE(H5Aread(found.get(), type.get(), text.data()) >= 0,
                 "reading attribute '{}' of {} failed (damaged file), copy it again", attribute,
                 name_);
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

double Hdf5Reader::number(const std::string& attribute) const {
  const Hdf5Handle found = open_attribute(file_, name_, attribute);
  const Hdf5Handle space(H5Aget_space(found.get()), H5Sclose);
  double value = 0.0;
  ERMINE_REQUIRE(H5Sget_simple_extent_npoints(space.get()) == 1 &&
                     H5Aread(found.get(), H5T_NATIVE_DOUBLE, &value) >= 0,
                 "attribute '{}' of {} is not a number, write one", attribute, name_);
  return value;
}

Hdf5Array read_hdf5(const std::filesystem::path& file, const std::string& dataset) {
  const Hdf5Reader in(file);
  Hdf5Array array{in.shape(dataset), {}};
  array.values = in.read(dataset, array.shape);
  return array;
}

std::vector<double> read_hdf5(const std::filesystem::path& file, const std::string& dataset,
                              const std::vector<std::size_t>& shape) {
  return Hdf5Reader(file).read(dataset, shape);
}

}  // namespace ermine
