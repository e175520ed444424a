#pragma once

#include <ermine/files.hpp>

#include <hdf5.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace channel {

using Extent = std::vector<hsize_t>;

/// A file that appears under its name only when it is whole: written beside it, flushed to the
/// disk, then renamed. Throws ermine::Error where something cannot be written.
class Hdf5Writer {
 public:
  /// The seal is what ermine::check_seal() looks at before HDF5 reads the file.
  explicit Hdf5Writer(const std::filesystem::path& target,
                      const ermine::Seal& seal = {"channel result", 1, "run the case anew"});
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  /// Folders of `name` are made.
  void numbers(const std::string& name, const Extent& extent, const double* values);
  void numbers(const std::string& name, const std::vector<double>& values) {
    numbers(name, {values.size()}, values.data());
  }
  void bytes(const std::string& name, std::string_view values);
  void text(const std::string& name, const std::string& value);
  /// One plane after the other, along the first axis.
  void begin_planes(const std::string& name, const Extent& extent);
  void plane(hsize_t i, const double* values);
  void end_planes();
  void commit();

 private:
  void check(bool good, const std::string& what) const;

  ermine::PendingFile pending_;
  ermine::Seal seal_;
  hid_t file_ = -1, planes_ = -1;
  Extent extent_;
};

class Hdf5Reader {
 public:
  explicit Hdf5Reader(std::filesystem::path file);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  bool has(const std::string& name) const;
  Extent extent(const std::string& name) const;
  std::vector<double> numbers(const std::string& name) const;
  std::vector<char> bytes(const std::string& name) const;
  std::vector<double> plane(const std::string& name, hsize_t i) const;

 private:
  void check(bool good, const std::string& what) const;

  std::filesystem::path path_;
  hid_t file_ = -1;
};

}  // namespace channel
