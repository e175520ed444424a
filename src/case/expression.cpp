#include "case/expression.hpp"

#include "core/check.hpp"
#include "core/constants.hpp"

#include <muParser.h>

namespace ermine {

struct Expression::Parser {
  mu::Parser parser;
  std::array<double, 3> position{};
  std::string formula;

  [[noreturn]] void explain(const std::string& reason) const {
    fail("cannot evaluate \"{}\" ({}), write a formula in x, y, z such as \"500 + 1000*x\"",
         formula, reason);
  }
};

Expression::Expression(const std::string& formula) : parser_(std::make_unique<Parser>()) {
  parser_->formula = formula;
  try {
    parser_->parser.DefineVar("x", &parser_->position[0]);
    parser_->parser.DefineVar("y", &parser_->position[1]);
    parser_->parser.DefineVar("z", &parser_->position[2]);
    parser_->parser.DefineConst("pi", constants::pi);
    parser_->parser.DefineConst("sigma", constants::stefan_boltzmann);
    parser_->parser.SetExpr(formula);
    (*this)({0.5, 0.5, 0.5});
  } catch (const mu::Parser::exception_type& error) {
    parser_->explain(error.GetMsg());
  }
}

Expression::~Expression() = default;

double Expression::operator()(const std::array<double, 3>& position) {
  parser_->position = position;
  double value = 0.0;
  int values = 0;
  try {
    value = parser_->parser.Eval(values)[0];
  } catch (const mu::Parser::exception_type& error) {
    parser_->explain(error.GetMsg());
  }
  if (values != 1) parser_->explain("it gives several values");
  if (parser_->position != position) parser_->explain("it changes x, y or z");
  return value;
}

}  // namespace ermine
