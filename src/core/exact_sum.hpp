#pragma once

#include <algorithm>

namespace ermine {

/// A sum that does not depend on the order of its terms, nor on who adds up which of them: terms
/// count as whole multiples of 2^-40, those beyond 2^60 as that. 2^27 of them and more fit in.
class ExactSum {
 public:
  void add(double term) { sum_ += static_cast<Whole>(std::clamp(term, -0x1p60, 0x1p60) * 0x1p40); }
  void add(const ExactSum& other) { sum_ += other.sum_; }
  double value() const { return static_cast<double>(sum_) * 0x1p-40; }

 private:
  __extension__ using Whole = __int128;
  Whole sum_ = 0;
};

}  // namespace ermine
