#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace ermine {

/// An array as HDF5 stores it: slowest dimension first.
struct Hdf5Array {
  std::vector<std::size_t> shape;
  std::vector<double> values;
};

/// Writes an HDF5 file. Every failure (no space left, say) throws Error; close() must be called, a
/// file that is not closed is incomplete.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::filesystem::path& file);
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  /// Groups in `path` are created as needed.
  void write(const std::string& path, std::span<const std::size_t> shape,
             std::span<const double> values);
  void write_text(const std::string& path, const std::string& text);
  /// `path` names a dataset, or "/" for the file.
  void attribute(const std::string& path, const std::string& name, const std::string& value);
  void attribute(const std::string& path, const std::string& name, std::int64_t value);
  void close();

 private:
  void check(std::int64_t status, const char* doing) const;

  std::filesystem::path path_;
  std::int64_t file_;
};

/// Reads one numeric dataset as double. Errors say what is wrong with the file.
Hdf5Array read_hdf5(const std::filesystem::path& file, const std::string& dataset);

}  // namespace ermine
