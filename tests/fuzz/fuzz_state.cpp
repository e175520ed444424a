// Whatever a saved state of the radiation holds behind its seal, reading it ends with a state that
// fits the problem or with an Error that says why not. Arbitrary bytes do not get past the
// checksum, so states are written, changed, sealed anew and read back.

#include <ermine/error.hpp>

#include "coupling/coupling_file.hpp"
#include "files/sealed_file.hpp"
#include "in_memory.hpp"

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <fuzzer/FuzzedDataProvider.h>

namespace {

using namespace ermine;

constexpr std::array<std::int64_t, 3> cells{3, 2, 1};

CouplingState empty_state() {
  CouplingState state;
  state.case_text = "fuzz";
  state.problem = {{"grid", "", {0.0, 1.0}}, {"gas", "grey", {2.0}}};
  state.cells = cells;
  state.seed = 7;
  return state;
}

std::vector<double> numbers(FuzzedDataProvider& in, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) {
    value =
        in.ConsumeBool() ? in.ConsumeFloatingPoint<double>() : in.ConsumeIntegral<std::int8_t>();
  }
  return values;
}

Solution solution(FuzzedDataProvider& in) {
  Solution made;
  made.step = in.ConsumeIntegral<std::int16_t>();
  made.error = in.ConsumeFloatingPoint<double>();
  for (auto& values : made.cells) values = numbers(in, 6);
  for (auto& sides : made.walls) {
    for (const Face face : {Face::x_low, Face::x_high})
      sides[static_cast<std::size_t>(face)] = numbers(in, 2);
  }
  return made;
}

CouplingState state(FuzzedDataProvider& in) {
  CouplingState made = empty_state();
  made.steps = in.ConsumeIntegral<std::int16_t>();
  made.updates = in.ConsumeIntegral<std::int16_t>();
  made.ahead = in.ConsumeFloatingPoint<double>();
  if (in.ConsumeBool()) made.current = solution(in);
  if (in.ConsumeBool()) made.previous = solution(in);
  for (int i = in.ConsumeIntegralInRange(0, 2); i > 0; --i) made.waiting.push_back(solution(in));
  if (in.ConsumeBool()) {
    made.history.updates = 1;
    made.history.temperature = numbers(in, in.ConsumeIntegralInRange<std::size_t>(0, 8));
    made.history.flux_divergence = numbers(in, in.ConsumeIntegralInRange<std::size_t>(0, 8));
  }
  if (in.ConsumeProbability<float>() < 0.1f)
    made.problem.front().name = in.ConsumeRandomLengthString(9);
  if (in.ConsumeProbability<float>() < 0.1f)
    made.problem.front().text = in.ConsumeRandomLengthString(9);
  if (in.ConsumeProbability<float>() < 0.1f)
    made.problem.front().numbers = numbers(in, in.ConsumeIntegralInRange<std::size_t>(0, 3));
  return made;
}

bool same(const Solution& a, const Solution& b) {
  const auto bits = [](const std::vector<double>& one, const std::vector<double>& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](double x, double y) {
      return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
    });
  };
  for (std::size_t q = 0; q < quantity_count; ++q) {
    if (!bits(a.cells[q], b.cells[q])) return false;
  }
  return a.step == b.step;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  fuzz::keep_memory_of_hdf5();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider in(data, size);
  const int changes = in.ConsumeIntegralInRange(0, 3);
  const CouplingState made = state(in);
  try {
    std::string bytes = coupling_bytes(made);
    for (int i = 0; i < changes; ++i) {
      bytes[in.ConsumeIntegralInRange<std::size_t>(0, bytes.size() - 1)] =
          in.ConsumeIntegral<char>();
    }
    const std::string again =
        sealed(std::span<const char>(bytes).subspan(seal_size), coupling_seal);
    const Hdf5Reader reader(open_seal(again, coupling_seal, "fuzz"), "fuzz");
    const CouplingState found = read_coupling(reader, "fuzz", empty_state());
    if (changes > 0) return 0;
    if (found.current.has_value() != made.current.has_value() ||
        found.waiting.size() != made.waiting.size())
      std::abort();
    if (made.current && !same(*made.current, *found.current)) std::abort();
    for (std::size_t i = 0; i < made.waiting.size(); ++i) {
      if (!same(made.waiting[i], found.waiting[i])) std::abort();
    }
  } catch (const Error&) {
  }
  return 0;
}
