#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace ermine {

/// All bytes of a file.
std::vector<char> read_bytes(const std::filesystem::path& file);

/// A sealed file is an HDF5 file behind a block of 512 bytes, which HDF5 calls a user block and
/// passes over:
///   ermine table 1\n
///   sha256 <checksum of everything after the block>\n
///   zeros
/// A truncated, foreign or damaged file is found out before the HDF5 library, which is not made
/// for broken input, looks at it.
std::string sealed(std::span<const char> hdf5);
void write_sealed(std::span<const char> hdf5, const std::filesystem::path& file);

/// Checks the seal and returns the HDF5 bytes behind it. `name` stands for the file in messages.
std::span<const char> open_seal(std::span<const char> bytes, const std::string& name);

}  // namespace ermine
