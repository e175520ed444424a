#include "bench_report.hpp"

#include <ermine/error.hpp>
#include <ermine/files.hpp>

#include "bench_page.hpp"
#include "files/sha256.hpp"
#include "html_page.hpp"
#include "python.hpp"
#include "terminal.hpp"

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
    terminal::note("no figure: {}\n", error.what());
  }
}

std::string checksum_of(const nlohmann::ordered_json& json) {
  return sha256(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

std::string json_text(const nlohmann::ordered_json& json) {
  nlohmann::ordered_json sealed = json;
  if (sealed.is_object()) sealed["sha256"] = checksum_of(json);
  return sealed.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void add_bench_page(nlohmann::ordered_json& study, const std::string& directory) {
  if (directory.empty()) return;
  study["report"] = write_page(directory, bench_page({{"measured now", study}})).string();
}

void print_page(const nlohmann::ordered_json& study) {
  if (!study.contains("report")) return;
  terminal::print("\nreport: {}\n", study.at("report").get<std::string>());
}

}  // namespace ermine::cli
