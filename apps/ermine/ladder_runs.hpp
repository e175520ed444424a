#pragma once

#include <ermine/case.hpp>

#include "ladder.hpp"
#include "progress_line.hpp"

namespace ermine::cli {

struct MeasuredRun {
  LadderRow row;
  Result result;
};

class LadderRunner {
 public:
  explicit LadderRunner(Verbosity verbosity) : verbosity_(verbosity) {}

  /// One run with so many rays per cell.
  MeasuredRun once(const Case& problem, const Options& options, const LadderSetting& setting,
                   std::int64_t rays) const;

  /// As many rays as planned or, if they take longer than `seconds`, as many as fit.
  MeasuredRun fit(const Case& problem, const Options& options, const LadderSetting& setting,
                  double seconds) const;

 private:
  Verbosity verbosity_;
};

}  // namespace ermine::cli
