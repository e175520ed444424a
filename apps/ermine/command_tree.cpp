#include "command_tree.hpp"

#include <sstream>

namespace ermine::cli {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

/// CLI11 appends what it checks: "NAME:{net,classic}", "N:INT in [1 - 4096]".
std::string without_checks(const std::string& type) {
  const auto braces = type.find(":{");
  const auto range = type.find(" in [");
  if (braces != std::string::npos) return type.substr(0, braces);
  if (range == std::string::npos) return type;
  return type.substr(0, type.rfind(':', range));
}

std::vector<std::string> choices_in(const std::string& type) {
  const auto open = type.find('{');
  const auto close = type.find('}', open == std::string::npos ? 0 : open);
  if (open != std::string::npos && close != std::string::npos) {
    return split(type.substr(open + 1, close - open - 1), ',');
  }
  return type.find('|') == std::string::npos ? std::vector<std::string>{} : split(type, '|');
}

Values values_of(const std::string& value) {
  if (value.ends_with(".toml")) return Values::toml;
  if (value.ends_with(".h5")) return Values::hdf5;
  if (value.starts_with("FILE")) return Values::any_file;
  return value == "DIR" ? Values::folder : Values::free;
}

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  entry.name = option.get_single_name();
  entry.help = option.get_description();
  entry.repeated = option.get_items_expected_max() > 1;
  const bool flag = option.get_type_size_max() == 0 || option.get_items_expected_max() == 0;
  if (flag) return entry;
  entry.value = without_checks(option.get_type_name());
  entry.choices = choices_in(option.get_type_name());
  entry.values = entry.choices.empty() ? values_of(entry.value) : Values::choice;
  return entry;
}

VerbEntry tree_below(const CLI::App& app, std::vector<std::string> path) {
  path.push_back(app.get_name());
  VerbEntry verb;
  verb.path = path;
  verb.help = app.get_description();
  verb.passes_on = app.get_prefix_command();
  for (const CLI::Option* option : app.get_options()) {
    OptionEntry entry = entry_of(*option);
    const bool positional = entry.names.empty();
    (positional ? verb.positionals : verb.options).push_back(std::move(entry));
  }
  for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!below->get_group().empty()) verb.verbs.push_back(tree_below(*below, path));
  }
  return verb;
}

}  // namespace

std::string VerbEntry::words(const std::string& between) const {
  std::string all;
  for (const std::string& word : path) all += (all.empty() ? "" : between) + word;
  return all;
}

VerbEntry command_tree(const CLI::App& app) { return tree_below(app, {}); }

}  // namespace ermine::cli
