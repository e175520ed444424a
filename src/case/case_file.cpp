#include "case/case_file.hpp"

#include "core/utf8.hpp"
#include "files/input_file.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

namespace ermine {
namespace {

constexpr std::size_t largest_case_file = 16u << 20;

std::size_t line_of(std::string_view text, std::size_t position) {
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + position, '\n'));
}

/// Where a key has more parts (a.a.a ...) than any sensible one; a table nested so deeply would
/// overflow the stack when it is taken apart. The end of the text if there is none. Parts are
/// separated by single dots, so that ellipses in comments and texts do not count.
std::size_t find_deep_key(std::string_view text) {
  constexpr int most_parts = 64;
  const auto belongs_to_key = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-\"' \t").find(c) != std::string_view::npos;
  };
  int parts = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool single_dot = text[i] == '.' && i > 0 && text[i - 1] != '.';
    if (single_dot && ++parts > most_parts) return i;
    if (!single_dot && !belongs_to_key(text[i])) parts = 0;
  }
  return text.size();
}

/// The value of an override: TOML if it can be read as such, else a plain text, so that
/// temperature=500+1000*x needs no quotes that the shell would take away.
toml::table parse_value(const std::string& value, const std::string& source) {
  try {
    return toml::parse("value = " + value, source);
  } catch (const toml::parse_error&) {
    return toml::parse("value = '''" + value + "'''", source);
  }
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

void apply_override(toml::table& top, const std::string& override_text) {
  const auto equals = override_text.find('=');
  const std::string path = trimmed(override_text.substr(0, equals));
  ERMINE_REQUIRE(equals != std::string::npos && !path.empty(),
                 "--set {}: no value given, write --set key=value, such as "
                 "--set solver.rays_per_cell=500",
                 override_text);
  const std::string source = "--set " + override_text;
  ERMINE_REQUIRE(
      is_utf8(override_text) && override_text.find("'''") == std::string::npos &&
          std::none_of(override_text.begin(), override_text.end(),
                       [](unsigned char c) { return (c < ' ' && c != '\t') || c == 0x7F; }),
      "--set {}: not a value on one line of UTF-8 text, correct it", path);
  ERMINE_REQUIRE(path.front() != '.' && path.back() != '.' &&
                     path.find("..") == std::string::npos && find_deep_key(path) == path.size(),
                 "{}: '{}' is not a key, write it like solver.rays_per_cell", source, path);
  toml::table* table = &top;
  std::istringstream keys(path);
  std::string key;
  std::string above;
  std::getline(keys, key, '.');
  for (std::string next; std::getline(keys, next, '.'); key = next) {
    above += (above.empty() ? "" : ".") + key;
    toml::node& node = table->insert(key, toml::parse("", source)).first->second;
    ERMINE_REQUIRE(node.is_table(), "{}: {} is not a table, so it has no key '{}'", source, above,
                   next);
    table = node.as_table();
  }
  toml::table parsed = parse_value(override_text.substr(equals + 1), source);
  table->insert_or_assign(key, std::move(*parsed.get("value")));
}

}  // namespace

std::string read_case_text(const std::filesystem::path& file) {
  require_regular(file, "case file");
  std::ifstream in(file, std::ios::binary);
  ERMINE_REQUIRE(in, "cannot read case file {}, check that it exists and may be read",
                 file.string());
  std::string text(largest_case_file + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  ERMINE_REQUIRE(!in.bad(), "reading case file {} failed, check the disk", file.string());
  ERMINE_REQUIRE(text.size() <= largest_case_file,
                 "{} has more than 16 MiB (too large for a case file), put fields into HDF5 or CSV "
                 "files",
                 file.string());
  return text;
}

CaseFile parse_case_file(const std::string& text, const std::filesystem::path& name,
                         const std::vector<std::string>& overrides) {
  const std::size_t good = utf8_prefix(text);
  ERMINE_REQUIRE(good == text.size(), "{}:{}: not UTF-8 text, save the case file as UTF-8",
                 name.string(), line_of(text, good));
  const std::size_t deep = find_deep_key(text);
  ERMINE_REQUIRE(deep == text.size(), "{}:{}: key of more than 64 parts, see docs/formats/case.md",
                 name.string(), line_of(text, deep));
  // toml++ 3.3 reads past its buffer when a text begins like a byte-order mark but is none.
  ERMINE_REQUIRE(!text.starts_with("\xEF\xBB") || text.starts_with("\xEF\xBB\xBF"),
                 "{}:1: not valid TOML (begins with U+FEC0 to U+FEFE), see docs/formats/case.md",
                 name.string());
  CaseFile file;
  try {
    file.table = toml::parse(text, name.string());
  } catch (const toml::parse_error& error) {
    fail("{}:{}: not valid TOML ({}), see docs/formats/case.md", name.string(),
         error.source().begin.line, error.description());
  }
  file.text = text;
  for (const std::string& override_text : overrides) apply_override(file.table, override_text);
  if (!overrides.empty()) {
    std::ostringstream formatted;
    formatted << "# with overrides: " << fmt::format("{}", fmt::join(overrides, " ")) << '\n'
              << file.table << '\n';
    file.text = formatted.str();
  }
  return file;
}

}  // namespace ermine
