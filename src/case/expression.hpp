#pragma once

#include <array>
#include <memory>
#include <string>

namespace ermine {

/// A formula in x, y, z [m], with the constants pi and sigma (Stefan-Boltzmann, SI) and the usual
/// functions (sin, cos, exp, sqrt, abs, min, max, ...). Operators as in "2*x^2"; "x < 1 ? 300 :
/// 500".
class Expression {
 public:
  explicit Expression(const std::string& formula);
  ~Expression();
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;

  double operator()(const std::array<double, 3>& position);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace ermine
