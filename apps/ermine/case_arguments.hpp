#pragma once

#include <ermine/case.hpp>

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace ermine::cli {

/// A case on the command line: its file, and what replaces keys of it.
struct CaseArguments {
  std::string file;
  std::vector<std::string> overrides;
  std::string directory;
  std::string backend;
  int threads = 0;

  /// Must outlive the verb.
  void add_to(CLI::App& verb);
  Case read() const;
};

/// Where there are any, on standard error.
void print_warnings(const Case& problem, double thickest_cell);

}  // namespace ermine::cli
