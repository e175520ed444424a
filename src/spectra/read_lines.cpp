#include <ermine/lines.hpp>

#include "core/check.hpp"
#include "core/fp_guard.hpp"
#include "files/input_file.hpp"
#include "spectra/text.hpp"

#include <array>
#include <fstream>

namespace ermine {
namespace {

constexpr std::size_t record_length = 160;

/// One record and where it stands. Columns: L. S. Rothman et al., The HITRAN 2004 molecular
/// spectroscopic database, JQSRT 96 (2005) 139, table 1.
class Record {
 public:
  Record(std::string_view text, const std::string& file, std::int64_t line)
      : text_(text), file_(file), line_(line) {}

  SpectralLine parse() const {
    SpectralLine line;
    line.molecule = molecule();
    line.isotopologue = isotopologue();
    line.wavenumber_cm1 = number(4, 12, "wavenumber");
    line.strength = not_negative(16, 10, "strength");
    line.air_half_width = not_negative(36, 5, "air-broadened half-width");
    line.self_half_width = not_negative(41, 5, "self-broadened half-width");
    line.lower_energy_cm1 = number(46, 10, "lower-state energy");
    line.width_exponent = number(56, 4, "exponent of the half-width");
    // The one field that old lists leave blank where nobody has measured it.
    line.air_shift = trimmed(field(60, 8)).empty() ? 0.0 : number(60, 8, "pressure shift");
    ERMINE_REQUIRE(line.wavenumber_cm1 > 0,
                   "{}: wavenumber is {} (must be positive), correct or remove the line", where(),
                   line.wavenumber_cm1);
    ERMINE_REQUIRE(line.lower_energy_cm1 >= 0,
                   "{}: lower-state energy is {} (HITRAN marks unknown ones so; the strength at "
                   "other temperatures depends on it), remove the line",
                   where(), line.lower_energy_cm1);
    return line;
  }

 private:
  /// `first` counts from 1, as in HITRAN's description.
  std::string_view field(std::size_t first, std::size_t width) const {
    return text_.substr(first - 1, width);
  }
  std::string where() const { return fmt::format("{}:{}", file_, line_); }

  int molecule() const {
    const auto value = finite_number(field(1, 2));
    ERMINE_REQUIRE(value && *value >= 1 && *value == static_cast<int>(*value),
                   "{}: columns 1-2 hold '{}' (not a HITRAN molecule number), give 160-column "
                   "HITRAN records",
                   where(), printable(field(1, 2)));
    return static_cast<int>(*value);
  }

  int isotopologue() const {
    const char digit = field(3, 1).front();
    if (digit >= '1' && digit <= '9') return digit - '0';
    if (digit == '0') return 10;
    if (digit == 'A') return 11;
    if (digit == 'B') return 12;
    fail("{}: column 3 holds '{}' (not an isotopologue: 1-9, 0 for 10, A, B), correct the record",
         where(), printable(field(3, 1)));
  }

  double number(std::size_t first, std::size_t width, const char* what) const {
    const auto value = finite_number(field(first, width));
    ERMINE_REQUIRE(value,
                   "{}: columns {}-{} hold '{}' (no finite number for the {}), correct the "
                   "record",
                   where(), first, first + width - 1, printable(field(first, width)), what);
    return *value;
  }

  double not_negative(std::size_t first, std::size_t width, const char* what) const {
    const double value = number(first, width, what);
    ERMINE_REQUIRE(value >= 0, "{}: {} is {} (negative), correct the record", where(), what, value);
    return value;
  }

  std::string_view text_;
  const std::string& file_;
  std::int64_t line_;
};

/// The record without line ends of other systems and blanks behind it.
std::string_view cut_to_record(std::string_view text, const std::string& file, std::int64_t line) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  const std::size_t length = text.size();
  if (length > record_length && trimmed(text.substr(record_length)).empty()) {
    text = text.substr(0, record_length);
  }
  ERMINE_REQUIRE(text.size() == record_length,
                 "{}:{}: the line has {} columns (a HITRAN record has {}), fetch the file again in "
                 "the 160-column format",
                 file, line, length, record_length);
  return text;
}

}  // namespace

void read_lines(const std::filesystem::path& file,
                const std::function<void(const SpectralLine&)>& use) {
  require_regular(file);
  std::ifstream in(file, std::ios::binary);
  ERMINE_REQUIRE(in, "cannot read {}, check that the file exists and may be read", file.string());
  read_lines(in, file.string(), use);
}

void read_lines(std::istream& in, const std::string& name,
                const std::function<void(const SpectralLine&)>& use) {
  const FloatingPointGuard guard;
  // A fixed buffer: a file that is not text has lines of any length.
  std::array<char, 1024> buffer{};
  std::int64_t records = 0;
  std::int64_t number = 1;
  for (; in.getline(buffer.data(), buffer.size()); ++number) {
    // The count includes the line end, except where the file stops without one.
    const auto length = static_cast<std::size_t>(in.gcount()) - (in.eof() ? 0 : 1);
    const std::string_view text(buffer.data(), length);
    if (trimmed(text).empty()) continue;
    use(Record(cut_to_record(text, name, number), name, number).parse());
    ++records;
  }
  ERMINE_REQUIRE(!in.bad(), "reading {} failed, check the disk", name);
  ERMINE_REQUIRE(in.eof(),
                 "{}:{}: the line is longer than {} columns (a HITRAN record has {}), give a text "
                 "file of HITRAN records",
                 name, number, buffer.size() - 1, record_length);
  ERMINE_REQUIRE(records > 0, "{} holds no lines, give a file of 160-column HITRAN records", name);
}

}  // namespace ermine
