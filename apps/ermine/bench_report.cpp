#include "bench_report.hpp"

#include <ermine/error.hpp>

#include "files/pending_file.hpp"
#include "python.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace ermine::cli {

void write_report(const std::string& json, const std::string& directory, const std::string& name,
                  const std::string& script) {
  PendingFile file(std::filesystem::path(directory) / name);
  file.write(json);
  file.commit();
  try {
    run_python(script, {directory}, {"matplotlib"}, json);
  } catch (const Error& error) {
    fmt::print(stderr, "no figure: {}\n", error.what());
  }
}

}  // namespace ermine::cli
