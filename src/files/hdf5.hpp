#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace ermine {

/// An array as HDF5 stores it: slowest dimension first.
struct Hdf5Array {
  std::vector<std::size_t> shape;
  std::vector<double> values;
};

/// The HDF5 library need not be made for several threads, that for MPI never is: whoever uses it
/// keeps others out.
class Hdf5Turn {
 public:
  Hdf5Turn() : lock_(mutex()) {}

 private:
  static std::recursive_mutex& mutex() {
    static std::recursive_mutex of_all;
    return of_all;
  }
  std::lock_guard<std::recursive_mutex> lock_;
};

/// The bytes of an HDF5 file. They are put together in memory, since the HDF5 library (1.10)
/// crashes at exit after a write that failed, on a full disk, say. Every failure throws Error.
class Hdf5Writer {
 public:
  /// `file` is named in messages.
  explicit Hdf5Writer(const std::filesystem::path& file, std::size_t expected_bytes = 0);
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  /// Groups in `path` are created as needed.
  void write(const std::string& path, std::span<const std::size_t> shape,
             std::span<const double> values);
  /// Room for as many, to be written by others later.
  void reserve(const std::string& path, std::span<const std::size_t> shape);
  /// Compressed.
  void write_compressed(const std::string& path, std::span<const std::size_t> shape,
                        std::span<const std::int8_t> values);
  void write_compressed(const std::string& path, std::span<const std::size_t> shape,
                        std::span<const float> values);
  void write_text(const std::string& path, const std::string& text);
  /// `path` names a dataset, or "/" for the file.
  void attribute(const std::string& path, const std::string& name, const std::string& value);
  void attribute(const std::string& path, const std::string& name, std::int64_t value);
  void attribute(const std::string& path, const std::string& name, double value);
  /// Nothing can be written after this.
  std::vector<char> bytes();

 private:
  void check(std::int64_t status, const char* doing) const;
  void write_chunks(const std::string& path, std::span<const std::size_t> shape,
                    std::int64_t stored_as, std::int64_t type, const void* values);

  Hdf5Turn turn_;
  std::filesystem::path shown_;
  std::int64_t file_;
};

/// Reads an HDF5 file, or its bytes. Errors say what is wrong with the file.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(const std::filesystem::path& file);
  /// `name` stands for the file in messages.
  Hdf5Reader(std::span<const char> bytes, std::string name);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  bool has(const std::string& dataset) const;  ///< whose group is there
  std::vector<std::size_t> shape(const std::string& dataset) const;
  /// Any numeric dataset. With a `wanted` shape, another one is an error and is not read.
  std::vector<double> read(const std::string& dataset,
                           const std::vector<std::size_t>& wanted) const;
  std::vector<float> read_single(const std::string& dataset,
                                 const std::vector<std::size_t>& wanted) const;
  std::vector<std::int8_t> read_bytes(const std::string& dataset,
                                      const std::vector<std::size_t>& wanted) const;
  /// Attributes of the file.
  std::string text(const std::string& attribute) const;
  double number(const std::string& attribute) const;

 private:
  template <class Real>
  std::vector<Real> read_as(const std::string& dataset,
                            const std::vector<std::size_t>& wanted) const;

  Hdf5Turn turn_;
  std::string name_;
  std::int64_t file_;
};

/// Reads one numeric dataset as double.
Hdf5Array read_hdf5(const std::filesystem::path& file, const std::string& dataset);

/// The same for a dataset of known shape; another shape is an error and is not read.
std::vector<double> read_hdf5(const std::filesystem::path& file, const std::string& dataset,
                              const std::vector<std::size_t>& shape);

}  // namespace ermine
