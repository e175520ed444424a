#include <ermine/lines.hpp>

#include "core/check.hpp"
#include "core/fp_guard.hpp"
#include "files/input_file.hpp"
#include "spectra/text.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

namespace ermine {
namespace {

/// Rows that cubic interpolation needs.
constexpr std::size_t stencil = 4;

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    words.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return words;
}

/// The names behind "T[K]," in a comment; none if it does not name the columns.
std::vector<std::string> codes_of(std::string_view comment, const std::string& where) {
  constexpr std::string_view mark = "T[K],";
  const std::size_t found = comment.rfind(mark);
  std::vector<std::string> codes;
  if (found == comment.npos) return codes;
  for (const std::string_view code : split_at_commas(comment.substr(found + mark.size()))) {
    ERMINE_REQUIRE(!code.empty(), "{}: an isotopologue has no name, write '# T[K],161,181,...'",
                   where);
    codes.emplace_back(code);
  }
  return codes;
}

double positive_number(std::string_view word, const std::string& where) {
  const auto value = finite_number(word);
  ERMINE_REQUIRE(value && *value > 0, "{}: '{}' is not a positive number, correct the file", where,
                 printable(word));
  return *value;
}

}  // namespace

PartitionSums PartitionSums::read(const std::filesystem::path& file) {
  require_regular(file);
  std::ifstream in(file);
  ERMINE_REQUIRE(in, "cannot read {}, check that the file exists and may be read", file.string());
  return read(in, file.string());
}

PartitionSums PartitionSums::read(std::istream& in, const std::string& name) {
  const FloatingPointGuard guard;
  PartitionSums sums;
  sums.name_ = name;
  std::string line;
  for (std::int64_t number = 1; std::getline(in, line); ++number) {
    const std::string_view text = trimmed(line);
    if (text.empty()) continue;
    const std::string where = fmt::format("{}:{}", name, number);
    if (text.starts_with('#')) {
      if (sums.codes_.empty()) sums.codes_ = codes_of(text, where);
      continue;
    }
    ERMINE_REQUIRE(!sums.codes_.empty(),
                   "{}: numbers before the columns are named, begin the file with "
                   "'# T[K],161,181,...', isotopologues in HITRAN order",
                   where);
    const auto words = split_at_commas(text);
    ERMINE_REQUIRE(words.size() == sums.codes_.size() + 1,
                   "{}: found {} columns, give a temperature and {} sums", where, words.size(),
                   sums.codes_.size());
    const double kelvin = positive_number(words.front(), where);
    ERMINE_REQUIRE(sums.temperature_.empty() || kelvin > sums.temperature_.back(),
                   "{}: temperature {} does not increase after {}, sort the rows", where, kelvin,
                   sums.temperature_.empty() ? 0.0 : sums.temperature_.back());
    sums.temperature_.push_back(kelvin);
    std::vector<double>& row = sums.sum_.emplace_back();
    for (std::size_t i = 1; i < words.size(); ++i) {
      row.push_back(positive_number(words[i], where));
    }
  }
  ERMINE_REQUIRE(!in.bad(), "reading {} failed, check the disk", name);
  ERMINE_REQUIRE(sums.temperature_.size() >= stencil,
                 "{} holds {} rows (interpolation needs {}), give a table of partition sums", name,
                 sums.temperature_.size(), stencil);
  return sums;
}

const std::string& PartitionSums::code(int isotopologue) const {
  ERMINE_REQUIRE(isotopologue >= 1 && static_cast<std::size_t>(isotopologue) <= codes_.size(),
                 "{} has partition sums of {} isotopologues, not of number {}, give a file that "
                 "has them",
                 name_, codes_.size(), isotopologue);
  return codes_[static_cast<std::size_t>(isotopologue) - 1];
}

double PartitionSums::operator()(int isotopologue, double kelvin) const {
  const FloatingPointGuard guard;
  const std::string& column_code = code(isotopologue);
  ERMINE_REQUIRE(kelvin >= first() && kelvin <= last(),
                 "{}: partition sum of isotopologue {} wanted at {} K, the file holds {} to {} K, "
                 "stay within",
                 name_, printable(column_code), kelvin, first(), last());
  // The two rows on each side, at the ends of the table the outermost four.
  const auto above = std::upper_bound(temperature_.begin(), temperature_.end(), kelvin);
  const auto row = static_cast<std::size_t>(above - temperature_.begin());
  const std::size_t begin =
      std::min(row < stencil / 2 ? 0 : row - stencil / 2, temperature_.size() - stencil);
  // Lagrange polynomial of ln Q, so that no table makes Q negative.
  double log_sum = 0.0;
  for (std::size_t i = begin; i < begin + stencil; ++i) {
    double weight = 1.0;
    for (std::size_t j = begin; j < begin + stencil; ++j) {
      if (j != i) weight *= (kelvin - temperature_[j]) / (temperature_[i] - temperature_[j]);
    }
    log_sum += weight * std::log(sum_[i][static_cast<std::size_t>(isotopologue) - 1]);
  }
  return std::exp(log_sum);
}

}  // namespace ermine
