#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

/// The tool's verbs and options as its completions and its manual tell them.
namespace ermine::cli {

/// What a word on the command line may be.
enum class Values { none, choice, toml, hdf5, any_file, folder, free };

struct OptionEntry {
  std::vector<std::string> names;  ///< "-o", "--output"; empty: a positional
  std::string name;                ///< of a positional
  std::string value;               ///< what stands for the value: "DIR"; empty: a flag
  std::string help;
  Values values = Values::none;
  std::vector<std::string> choices;
  bool repeated = false;
};

struct VerbEntry {
  std::vector<std::string> path;  ///< "ermine", "bench", "ladder"
  std::string help;
  bool passes_on = false;  ///< takes anything, for another program
  std::vector<OptionEntry> options;
  std::vector<OptionEntry> positionals;
  std::vector<VerbEntry> verbs;

  std::string name() const { return path.back(); }
  std::string words(const std::string& between = " ") const;
  std::string first_line() const { return help.substr(0, help.find('\n')); }
};

/// All that is not hidden.
VerbEntry command_tree(const CLI::App& app);

/// Calls visit(verb) for a verb and all below it.
template <class Visit>
void each_verb(const VerbEntry& verb, const Visit& visit) {
  visit(verb);
  for (const VerbEntry& below : verb.verbs) each_verb(below, visit);
}

std::string bash_completion(const VerbEntry& tool);
std::string zsh_completion(const VerbEntry& tool);
/// In the macros of man(7).
std::string man_page(const VerbEntry& tool);

}  // namespace ermine::cli
