#pragma once

#include <ermine/case.hpp>
#include <ermine/tracer.hpp>

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
/// Before rays are traced: whether each of them takes long, on standard error.
void warn_of_long_rays(const Tracer& tracer, const std::vector<double>& temperature);

}  // namespace ermine::cli
