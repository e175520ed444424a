#include "command_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ermine::cli {
namespace {

/// Every other program's files, results and cases: the tool does not know its options.
constexpr const char* passed_on_files = "toml|h5";

std::string endings(const VerbEntry& verb) {
  if (verb.passes_on) return passed_on_files;
  for (const OptionEntry& one : verb.positionals) {
    if (one.values == Values::toml) return "toml";
    if (one.values == Values::hdf5) return "h5";
    if (one.values == Values::any_file) return "*";
  }
  return "";
}

/// The answer to a word that is the value of an option.
std::string bash_values(const OptionEntry& option) {
  switch (option.values) {
    case Values::choice: {
      std::string words;
      for (const std::string& choice : option.choices) words += choice + "\n";
      return fmt::format("compgen -W '{}' -- \"$word\"", words);
    }
    case Values::toml:
      return "_ermine_files toml";
    case Values::hdf5:
      return "_ermine_files h5";
    case Values::any_file:
      return "compgen -f -- \"$word\"";
    case Values::folder:
      return "compgen -d -- \"$word\"";
    default:
      return ":";
  }
}

/// 'text' for zsh: a single quote ends, an escaped one and the rest follow.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// Within the brackets and colons of _arguments.
std::string plain(const std::string& text) {
  std::string out;
  std::string line = text.substr(0, text.find('\n'));
  if (line.ends_with(':')) line.pop_back();
  for (const char c : line) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_values(const OptionEntry& option) {
  switch (option.values) {
    case Values::choice: {
      std::string words;
      for (const std::string& one : option.choices) words += (words.empty() ? "" : " ") + one;
      return "(" + words + ")";
    }
    case Values::toml:
      return "_files -g \"*.toml\"";
    case Values::hdf5:
      return "_files -g \"*.h5\"";
    case Values::any_file:
      return "_files";
    case Values::folder:
      return "_files -/";
    default:
      return " ";
  }
}

std::string zsh_arguments(const VerbEntry& verb) {
  std::string out;
  const auto add = [&](const std::string& specification) {
    out += " \\\n    " + quoted(specification);
  };
  for (const OptionEntry& option : verb.options) {
    std::string others;
    for (const std::string& name : option.names) others += (others.empty() ? "" : " ") + name;
    const std::string prefix = option.repeated ? "*" : "(" + others + ")";
    for (const std::string& name : option.names) {
      std::string one = prefix + name + "[" + plain(option.help) + "]";
      if (option.values != Values::none) {
        one += ":" + plain(option.value) + ":" + zsh_values(option);
      }
      add(one);
    }
  }
  for (const OptionEntry& one : verb.positionals) {
    add((one.repeated ? "*:" : ":") + plain(one.name) + ":" + zsh_values(one));
  }
  return out;
}

}  // namespace

std::string bash_completion(const VerbEntry& tool) {
  std::string paths;
  std::string values;
  std::string words;
  each_verb(tool, [&](const VerbEntry& verb) {
    const std::string path = verb.words();
    std::string all;
    for (const VerbEntry& below : verb.verbs) {
      all += below.name() + "\n";
      paths += (paths.empty() ? "" : " | ") + ("'" + below.words() + "'");
    }
    for (const OptionEntry& one : verb.positionals) {
      for (const std::string& choice : one.choices) all += choice + "\n";
    }
    for (const OptionEntry& option : verb.options) {
      std::string patterns;
      for (const std::string& name : option.names) {
        patterns += (patterns.empty() ? "" : " | ") + ("'" + path + " " + name + "'");
        all += name + "\n";
      }
      if (option.values == Values::none) continue;
      values += fmt::format("    {})\n      mapfile -t COMPREPLY < <({})\n      return\n      ;;\n",
                            patterns, bash_values(option));
    }
    words += fmt::format("    '{}')\n      words='{}'\n      files='{}'\n      ;;\n", path, all,
                         endings(verb));
  });
  return fmt::format(R"(# Completion of ermine for bash, written by `ermine completion bash`.

# Files of these endings, and folders that may hold some.
_ermine_files() {{
  local ending endings
  mapfile -t endings <<< "${{1//|/$'\n'}}"
  compgen -d -- "$word"
  for ending in "${{endings[@]}}"; do
    if [[ $ending == '*' ]]; then compgen -f -- "$word"; else compgen -f -X "!*.$ending" -- "$word"; fi
  done
}}

_ermine() {{
  local IFS=$'\n' word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  local path=ermine words files i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path ${{COMP_WORDS[i]}}" in
      {}) path="$path ${{COMP_WORDS[i]}}" ;;
    esac
  done
  case "$path $before" in
{}  esac
  case $path in
{}  esac
  if [[ $word == -* || -z $files ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  else
    mapfile -t COMPREPLY < <(_ermine_files "$files")
  fi
}}
complete -o filenames -F _ermine ermine
)",
                     paths, values, words);
}

std::string zsh_completion(const VerbEntry& tool) {
  std::string out =
      "#compdef ermine\n# Completion of ermine for zsh, written by `ermine completion zsh`.\n";
  each_verb(tool, [&](const VerbEntry& verb) {
    out += fmt::format("\n_{}() {{\n", verb.words("_"));
    if (verb.passes_on) {
      out += fmt::format("  _files -g \"*.({})\"\n}}\n", passed_on_files);
      return;
    }
    const std::string arguments = zsh_arguments(verb);
    if (verb.verbs.empty()) {
      out += "  _arguments" + arguments + "\n}\n";
      return;
    }
    std::string described;
    std::string cases;
    for (const VerbEntry& below : verb.verbs) {
      described += "\n        " + quoted(below.name() + ":" + plain(below.help));
      cases += fmt::format("        {}) _{} ;;\n", below.name(), below.words("_"));
    }
    out += "  local curcontext=\"$curcontext\" state line\n  typeset -A opt_args\n";
    out += "  _arguments -C" + arguments + " \\\n    ': :->verb' \\\n    '*:: :->rest'\n";
    out += fmt::format(
        "  case $state in\n    verb)\n      local -a verbs=({})\n      _describe verb verbs\n"
        "      ;;\n    rest)\n      case $line[1] in\n{}      esac\n      ;;\n  esac\n}}\n",
        described, cases);
  });
  // Loaded by compinit, or sourced.
  return out +
         "\nif [[ $funcstack[1] == _ermine ]]; then _ermine \"$@\"; else compdef _ermine ermine; "
         "fi\n";
}

}  // namespace ermine::cli
