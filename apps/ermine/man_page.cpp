#include <ermine/version.hpp>

#include "command_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ermine::cli {
namespace {

/// As it stands, not as commands of the macros.
std::string plain_roff(const std::string& text) {
  std::string out;
  bool line_starts = true;
  for (const char c : text) {
    if (line_starts && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_starts = c == '\n';
  }
  return out;
}

std::string bold(const std::string& text) { return "\\fB" + plain_roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + plain_roff(text) + "\\fR"; }

std::string option_paragraph(const OptionEntry& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + bold(name);
  if (option.names.empty()) {
    names = italic(option.value.empty() ? option.name : option.value);
  } else if (!option.value.empty()) {
    names += " " + italic(option.value);
  }
  return fmt::format(".TP\n{}\n{}\n", names, plain_roff(option.help));
}

/// Lines of a help text that begin with blanks stand as they are.
std::string paragraphs(const std::string& help) {
  std::string out;
  bool table = false;
  for (std::size_t at = 0; at <= help.size();) {
    const std::size_t end = std::min(help.find('\n', at), help.size());
    const std::string line = help.substr(at, end - at);
    at = end + 1;
    const bool indented = line.starts_with("  ");
    if (indented != table) out += indented ? ".PP\n.nf\n" : ".fi\n";
    table = indented;
    out += line.empty() ? (table ? "" : ".PP\n") : plain_roff(line) + "\n";
  }
  return out + (table ? ".fi\n" : "");
}

std::string section_of(const VerbEntry& verb) {
  std::string usage = bold(verb.words());
  if (verb.passes_on) usage += " " + italic("...");
  if (!verb.options.empty()) usage += " [" + italic("options") + "]";
  for (const OptionEntry& one : verb.positionals) {
    usage += " " + italic(one.value.empty() ? one.name : one.value);
  }
  if (!verb.verbs.empty()) usage += " [" + italic("subcommand") + "]";
  std::string out = fmt::format(".SS {}\n{}", usage, paragraphs(verb.help));
  for (const OptionEntry& one : verb.positionals) out += option_paragraph(one);
  for (const OptionEntry& one : verb.options) {
    if (one.names.back() != "--help") out += option_paragraph(one);
  }
  return out;
}

constexpr const char* closing_sections = R"(.SH ENVIRONMENT
.TP
.B OMP_NUM_THREADS
CPU threads, where neither the case nor
.B \-\-threads
says how many.
.TP
.B CUDA_VISIBLE_DEVICES
GPUs that may be used; empty: none.
.TP
.B ERMINE_PYTHON
Python that draws pictures, with h5py and matplotlib.
.SH EXIT STATUS
0 on success, 1 for an error in the input or while running, 2 for a wrong command line.
No result files are written unless a run succeeds.
.SH EXAMPLES
.nf
ermine new furnace
ermine check furnace.toml
ermine run furnace.toml \-\-set solver.rays_per_cell=1000
ermine plot results/furnace.h5
.fi
.SH FILES
Case files are in TOML, results in HDF5; docs/formats/case.md and docs/formats/output.md in the
sources of ermine describe them.
)";

}  // namespace

std::string man_page(const VerbEntry& tool) {
  std::string out = fmt::format(
      ".TH ERMINE 1 \"\" \"ermine {}\" \"User Commands\"\n.SH NAME\n"
      "ermine \\- radiative heat transfer in hot gases by reciprocal Monte Carlo\n.SH SYNOPSIS\n"
      ".B ermine\n.I verb\n.RI [ options ]\n.SH DESCRIPTION\n{}.SH COMMANDS\n",
      plain_roff(ERMINE_VERSION), paragraphs(tool.help));
  for (const VerbEntry& verb : tool.verbs) {
    each_verb(verb, [&](const VerbEntry& one) { out += section_of(one); });
  }
  return out + closing_sections;
}

}  // namespace ermine::cli
