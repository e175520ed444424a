#include "spectra/table_file.hpp"

#include "core/check.hpp"
#include "core/fp_guard.hpp"
#include "core/memory.hpp"
#include "files/hdf5.hpp"
#include "files/input_file.hpp"
#include "files/sealed_file.hpp"

#include <array>
#include <string_view>

namespace ermine {
namespace {

constexpr std::string_view narrow_band_kind = "narrow-band parameters";
constexpr std::string_view k_distribution_kind = "k-distribution";
constexpr std::string_view line_by_line_kind = "line-by-line";

void write_bands(Hdf5Writer& out, const std::vector<Band>& bands) {
  std::vector<double> edges;
  for (const Band& band : bands) edges.insert(edges.end(), {band.low_cm1, band.high_cm1});
  out.write("bands", std::array<std::size_t, 2>{bands.size(), 2}, edges);
  out.attribute("bands", "unit", "1/cm");
}

void write_column(Hdf5Writer& out, const std::string& name, const std::vector<double>& values,
                  const std::string& unit) {
  out.write(name, std::array<std::size_t, 1>{values.size()}, values);
  out.attribute(name, "unit", unit);
}

/// Inputs are lines as sha256sum prints them: checksum, two blanks, name.
void write_manifest(Hdf5Writer& out, const Manifest& manifest) {
  std::string inputs;
  for (const Manifest::Input& input : manifest.inputs) {
    inputs += input.checksum + "  " + input.name + "\n";
  }
  out.attribute("/", "inputs", inputs);
  out.attribute("/", "tool", manifest.tool);
  out.attribute("/", "options", manifest.options);
  out.attribute("/", "citation", manifest.citation);
}

std::vector<Band> read_bands(const Hdf5Reader& in) {
  const std::vector<std::size_t> shape = in.shape("bands");
  const std::size_t count = shape.empty() ? 0 : shape.front();
  const std::vector<double> edges = in.read("bands", {count, 2});
  std::vector<Band> bands;
  for (std::size_t b = 0; b < count; ++b) bands.push_back({edges[2 * b], edges[2 * b + 1]});
  return bands;
}

std::vector<double> read_column(const Hdf5Reader& in, const std::string& name) {
  const std::vector<std::size_t> shape = in.shape(name);
  return in.read(name, {shape.empty() ? 0 : shape.front()});
}

Manifest read_manifest(const Hdf5Reader& in) {
  Manifest manifest{{}, in.text("tool"), in.text("options"), in.text("citation")};
  const std::string inputs = in.text("inputs");
  std::string_view rest = inputs;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    const std::size_t blank = line.find("  ");
    if (blank != line.npos) {
      manifest.inputs.push_back(
          {std::string(line.substr(blank + 2)), std::string(line.substr(0, blank))});
    }
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  return manifest;
}

TableKind kind_of(const Hdf5Reader& in, const std::string& name) {
  const std::string kind = in.text("kind");
  if (kind == k_distribution_kind) return TableKind::k_distribution;
  if (kind == line_by_line_kind) return TableKind::line_by_line;
  fail("{} holds {}, not a k-distribution or line-by-line table, build one with ermine spectra",
       name, kind);
}

/// Puts the name of the file in front of what is wrong with its contents.
template <class Table>
Table checked(Table table, const std::string& name) {
  try {
    table.check();
  } catch (const Error& error) {
    fail("{}: {}", name, error.what());
  }
  return table;
}

}  // namespace

std::vector<char> hdf5_bytes(const SpectralTable& table) {
  Hdf5Writer out("table");
  const bool lines = table.kind == TableKind::line_by_line;
  out.attribute("/", "kind", std::string(lines ? line_by_line_kind : k_distribution_kind));
  out.attribute("/", "gas", table.gas);
  out.attribute("/", "pressure", table.pressure);
  out.attribute("/", "mole_fraction", table.mole_fraction);
  write_manifest(out, table.manifest);
  write_bands(out, table.bands);
  write_column(out, "g", table.quadrature.node, "1");
  write_column(out, "weight", table.quadrature.weight, "1");
  write_column(out, "temperature", table.temperature, "K");
  out.write_compressed(
      "absorption",
      std::array{table.bands.size(), table.quadrature.size(), table.temperature.size()},
      table.absorption);
  out.attribute("absorption", "unit", "1/m");
  return out.bytes();
}

SpectralTable parse_table(std::span<const char> bytes, const std::string& name) {
  const Hdf5Reader in(open_seal(bytes, table_seal, name), name);
  SpectralTable table;
  table.kind = kind_of(in, name);
  table.gas = in.text("gas");
  table.pressure = in.number("pressure");
  table.mole_fraction = in.number("mole_fraction");
  table.manifest = read_manifest(in);
  table.bands = read_bands(in);
  table.quadrature = {read_column(in, "g"), read_column(in, "weight")};
  table.temperature = read_column(in, "temperature");
  const double needed = 4.0 * static_cast<double>(table.point_count() * table.temperature.size());
  ERMINE_REQUIRE(
      needed < 0.8 * physical_memory(),
      "{} needs {:.1f} GB of memory, this machine has {:.1f} GB, build a table with fewer "
      "temperatures or a narrower range of wavenumbers",
      name, needed / 1e9, physical_memory() / 1e9);
  table.absorption = in.read_single(
      "absorption", {table.bands.size(), table.quadrature.size(), table.temperature.size()});
  return checked(std::move(table), name);
}

SpectralTable read_table(const std::filesystem::path& file) {
  const FloatingPointGuard guard;
  return parse_table(read_bytes(file), file.string());
}

void write_table(const SpectralTable& table, const std::filesystem::path& file) {
  const FloatingPointGuard guard;
  table.check();
  write_sealed(hdf5_bytes(table), table_seal, file);
}

std::vector<char> hdf5_bytes(const NarrowBandParameters& parameters) {
  Hdf5Writer out("parameters");
  out.attribute("/", "kind", std::string(narrow_band_kind));
  out.attribute("/", "gas", std::string(name_of(parameters.species)));
  write_manifest(out, parameters.manifest);
  write_bands(out, parameters.bands);
  write_column(out, "temperature", parameters.temperature, "K");
  const std::array shape{parameters.bands.size(), parameters.temperature.size()};
  const auto single = [](const std::vector<double>& values) {
    return std::vector<float>(values.begin(), values.end());
  };
  out.write_compressed("mean_absorption", shape, single(parameters.mean_absorption));
  out.attribute("mean_absorption", "unit", "1/(m Pa)");
  out.write_compressed("inverse_spacing", shape, single(parameters.inverse_spacing));
  out.attribute("inverse_spacing", "unit", "cm");
  return out.bytes();
}

NarrowBandParameters parse_narrow_band(std::span<const char> bytes, const std::string& name) {
  const Hdf5Reader in(open_seal(bytes, table_seal, name), name);
  ERMINE_REQUIRE(in.text("kind") == narrow_band_kind, "{} holds a {} table, not {}", name,
                 in.text("kind"), narrow_band_kind);
  NarrowBandParameters parameters;
  const auto species = species_named(in.text("gas"));
  ERMINE_REQUIRE(species, "{}: there are no narrow-band parameters of gas \"{}\"", name,
                 in.text("gas"));
  parameters.species = *species;
  parameters.manifest = read_manifest(in);
  parameters.bands = read_bands(in);
  parameters.temperature = read_column(in, "temperature");
  const std::vector<std::size_t> shape{parameters.bands.size(), parameters.temperature.size()};
  parameters.mean_absorption = in.read("mean_absorption", shape);
  parameters.inverse_spacing = in.read("inverse_spacing", shape);
  return checked(std::move(parameters), name);
}

NarrowBandParameters read_narrow_band(const std::filesystem::path& file) {
  const FloatingPointGuard guard;
  return parse_narrow_band(read_bytes(file), file.string());
}

std::variant<SpectralTable, NarrowBandParameters> parse_any_table(std::span<const char> bytes,
                                                                  const std::string& name) {
  const std::string kind = Hdf5Reader(open_seal(bytes, table_seal, name), name).text("kind");
  if (kind == narrow_band_kind) return parse_narrow_band(bytes, name);
  return parse_table(bytes, name);
}

void write_narrow_band(const NarrowBandParameters& parameters, const std::filesystem::path& file) {
  const FloatingPointGuard guard;
  parameters.check();
  write_sealed(hdf5_bytes(parameters), table_seal, file);
}

}  // namespace ermine
