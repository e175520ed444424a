#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace ermine::cli {

inline constexpr std::string_view published_in =
    "S. Silvestri and R. Pecnik, A fast GPU Monte Carlo radiative heat transfer implementation for "
    "coupling with direct numerical simulation, J. Comput. Phys. X 3 (2019) 100032";

/// A number of the paper to stand beside the finding of the same key (ladder_findings.cpp).
struct PublishedFigure {
  std::string_view key;
  double value;
  std::string_view conditions;
};

inline constexpr std::array published{
    PublishedFigure{"exponent_multigrid", 1.05, ""},
    PublishedFigure{"multigrid_over_classic", 18.2, "160^3 cells"},
    PublishedFigure{"multigrid_over_one_cpu_thread", 939.0, ""},
};

constexpr std::optional<PublishedFigure> find_published(std::string_view key) {
  for (const PublishedFigure& figure : published) {
    if (figure.key == key) return figure;
  }
  return std::nullopt;
}

}  // namespace ermine::cli
