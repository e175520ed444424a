#include "html_page.hpp"

#include <ermine/files.hpp>

#include "embedded.hpp"
#include "output_folder.hpp"

#include <fmt/format.h>

#include <ctime>

namespace ermine::cli {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

HtmlTable::HtmlTable(const std::vector<std::string>& header) {
  for (const std::string& cell : header) header_ += "<th>" + cell + "</th>";
}

void HtmlTable::add(const std::vector<std::string>& cells, const std::string& name) {
  rows_ += name.empty() ? "<tr>" : "<tr data-row=\"" + escaped(name) + "\">";
  for (const std::string& cell : cells) rows_ += "<td>" + cell + "</td>";
  rows_ += "</tr>\n";
}

std::string HtmlTable::text() const {
  return "<div class=\"table\"><table>\n<thead><tr>" + header_ + "</tr></thead>\n<tbody>\n" +
         rows_ + "</tbody></table></div>\n";
}

std::string html_words(std::string_view text) {
  return "<div class=\"words\">" + escaped(text) + "</div>";
}

std::string html_list(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string out = "<dl>\n";
  for (const auto& [name, value] : entries) {
    out += "<dt>" + escaped(name) + "</dt><dd>" + value + "</dd>\n";
  }
  return out + "</dl>\n";
}

std::string html_badge(bool pass) {
  return pass ? "<span class=\"badge pass\">pass</span>" : "<span class=\"badge fail\">FAIL</span>";
}

std::string html_page(const std::string& title, const std::string& head, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{0}</title>\n<style>\n{1}</style>\n</head>\n<body>\n<header>\n<h1>{0}</h1>\n{2}"
      "</header>\n<main>\n{3}</main>\n</body>\n</html>\n",
      escaped(title), embedded::report_style, head, body);
}

std::filesystem::path write_page(const std::string& directory, const std::string& page) {
  create_folder(directory);
  PendingFile file(std::filesystem::path(directory) / "index.html");
  file.write(page);
  file.commit();
  return file.target();
}

std::string time_stamp() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
  return text;
}

}  // namespace ermine::cli
