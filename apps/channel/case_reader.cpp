#include "case_reader.hpp"

#include <ermine/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace channel {
namespace {

/// Where a key has more parts (a.a.a ...) than any sensible one, or the end of the text. The parser
/// takes any number; the tables, one in the other, would overflow the stack when they are printed
/// or taken apart.
std::size_t find_deep_key(std::string_view text) {
  constexpr int most_parts = 64;
  int parts = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    // Ellipses in comments and texts are no keys.
    const bool single_dot = c == '.' && i > 0 && text[i - 1] != '.';
    if (single_dot && ++parts > most_parts) return i;
    const bool of_key = std::isalnum(c) != 0 ||
                        std::string_view("_-\"' \t").find(text[i]) != std::string_view::npos;
    if (!single_dot && !of_key) parts = 0;
  }
  return text.size();
}

toml::table parse(const std::string& text, const std::string& file) {
  const std::size_t deep = find_deep_key(text);
  if (deep != text.size()) {
    throw ermine::Error(fmt::format("{}:{}: key of more than 64 parts, correct it", file,
                                    1 + std::count(text.begin(), text.begin() + deep, '\n')));
  }
  // toml++ 3.3 reads past its buffer when a text begins like a byte-order mark but is none.
  if (text.starts_with("\xEF\xBB") && !text.starts_with("\xEF\xBB\xBF")) {
    throw ermine::Error(fmt::format("{}:1: begins with U+FEC0 to U+FEFE, remove it", file));
  }
  return toml::parse(text, file);
}

void apply(CaseText& text, const std::string& override_text) {
  const std::size_t equals = override_text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw ermine::Error(fmt::format(
        "--set {}: there is no value, write KEY=VALUE as in grid.cells=[32,32,32]", override_text));
  }
  const std::string key = override_text.substr(0, equals);
  const std::string value = override_text.substr(equals + 1);
  if (find_deep_key(override_text) != override_text.size()) {
    throw ermine::Error(fmt::format("--set {:.40}...: key of more than 64 parts, correct it", key));
  }
  toml::table parsed;
  try {
    parsed = toml::parse("value = " + value);
  } catch (const toml::parse_error&) {
    // A word without quotes is a text.
    parsed.insert("value", value);
  }
  toml::table* table = &text.table;
  std::stringstream parts(key);
  std::string part, next;
  std::getline(parts, part, '.');
  while (std::getline(parts, next, '.')) {
    if (!table->contains(part)) table->insert(part, toml::table{});
    table = table->get(part)->as_table();
    if (!table) {
      throw ermine::Error(fmt::format("--set {}: {} is not a table in {}, check the key",
                                      override_text, part, text.file));
    }
    part = next;
  }
  table->insert_or_assign(part, *parsed.get("value"));
  text.overridden.insert(key);
}

}  // namespace

CaseText read_case_text(const std::string& file, const std::vector<std::string>& overrides) {
  CaseText text{.table = {}, .file = file, .overridden = {}};
  // To open a pipe may never end, nor to read a device.
  constexpr std::uintmax_t largest = 16 << 20;
  std::error_code unknown;
  const bool regular = std::filesystem::is_regular_file(file, unknown);
  std::stringstream all;
  if (regular && std::filesystem::file_size(file, unknown) <= largest) {
    all << std::ifstream(file).rdbuf();
  }
  if (!regular || !all) {
    throw ermine::Error(fmt::format(
        "{}: cannot be read, give a text file of at most 16 MiB, and check the permissions", file));
  }
  try {
    text.table = parse(all.str(), file);
  } catch (const toml::parse_error& error) {
    throw ermine::Error(fmt::format("{}:{}: {}, see https://toml.io", file,
                                    error.source().begin.line, error.description()));
  }
  for (const std::string& one : overrides) apply(text, one);
  return text;
}

Section::Section(const CaseText& text, const toml::table* table, std::string name,
                 std::initializer_list<std::string_view> known)
    : text_(text), table_(table), name_(std::move(name)) {
  if (!table_) return;
  for (const auto& [key, node] : *table_) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    std::string names;
    for (const std::string_view one : known) {
      names += (names.empty() ? "" : ", ") + std::string(one);
    }
    const bool of_run = name_.empty() && (key.str() == "medium" || key.str() == "walls");
    refuse(key.str(),
           (of_run ? "there is no such key (this may be a case for ermine run), give one of "
                   : "there is no such key, give one of ") +
               names);
  }
}

Section Section::section(std::string_view key,
                         std::initializer_list<std::string_view> known) const {
  return {text_, table(key), path(key), known};
}

const toml::table* Section::table(std::string_view key) const {
  if (!has(key)) return nullptr;
  if (!table_->get(key)->is_table()) {
    refuse(key, fmt::format("must be a table, write [{}]", path(key)));
  }
  return table_->get(key)->as_table();
}

std::string Section::path(std::string_view key) const {
  return name_.empty() ? std::string(key) : name_ + "." + std::string(key);
}

void Section::refuse(std::string_view key, const std::string& problem) const {
  const std::string whole = path(key);
  for (const std::string& set : text_.overridden) {
    if (set == whole || set.starts_with(whole + ".")) {
      throw ermine::Error(fmt::format("--set {}: {}", set, problem));
    }
  }
  const toml::node* node = table_ ? table_->get(key) : nullptr;
  const auto line = node ? node->source().begin.line : table_ ? table_->source().begin.line : 1;
  throw ermine::Error(
      fmt::format("{}:{}: {}: {}", text_.file, std::max<decltype(line)>(line, 1), whole, problem));
}

double Section::number(std::string_view key, double otherwise, Range range) const {
  double value = otherwise;
  if (has(key)) {
    const toml::node& node = *table_->get(key);
    if (!node.is_number()) refuse(key, "must be a number");
    value = node.is_integer() ? static_cast<double>(node.as_integer()->get())
                              : node.as_floating_point()->get();
  }
  if (!(value >= range.low && value <= range.high)) {
    refuse(key, fmt::format("{} is out of range, give {} to {}", value, range.low, range.high));
  }
  return value;
}

int Section::integer(std::string_view key, int otherwise, Range range) const {
  if (has(key) && !table_->get(key)->is_integer()) refuse(key, "must be a whole number");
  range.low = std::max(range.low, -2e9);
  range.high = std::min(range.high, 2e9);
  return static_cast<int>(number(key, otherwise, range));
}

bool Section::flag(std::string_view key, bool otherwise) const {
  if (!has(key)) return otherwise;
  if (!table_->get(key)->is_boolean()) refuse(key, "must be true or false");
  return table_->get(key)->as_boolean()->get();
}

std::string Section::text(std::string_view key, const std::string& otherwise) const {
  if (!has(key)) return otherwise;
  if (!table_->get(key)->is_string()) refuse(key, "must be a text in quotes");
  return table_->get(key)->as_string()->get();
}

std::vector<double> Section::numbers(std::string_view key, std::vector<double> otherwise,
                                     std::size_t count) const {
  if (!has(key)) return otherwise;
  std::vector<double> values;
  const toml::array* array = table_->get(key)->as_array();
  if (!array) refuse(key, "must be a list of numbers in brackets");
  for (const toml::node& node : *array) {
    const auto value = node.value<double>();
    if (!value || !std::isfinite(*value)) refuse(key, "must be a list of numbers in brackets");
    values.push_back(*value);
  }
  if (count > 0 && values.size() != count) {
    refuse(key, fmt::format("has {} numbers, give {}", values.size(), count));
  }
  return values;
}

std::vector<std::string> Section::texts(std::string_view key) const {
  std::vector<std::string> values;
  if (!has(key)) return values;
  const toml::array* array = table_->get(key)->as_array();
  if (!array) refuse(key, "must be a list of texts in brackets");
  for (const toml::node& node : *array) {
    const auto value = node.value<std::string>();
    if (!value) refuse(key, "must be a list of texts in brackets");
    values.push_back(*value);
  }
  return values;
}

}  // namespace channel
