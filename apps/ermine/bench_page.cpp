#include "bench_page.hpp"

#include <ermine/error.hpp>
#include <ermine/version.hpp>

#include "bench_report.hpp"
#include "files/input_file.hpp"
#include "html_page.hpp"
#include "progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ermine::cli {
namespace {

using Json = nlohmann::ordered_json;

struct StudyKind {
  const char* name;
  const char* title;
  std::string (*section)(const Json&);
  bool (*fits)(const Json&);
};

/// Whether a list of rows is there, with a key that only rows of one study have. A list without
/// rows has the name of its study beside it.
bool has_rows(const Json& study, const char* list, const char* key) {
  const auto rows = study.find(list);
  return rows != study.end() && rows->is_array() && !rows->empty() && rows->front().is_object() &&
         rows->front().contains(key);
}

// In the order of the page.
const std::array study_kinds{
    StudyKind{"ladder", "The paper's methods: the ladder", ladder_section,
              [](const Json& study) { return has_rows(study, "results", "part"); }},
    StudyKind{"error", "Time to an error of Q", error_section,
              [](const Json& study) {
                return has_rows(study, "results", "target") ||
                       has_rows(study, "references", "cells");
              }},
    StudyKind{"scaling", "Scaling", scaling_section,
              [](const Json& study) { return has_rows(study, "strong", "processes"); }},
    StudyKind{"throughput", "Rays per second", throughput_section, [](const Json& study) {
                return has_rows(study, "results", "crossings_per_second");
              }}};

const StudyKind* kind_of(const Json& study) {
  if (!study.is_object() || !study.contains("machine")) return nullptr;
  const std::string name = study.value("study", "");
  const auto kind = std::find_if(
      study_kinds.begin(), study_kinds.end(),
      [&](const StudyKind& each) { return name.empty() ? each.fits(study) : name == each.name; });
  return kind == study_kinds.end() ? nullptr : &*kind;
}

std::string machine_text(const Json& study) {
  const Json& machine = study.at("machine");
  const std::string device = machine.value("device", "");
  const int threads = machine.value("threads", 0);
  return fmt::format("{}, {} thread{}{}{}", machine.value("processor", ""), threads,
                     threads == 1 ? "" : "s", device.empty() ? "" : ", ", device);
}

std::string study_section(const StudyKind& kind, std::size_t number, const StudyResult& study) {
  const Json& machine = study.json.at("machine");
  return fmt::format(
      "<section id=\"{0}-{1}\" data-study=\"{0}\">\n<h2>{2}</h2>\n{3}{4}{5}</section>\n", kind.name,
      number, kind.title,
      html_list(
          {{"machine", escaped(machine_text(study.json))},
           {"compiler", escaped(machine.value("compiler", "") + " " + machine.value("flags", ""))},
           {"version", escaped("ermine " + machine.value("ermine_version", ""))},
           {"from", escaped(study.source)}}),
      kind.section(study.json), left_out_list(study.json));
}

}  // namespace

std::string digits(double value, bool scaled, int count) {
  const bool whole = value >= 1e3 && value < 1e6;
  return (whole ? fmt::format("{:.0f}", value) : fmt::format("{:.{}g}", value, count)) +
         (scaled ? "*" : "");
}

std::string tracer_of(const Json& row, const Json& study) {
  if (row.value("backend", "cpu") == "cuda") {
    const std::string device = row.value("device", "");
    return device.empty() ? study.at("machine").value("device", "GPU") : device;
  }
  const int threads = row.value("threads", 1);
  return fmt::format("{} CPU thread{}", threads, threads == 1 ? "" : "s");
}

std::string left_out_list(const Json& study) {
  const auto gaps = study.find("left_out");
  if (gaps == study.end() || gaps->empty()) return "";
  std::string out = "<h3>Left out</h3>\n<ul class=\"note\">\n";
  for (const Json& gap : *gaps) {
    const Json target = gap.value("target", Json());
    out +=
        fmt::format("<li>{}, {} on grid {}{}: {}</li>\n", escaped(gap.value("problem", "")),
                    escaped(gap.value("method", "")), gap.value("grid", 0),
                    target.is_number() ? fmt::format(" to {:g} %", 100 * target.get<double>()) : "",
                    escaped(gap.value("why", "")));
  }
  return out + "</ul>\n";
}

namespace {

/// Checks and removes the last member. Files of ermine 0.1 have no checksum: their last member is
/// no text of as many digits, whatever its name.
void take_checksum(Json& study, const std::string& file) {
  if (!study.is_object() || study.empty()) return;
  const auto last = std::prev(study.end());
  const bool sum = last->is_string() && last->get_ref<const std::string&>().size() == 64;
  if (!sum && !study.contains("sha256")) return;
  const std::string name = last.key();
  const Json found = *last;
  study.erase(name);
  if (name != "sha256" || found != checksum_of(study)) {
    throw Error(file + " is damaged (its checksum does not fit), copy it again");
  }
}

}  // namespace

StudyResult read_study(const std::string& file) {
  const std::vector<char> text = read_bytes(file);
  if (text.empty()) throw Error(file + " is empty, give a file that ermine bench has made");
  StudyResult study{std::filesystem::path(file).filename().string(),
                    Json::parse(text.begin(), text.end(), nullptr, false)};
  take_checksum(study.json, file);
  if (!kind_of(study.json)) {
    throw Error(file +
                " holds no result of ermine bench, ermine bench ladder, error or scaling; give a "
                "file that one of these has made with --json or --output");
  }
  return study;
}

std::string throughput_section(const Json& study) {
  const Json& problem = study.at("problem");
  HtmlTable table({"on", "precision", "method", "million rays/s", "million crossings/s",
                   "crossings per ray", "time [s]"});
  for (const Json& row : study.at("results")) {
    table.add(
        {escaped(tracer_of(row, study)), row.at("precision").get<std::string>(),
         row.at("method").get<std::string>(), digits(row.at("rays_per_second").get<double>() / 1e6),
         digits(row.at("crossings_per_second").get<double>() / 1e6),
         digits(row.at("crossings_per_ray")), digits(row.at("seconds"))},
        fmt::format("throughput {} {} {}", row.at("backend").get<std::string>(),
                    row.at("precision").get<std::string>(), row.at("threads").get<int>()));
  }
  return fmt::format(
      "<p>Case 2, a grey slab with parabolic temperature, on {0}³ cells with {1} rays per cell; "
      "the best of several runs.</p>\n{2}",
      problem.at("grid").get<int>(), problem.at("rays_per_cell").get<int>(), table.text());
}

std::string bench_page(const std::vector<StudyResult>& studies) {
  HtmlTable contents({"study", "left out", "machine", "from"});
  std::string body;
  std::size_t left_out = 0;
  for (const StudyResult& study : studies) {
    if (!kind_of(study.json)) throw Error(study.source + " holds no result of ermine bench");
  }
  for (const StudyKind& kind : study_kinds) {
    for (std::size_t number = 0; number < studies.size(); ++number) {
      const StudyResult& study = studies[number];
      if (kind_of(study.json) != &kind) continue;
      const std::size_t gaps = study.json.value("left_out", Json::array()).size();
      left_out += gaps;
      try {
        body += study_section(kind, number, study);
      } catch (const Json::exception& error) {
        throw Error(fmt::format("{} is not whole ({}), make it anew with ermine bench {}",
                                study.source, error.what(), kind.name));
      }
      contents.add({fmt::format("<a href=\"#{}-{}\">{}</a>", kind.name, number, kind.title),
                    gaps == 0 ? "nothing" : fmt::format("{} run{}", gaps, gaps == 1 ? "" : "s"),
                    html_words(machine_text(study.json)), html_words(study.source)},
                   fmt::format("{}-{}", kind.name, number));
    }
  }
  const std::string head =
      fmt::format("<p class=\"status\" id=\"status\">{} stud{}{}</p>\n", studies.size(),
                  studies.size() == 1 ? "y" : "ies",
                  left_out == 0 ? ", nothing left out"
                                : fmt::format(", {} run{} left out (each study says why)", left_out,
                                              left_out == 1 ? "" : "s")) +
      html_list({{"made", escaped(time_stamp() + " by ermine " ERMINE_VERSION)}}) +
      contents.text() +
      "<p class=\"note\">Times are of the gas rays alone unless a table says otherwise. A star "
      "marks "
      "numbers that were not measured but scaled from a shorter run; points in figures are hollow "
      "then. docs/performance.md describes the studies.</p>\n";
  return html_page("ermine: performance", head, body);
}

}  // namespace ermine::cli
