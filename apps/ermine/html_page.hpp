#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Pages of results that need nothing but themselves: no network, no scripts, no other files.
namespace ermine::cli {

/// Text as it stands in HTML and SVG.
std::string escaped(std::string_view text);

/// Rows under a header; cells are HTML. On narrow screens it scrolls in a box of its own.
class HtmlTable {
 public:
  explicit HtmlTable(const std::vector<std::string>& header);

  /// `name` tells this row from all others of the page; empty: it has none.
  void add(const std::vector<std::string>& cells, const std::string& name = {});
  bool empty() const { return rows_.empty(); }
  std::string text() const;

 private:
  std::string header_;
  std::string rows_;
};

/// Text that may take several lines of a table's cell; other cells have one.
std::string html_words(std::string_view text);

/// Names and values below each other; values are HTML.
std::string html_list(const std::vector<std::pair<std::string, std::string>>& entries);

/// "pass" or "FAIL", in its colour.
std::string html_badge(bool pass);

/// The whole page. `head` is what stands above everything else, below the title.
std::string html_page(const std::string& title, const std::string& head, const std::string& body);

/// Writes index.html into a folder, which is made if it is missing; returns the file.
std::filesystem::path write_page(const std::string& directory, const std::string& page);

/// Now, as 2026-01-31 12:00 UTC.
std::string time_stamp();

}  // namespace ermine::cli
