// The smallest client of an installed ermine: a case from text, solved and checked.

#include <ermine/ermine.hpp>

#include <cmath>
#include <cstdio>

namespace {

const char* const hot_gas_between_cold_plates = R"(
temperature = 1000
medium = { absorption_coefficient = 1.0 }
[grid]
x = { cells = 4, to = 1.0 }
y = { cells = 1, to = 1.0, periodic = true }
z = { cells = 1, to = 1.0, periodic = true }
[walls]
x_low = { temperature = 0 }
x_high = { temperature = 0 }
)";

}  // namespace

int main() {
  const ermine::Case problem =
      ermine::parse_case(hot_gas_between_cold_plates, "client.toml", {"solver.start=uniform"});
  const ermine::Result result = problem.tracer().solve(problem.temperature);
  const ermine::Estimate& total = result.ledger.total;
  std::printf("ermine %s: heat balance %.3g +- %.2g W\n", ERMINE_VERSION, total.value,
              total.standard_error);
  const bool balanced = std::abs(total.value) < 5 * total.standard_error;
  return balanced && result.ledger.gas.value > 0 && result.rays.lost == 0 ? 0 : 1;
}
