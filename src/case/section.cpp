#include "case/section.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ermine {
namespace {

const toml::table empty_table;

/// Number of insertions, deletions and replacements that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_word(std::string_view word, const std::vector<std::string_view>& candidates) {
  std::string nearest;
  // Short words are near by chance ("NH3" and "CH4").
  std::size_t least = std::max<std::size_t>(word.size() < 5 ? 1 : 2, word.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    // A word that begins another is near it, however long the rest ("rays" for "rays_per_cell").
    const bool begins = word.size() >= 3 && candidate.starts_with(word);
    const std::size_t distance = begins ? 1 : edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string location(const toml::node& node, std::string_view fallback) {
  const toml::source_region& source = node.source();
  std::string path = source.path ? *source.path : std::string(fallback);
  if (path.starts_with("--set") || !source.begin) return path;
  return fmt::format("{}:{}", path, source.begin.line);
}

Section::Section(const toml::table& table, std::string name, std::string file,
                 std::initializer_list<std::string_view> known, const OtherProgram& other)
    : table_(table), name_(std::move(name)), file_(std::move(file)) {
  for (const auto& [key, node] : table_) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    const std::string nearest = nearest_word(key.str(), known);
    std::string all;
    for (const std::string_view word : known)
      all += fmt::format("{}{}", all.empty() ? "" : ", ", word);
    const bool of_other = !other.name.empty() && std::find(other.keys.begin(), other.keys.end(),
                                                           key.str()) != other.keys.end();
    fail("{}: unknown key '{}', {}{}", where(key.str()), path_of(key.str()),
         of_other ? fmt::format("this may be a case for {}; ", other.name) : "",
         nearest.empty() ? "the keys here are " + all : "did you mean '" + nearest + "'?");
  }
}

std::string Section::path_of(std::string_view key) const {
  return name_.empty() ? std::string(key) : fmt::format("{}.{}", name_, key);
}

std::string Section::where(std::string_view key) const {
  const toml::node* node = table_.get(key);
  return location(node ? *node : table_, file_);
}

const toml::node& Section::required(std::string_view key, std::string_view hint) const {
  const toml::node* node = table_.get(key);
  ERMINE_REQUIRE(node, "{}: missing key '{}', add {}", name_.empty() ? file_ : where(key),
                 path_of(key), hint);
  return *node;
}

Section Section::section(std::string_view key,
                         std::initializer_list<std::string_view> known) const {
  const toml::node* node = table_.get(key);
  if (node && !node->is_table()) wrong_type(key, "a table");
  return {node ? *node->as_table() : empty_table, path_of(key), file_, known};
}

std::vector<std::pair<std::string, Section>> Section::sections(
    std::string_view key, std::initializer_list<std::string_view> known) const {
  std::vector<std::pair<std::string, Section>> found;
  const toml::node* node = table_.get(key);
  if (!node) return found;
  if (!node->is_table()) wrong_type(key, fmt::format("tables with names, [{}.NAME]", path_of(key)));
  for (const auto& [name, entry] : *node->as_table()) {
    const std::string path = fmt::format("{}.{}", path_of(key), name.str());
    ERMINE_REQUIRE(entry.is_table(), "{}: {} is no table, write [{}.NAME] and its keys below it",
                   location(entry, file_), path, path_of(key));
    found.emplace_back(std::string(name.str()), Section(*entry.as_table(), path, file_, known));
  }
  return found;
}

double Section::number(std::string_view key, double fallback, NumberRange range) const {
  const toml::node* node = table_.get(key);
  if (!node) return fallback;
  if (!node->is_number()) wrong_type(key, "a number");
  const double value = as_double(*node);
  ERMINE_REQUIRE(std::isfinite(value), "{}: {} is {}, give a finite number", where(key),
                 path_of(key), value);
  ERMINE_REQUIRE(value >= range.low && value <= range.high,
                 "{}: {} is {}, give a number from {} to {}", where(key), path_of(key), value,
                 range.low, range.high);
  return value;
}

std::int64_t Section::integer(std::string_view key, std::int64_t fallback,
                              IntegerRange range) const {
  const toml::node* node = table_.get(key);
  if (!node) return fallback;
  // 1e6 is how people write a million: a float without fraction will do.
  if (!node->is_number()) wrong_type(key, "a whole number");
  const double value = as_double(*node);
  if (!node->is_integer() && !(std::abs(value) <= 0x1p62 && value == std::floor(value))) {
    wrong_type(key, "a whole number");
  }
  const std::int64_t whole =
      node->is_integer() ? node->as_integer()->get() : static_cast<std::int64_t>(value);
  ERMINE_REQUIRE(whole >= range.low && whole <= range.high,
                 "{}: {} is {}, give a whole number from {} to {}", where(key), path_of(key), whole,
                 range.low, range.high);
  return whole;
}

bool Section::boolean(std::string_view key, bool fallback) const {
  const toml::node* node = table_.get(key);
  if (!node) return fallback;
  if (!node->is_boolean()) wrong_type(key, "true or false");
  return *node->value<bool>();
}

std::string Section::text(std::string_view key, std::string fallback) const {
  const toml::node* node = table_.get(key);
  if (!node) return fallback;
  if (!node->is_string()) wrong_type(key, "a text in quotes");
  auto text = *node->value<std::string>();
  const bool control =
      std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7F; });
  ERMINE_REQUIRE(!control,
                 "{}: {} holds a line break or control character, give a text on one line",
                 where(key), path_of(key));
  return text;
}

void Section::wrong_type(std::string_view key, std::string_view wanted) const {
  std::string found = "nothing";
  switch (const toml::node* node = table_.get(key); node ? node->type() : toml::node_type::none) {
    case toml::node_type::table:
      found = "a table";
      break;
    case toml::node_type::array:
      found = "an array";
      break;
    case toml::node_type::string:
      found = "a text";
      break;
    case toml::node_type::integer:
    case toml::node_type::floating_point:
      found = fmt::format("{}", as_double(*node));
      break;
    case toml::node_type::boolean:
      found = *node->value<bool>() ? "true" : "false";
      break;
    case toml::node_type::none:
      break;
    default:
      found = "a date or time";
      break;
  }
  fail("{}: {} is {}, give {}", where(key), path_of(key), found, wanted);
}

}  // namespace ermine
