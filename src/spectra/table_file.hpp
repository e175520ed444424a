#pragma once

#include <ermine/files.hpp>
#include <ermine/narrow_band.hpp>
#include <ermine/spectral_table.hpp>

#include <span>
#include <string>
#include <variant>
#include <vector>

namespace ermine {

inline constexpr Seal table_seal{"table", 1, "build one with ermine spectra"};

/// A table or parameters as the bytes of a sealed file (docs/formats/table.md); `name` stands for
/// the file in messages.
SpectralTable parse_table(std::span<const char> bytes, const std::string& name);
NarrowBandParameters parse_narrow_band(std::span<const char> bytes, const std::string& name);

/// Whichever of the two the bytes hold.
std::variant<SpectralTable, NarrowBandParameters> parse_any_table(std::span<const char> bytes,
                                                                  const std::string& name);

/// The HDF5 bytes without the seal, whatever the table holds.
std::vector<char> hdf5_bytes(const SpectralTable& table);
std::vector<char> hdf5_bytes(const NarrowBandParameters& parameters);

}  // namespace ermine
