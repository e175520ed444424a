#include "files/hdf5.hpp"

#include "core/check.hpp"

#include <hdf5.h>

#include <fstream>
#include <functional>
#include <numeric>
#include <system_error>
#include <utility>

namespace ermine {
namespace {

/// Closes an HDF5 identifier when it goes out of scope.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// HDF5 prints its error stack by default; ermine reports errors itself.
void silence_hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

Handle create_groups() {
  Handle list(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(list.get(), 1);
  return list;
}

/// Fixed-length UTF-8 text: readable by every HDF5 tool.
Handle text_type(const std::string& text) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), text.size() + 1);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

}  // namespace

Hdf5Writer::Hdf5Writer(const std::filesystem::path& file) : Hdf5Writer(file, file) {}

Hdf5Writer::Hdf5Writer(const std::filesystem::path& file, const std::filesystem::path& shown)
    : path_(file), shown_(shown), file_(-1) {
  silence_hdf5();
  const Handle in_memory(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t increment = 1u << 20;
  check(H5Pset_fapl_core(in_memory.get(), increment, false), "creating");
  file_ = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, in_memory.get());
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
  const std::vector<hsize_t> dimensions(shape.begin(), shape.end());
  const Handle space(
      H5Screate_simple(static_cast<int>(dimensions.size()), dimensions.data(), nullptr), H5Sclose);
  const Handle groups = create_groups();
  const Handle set(H5Dcreate2(file_, path.c_str(), H5T_IEEE_F64LE, space.get(), groups.get(),
                              H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose);
  check(set.get(), "writing");
  check(H5Dwrite(set.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        "writing");
}

void Hdf5Writer::write_text(const std::string& path, const std::string& text) {
  const Handle type = text_type(text);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle set(H5Dcreate2(file_, path.c_str(), type.get(), space.get(), H5P_DEFAULT,
                              H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose);
  check(set.get(), "writing");
  check(H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()), "writing");
}

void Hdf5Writer::attribute(const std::string& path, const std::string& name,
                           const std::string& value) {
  const Handle object(H5Oopen(file_, path.c_str(), H5P_DEFAULT), H5Oclose);
  const Handle type = text_type(value);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(
      H5Acreate2(object.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  check(H5Awrite(attribute.get(), type.get(), value.c_str()), "writing");
}

void Hdf5Writer::attribute(const std::string& path, const std::string& name, std::int64_t value) {
  const Handle object(H5Oopen(file_, path.c_str(), H5P_DEFAULT), H5Oclose);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(
      H5Acreate2(object.get(), name.c_str(), H5T_STD_I64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  check(H5Awrite(attribute.get(), H5T_NATIVE_INT64, &value), "writing");
}

void Hdf5Writer::close() {
  check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "writing");
  const auto size = H5Fget_file_image(file_, nullptr, 0);
  check(size, "writing");
  std::vector<char> image(static_cast<std::size_t>(size));
  check(H5Fget_file_image(file_, image.data(), image.size()), "writing");
  check(H5Fclose(std::exchange(file_, -1)), "writing");
  std::ofstream out(path_, std::ios::binary);
  out.write(image.data(), static_cast<std::streamsize>(image.size()));
  out.close();
  check(out ? 0 : -1, "writing");
}

namespace {

std::string joined(const std::vector<std::size_t>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

/// `wanted` is null if any shape will do.
Hdf5Array read_array(const std::filesystem::path& file, const std::string& dataset,
                     const std::vector<std::size_t>* wanted) {
  silence_hdf5();
  std::error_code unreadable;
  ERMINE_REQUIRE(std::filesystem::is_regular_file(file, unreadable),
                 "cannot read {}, check that the file exists and may be read", file.string());
  const Handle in(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  ERMINE_REQUIRE(in, "{} is not a readable HDF5 file (foreign or truncated), check its origin",
                 file.string());
  const Handle set(H5Dopen2(in.get(), dataset.c_str(), H5P_DEFAULT), H5Dclose);
  ERMINE_REQUIRE(set, "{} has no dataset '{}', list its contents with h5ls -r", file.string(),
                 dataset);
  const Handle type(H5Dget_type(set.get()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type.get());
  ERMINE_REQUIRE(kind == H5T_FLOAT || kind == H5T_INTEGER,
                 "dataset '{}' of {} does not hold numbers, name another one", dataset,
                 file.string());
  const Handle space(H5Dget_space(set.get()), H5Sclose);
  std::vector<hsize_t> dimensions(
      static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.get())));
  H5Sget_simple_extent_dims(space.get(), dimensions.data(), nullptr);
  Hdf5Array array;
  array.shape.assign(dimensions.begin(), dimensions.end());
  ERMINE_REQUIRE(!wanted || array.shape == *wanted,
                 "dataset '{}' of {} has shape {}, this grid needs {} (slowest axis first)",
                 dataset, file.string(), joined(array.shape), joined(*wanted));
  array.values.resize(
      std::accumulate(array.shape.begin(), array.shape.end(), std::size_t{1}, std::multiplies<>()));
  ERMINE_REQUIRE(H5Dread(set.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                         array.values.data()) >= 0,
                 "reading dataset '{}' of {} failed (truncated or damaged file), copy it again",
                 dataset, file.string());
  return array;
}

}  // namespace

Hdf5Array read_hdf5(const std::filesystem::path& file, const std::string& dataset) {
  return read_array(file, dataset, nullptr);
}

std::vector<double> read_hdf5(const std::filesystem::path& file, const std::string& dataset,
                              const std::vector<std::size_t>& shape) {
  return read_array(file, dataset, &shape).values;
}

}  // namespace ermine
