// Whatever a table file holds, reading it ends with a table that passes its own check or with an
// Error that says why not. Arbitrary bytes do not get past the checksum, so most inputs are taken
// for the contents of a table, which is written, sealed and read back.

#include <ermine/error.hpp>

#include "files/sealed_file.hpp"
#include "in_memory.hpp"
#include "spectra/table_file.hpp"

#include <cstdint>
#include <cstdlib>
#include <fuzzer/FuzzedDataProvider.h>

namespace {

using namespace ermine;

double number(FuzzedDataProvider& in) {
  switch (in.ConsumeIntegralInRange(0, 3)) {
    case 0:
      return in.ConsumeIntegral<std::int8_t>();
    case 1:
      return in.ConsumeProbability<double>();
    default:
      return in.ConsumeFloatingPoint<double>();
  }
}

template <class Real>
void change_one(FuzzedDataProvider& in, std::vector<Real>& values) {
  const std::size_t at = in.ConsumeIntegralInRange<std::size_t>(0, values.size());
  if (at == values.size()) {
    values.resize(in.ConsumeIntegralInRange<std::size_t>(0, 40));
  } else {
    values[at] = static_cast<Real>(number(in));
  }
}

void change_bands(FuzzedDataProvider& in, std::vector<Band>& bands) {
  const std::size_t at = in.ConsumeIntegralInRange<std::size_t>(0, bands.size());
  if (at == bands.size()) {
    bands.resize(in.ConsumeIntegralInRange<std::size_t>(0, 5));
  } else {
    (in.ConsumeBool() ? bands[at].low_cm1 : bands[at].high_cm1) = number(in);
  }
}

Manifest manifest(FuzzedDataProvider& in) {
  return {{{in.ConsumeRandomLengthString(20), in.ConsumeRandomLengthString(20)}},
          in.ConsumeRandomLengthString(20),
          in.ConsumeRandomLengthString(20),
          in.ConsumeRandomLengthString(20)};
}

/// A sound table, then changes to it.
SpectralTable table(FuzzedDataProvider& in) {
  SpectralTable table;
  table.kind = in.ConsumeBool() ? TableKind::k_distribution : TableKind::line_by_line;
  table.gas = "H2O";
  table.pressure = 1e5;
  const int bands = in.ConsumeIntegralInRange(1, 3);
  for (int b = 0; b < bands; ++b) table.bands.push_back({100.0 + b, 101.0 + b});
  table.quadrature = Quadrature::equal_parts(in.ConsumeIntegralInRange(1, 3));
  const int temperatures = in.ConsumeIntegralInRange(1, 3);
  for (int t = 0; t < temperatures; ++t) table.temperature.push_back(300.0 + 100 * t);
  table.absorption.assign(table.point_count() * table.temperature.size(), 1.0F);
  for (int changes = in.ConsumeIntegralInRange(0, 5); changes > 0; --changes) {
    switch (in.ConsumeIntegralInRange(0, 8)) {
      case 0:
        table.gas = in.ConsumeRandomLengthString(20).c_str();  // texts end at a zero
        break;
      case 1:
        table.pressure = number(in);
        break;
      case 2:
        table.mole_fraction = number(in);
        break;
      case 3:
        change_bands(in, table.bands);
        break;
      case 4:
        change_one(in, table.quadrature.node);
        break;
      case 5:
        change_one(in, table.quadrature.weight);
        break;
      case 6:
        change_one(in, table.temperature);
        break;
      case 7:
        table.manifest = manifest(in);
        break;
      default:
        change_one(in, table.absorption);
    }
  }
  return table;
}

/// As the file keeps them.
void round_to_single(std::vector<double>& values) {
  for (double& value : values) value = static_cast<float>(value);
}

NarrowBandParameters parameters(FuzzedDataProvider& in) {
  NarrowBandParameters parameters;
  parameters.species = in.PickValueInArray({Species::h2o, Species::co2, Species::co, Species::ch4});
  const int bands = in.ConsumeIntegralInRange(1, 3);
  for (int b = 0; b < bands; ++b) parameters.bands.push_back({100.0 + b, 101.0 + b});
  const int temperatures = in.ConsumeIntegralInRange(1, 3);
  for (int t = 0; t < temperatures; ++t) parameters.temperature.push_back(300.0 + 100 * t);
  parameters.mean_absorption.assign(static_cast<std::size_t>(bands * temperatures), 1.0);
  parameters.inverse_spacing = parameters.mean_absorption;
  for (int changes = in.ConsumeIntegralInRange(0, 5); changes > 0; --changes) {
    switch (in.ConsumeIntegralInRange(0, 4)) {
      case 0:
        change_bands(in, parameters.bands);
        break;
      case 1:
        change_one(in, parameters.temperature);
        break;
      case 2:
        change_one(in, parameters.mean_absorption);
        break;
      case 3:
        change_one(in, parameters.inverse_spacing);
        break;
      default:
        parameters.manifest = manifest(in);
    }
  }
  round_to_single(parameters.mean_absorption);
  round_to_single(parameters.inverse_spacing);
  return parameters;
}

/// Reads the bytes as each kind of table. How many of them they turned out to hold.
int readable(std::span<const char> bytes) {
  int count = 0;
  const auto attempt = [&](auto parse) {
    try {
      parse();
      ++count;
    } catch (const Error&) {
    }
  };
  attempt([&] { parse_table(bytes, "fuzz").check(); });
  attempt([&] { parse_narrow_band(bytes, "fuzz").check(); });
  attempt([&] { parse_any_table(bytes, "fuzz"); });
  return count;
}

/// What passes its check must be readable as what it is; what does not must not.
template <class Table>
void write_and_read(const Table& table) {
  std::string bytes;
  try {
    bytes = sealed(hdf5_bytes(table), table_seal);
  } catch (const Error&) {
    return;
  }
  bool sound = true;
  try {
    table.check();
  } catch (const Error&) {
    sound = false;
  }
  if (readable(bytes) != (sound ? 2 : 0)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  fuzz::keep_memory_of_hdf5();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider in(data, size);
  switch (in.ConsumeIntegralInRange(0, 2)) {
    case 0:
      write_and_read(table(in));
      break;
    case 1:
      write_and_read(parameters(in));
      break;
    default: {
      const std::string bytes = in.ConsumeRemainingBytesAsString();
      if (readable(bytes) != 0) std::abort();
    }
  }
  return 0;
}
