#pragma once

#include <ermine/lines.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace ermine::test {

/// A 160-column HITRAN record, the fields that ermine reads one by one.
inline std::string hitran_record(const std::string& molecule, const std::string& wavenumber,
                                 const std::string& strength, const std::string& air,
                                 const std::string& self, const std::string& energy,
                                 const std::string& exponent, const std::string& shift) {
  const auto field = [](const std::string& text, std::size_t width) {
    return std::string(width - text.size(), ' ') + text;
  };
  std::string record = field(molecule, 3) + field(wavenumber, 12) + field(strength, 10) +
                       field("1.000E+00", 10) + field(air, 5) + field(self, 5) + field(energy, 10) +
                       field(exponent, 4) + field(shift, 8);
  record.resize(160, ' ');
  record.back() = '1';
  return record + "\n";
}

inline std::vector<SpectralLine> lines_of(const std::string& text) {
  std::vector<SpectralLine> lines;
  std::istringstream in(text);
  read_lines(in, "lines.par", [&](const SpectralLine& line) { lines.push_back(line); });
  return lines;
}

inline PartitionSums sums_of(const std::string& text) {
  std::istringstream in(text);
  return PartitionSums::read(in, "sums.csv");
}

}  // namespace ermine::test
