#pragma once

#include <fmt/format.h>
#include <toml++/toml.h>

#include <initializer_list>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace channel {

/// A case file with overrides ("key=value", dotted keys) in place of what it says.
struct CaseText {
  toml::table table;
  std::string file;
  std::set<std::string> overridden;  ///< dotted keys
};

CaseText read_case_text(const std::string& file, const std::vector<std::string>& overrides);

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// One table of it: typed access, with errors that name file, line and key, and what to give.
class Section {
 public:
  /// Refuses keys that are not known.
  Section(const CaseText& text, const toml::table* table, std::string name,
          std::initializer_list<std::string_view> known);
  /// A table within; empty where there is none.
  Section section(std::string_view key, std::initializer_list<std::string_view> known) const;

  bool has(std::string_view key) const { return table_ && table_->contains(key); }
  const toml::table* table(std::string_view key) const;
  double number(std::string_view key, double otherwise, Range range = {}) const;
  int integer(std::string_view key, int otherwise, Range range = {}) const;
  bool flag(std::string_view key, bool otherwise) const;
  std::string text(std::string_view key, const std::string& otherwise) const;
  std::vector<double> numbers(std::string_view key, std::vector<double> otherwise,
                              std::size_t count = 0) const;
  std::vector<std::string> texts(std::string_view key) const;
  template <class Enum>
  Enum choice(std::string_view key, Enum otherwise,
              std::initializer_list<std::pair<std::string_view, Enum>> values) const {
    if (!has(key)) return otherwise;
    const std::string given = text(key, "");
    std::string names;
    for (const auto& [name, value] : values) {
      if (name == given) return value;
      names += (names.empty() ? "\"" : ", \"") + std::string(name) + "\"";
    }
    refuse(key, fmt::format("{:?} is not known, give one of {}", given, names));
  }
  /// file:line: key: what is wrong.
  [[noreturn]] void refuse(std::string_view key, const std::string& problem) const;

 private:
  std::string path(std::string_view key) const;

  const CaseText& text_;
  const toml::table* table_;
  std::string name_;
};

}  // namespace channel
