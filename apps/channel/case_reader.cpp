#include "case_reader.hpp"

#include <ermine/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace channel {
namespace {

void apply(CaseText& text, const std::string& override_text) {
  const std::size_t equals = override_text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw ermine::Error(fmt::format(
        "--set {}: there is no value, write KEY=VALUE as in grid.cells=[32,32,32]", override_text));
  }
  const std::string key = override_text.substr(0, equals);
  const std::string value = override_text.substr(equals + 1);
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
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file)) {
    throw ermine::Error(
        fmt::format("{}: cannot be read, check the name and the permissions", file));
  }
  std::stringstream all;
  all << in.rdbuf();
  try {
    text.table = toml::parse(all.str(), file);
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
