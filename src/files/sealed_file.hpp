#pragma once

#include <ermine/files.hpp>

#include <filesystem>
#include <span>
#include <string>

namespace ermine {

/// The bytes of a sealed file, see Seal.
std::string sealed(std::span<const char> hdf5, const Seal& seal);
void write_sealed(std::span<const char> hdf5, const Seal& seal, const std::filesystem::path& file);

/// Checks the seal and returns the HDF5 bytes behind it. `name` stands for the file in messages.
std::span<const char> open_seal(std::span<const char> bytes, const Seal& seal,
                                const std::string& name);

/// The same of whatever ermine has sealed, for files that may come from other programs: these have
/// no seal, and nothing is checked.
void check_seal_if_any(const std::filesystem::path& file);

}  // namespace ermine
