#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace ermine {

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();
  void add(std::span<const char> bytes);
  /// Hexadecimal, as sha256sum prints it.
  std::string digits() const;

 private:
  std::array<std::uint32_t, 8> state_;
  std::array<unsigned char, 64> rest_{};  ///< of a block that is not full yet
  std::size_t size_ = 0;
};

/// The same of some bytes.
std::string sha256(std::span<const char> bytes);

/// The same of a file's contents behind its first `from` bytes.
std::string sha256_of_file(const std::filesystem::path& file, std::size_t from = 0);

}  // namespace ermine
