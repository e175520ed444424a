#include "coupling/coupling_file.hpp"

#include <ermine/version.hpp>

#include "core/check.hpp"
#include "files/sealed_file.hpp"

#include <bit>
#include <charconv>
#include <cmath>

namespace ermine {
namespace {

constexpr std::array quantity_names{"source", "standard_error", "emission", "absorption",
                                    "emission_slope"};
constexpr std::array wall_quantity_names{"net_flux", "standard_error"};
constexpr const char* steps_name = "absorption_steps";

std::vector<std::size_t> shape_of(const std::array<std::int64_t, 3>& cells) {
  return {static_cast<std::size_t>(cells[2]), static_cast<std::size_t>(cells[1]),
          static_cast<std::size_t>(cells[0])};
}

/// Numbers of a solution, as one dataset.
std::vector<double> numbers_of(const Solution& solution) {
  return {static_cast<double>(solution.step), solution.relative_error, solution.error,
          static_cast<double>(solution.rays), solution.seconds};
}

/// Its energy balance, as another: value and error of gas, all walls, their sum, bias of the gas
/// and each side, then the two numbers without errors.
std::vector<double> numbers_of(const EnergyBalance& balance) {
  std::vector<double> numbers;
  const auto add = [&](const Estimate& estimate) {
    numbers.push_back(estimate.value);
    numbers.push_back(estimate.standard_error);
  };
  for (const Estimate& part : {balance.gas, balance.all_walls, balance.sum, balance.gas_bias}) {
    add(part);
  }
  for (const Estimate& wall : balance.walls) add(wall);
  numbers.push_back(balance.unexplained);
  numbers.push_back(balance.exchanged);
  return numbers;
}

EnergyBalance balance_of(const std::vector<double>& numbers) {
  const auto part = [&](std::size_t i) { return Estimate{numbers[2 * i], numbers[2 * i + 1]}; };
  EnergyBalance balance;
  balance.gas = part(0);
  balance.all_walls = part(1);
  balance.sum = part(2);
  balance.gas_bias = part(3);
  for (std::size_t face = 0; face < 6; ++face) balance.walls[face] = part(4 + face);
  balance.unexplained = numbers[20];
  balance.exchanged = numbers[21];
  return balance;
}

/// Absorption is emission - Q but for rounding: stored is how many representable numbers it is
/// away from that, a byte in place of eight. Empty where one is farther away.
std::vector<std::int8_t> steps_of_absorption(const Solution& solution) {
  const auto& source = solution.of(Quantity::source);
  const auto& emission = solution.of(Quantity::emission);
  const auto& absorption = solution.of(Quantity::absorption);
  std::vector<std::int8_t> steps(absorption.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double about = emission[i] - source[i];
    const std::uint64_t away =
        std::bit_cast<std::uint64_t>(absorption[i]) - std::bit_cast<std::uint64_t>(about);
    steps[i] = static_cast<std::int8_t>(away);
    if (static_cast<std::uint64_t>(std::int64_t{steps[i]}) != away) return {};
  }
  return steps;
}

void set_absorption(Solution& solution, const std::vector<std::int8_t>& steps) {
  const auto& source = solution.of(Quantity::source);
  const auto& emission = solution.of(Quantity::emission);
  auto& absorption = solution.cells[static_cast<std::size_t>(Quantity::absorption)];
  absorption.resize(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double about = emission[i] - source[i];
    absorption[i] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(about) +
                                          static_cast<std::uint64_t>(std::int64_t{steps[i]}));
  }
}

void write_solution(Hdf5Writer& writer, const std::string& group, const Solution& solution,
                    const std::array<std::int64_t, 3>& cells) {
  const auto numbers = numbers_of(solution);
  writer.write(group + "/numbers", std::array{numbers.size()}, numbers);
  const auto balance = numbers_of(solution.balance);
  writer.write(group + "/balance", std::array{balance.size()}, balance);
  const std::vector<std::int8_t> steps = steps_of_absorption(solution);
  if (!steps.empty()) writer.write_compressed(group + "/" + steps_name, shape_of(cells), steps);
  for (std::size_t q = 0; q < quantity_count; ++q) {
    if (!steps.empty() && q == static_cast<std::size_t>(Quantity::absorption)) continue;
    writer.write(group + "/" + quantity_names[q], shape_of(cells), solution.cells[q]);
  }
  for (std::size_t q = 0; q < wall_quantity_count; ++q) {
    for (const Face face : all_faces) {
      const auto& values = solution.of(static_cast<WallQuantity>(q), face);
      if (values.empty()) continue;
      writer.write(fmt::format("{}/walls/{}_{}", group, name_of(face), wall_quantity_names[q]),
                   std::array{values.size()}, values);
    }
  }
}

Solution read_solution(const Hdf5Reader& reader, const std::string& group,
                       const CouplingState& expected, std::int64_t walls) {
  Solution solution;
  const auto numbers = reader.read(group + "/numbers", {numbers_of(solution).size()});
  solution.step = static_cast<std::int64_t>(numbers[0]);
  solution.relative_error = numbers[1];
  solution.error = numbers[2];
  solution.rays = static_cast<std::int64_t>(numbers[3]);
  solution.seconds = numbers[4];
  solution.balance =
      balance_of(reader.read(group + "/balance", {numbers_of(solution.balance).size()}));
  const std::vector<std::size_t> shape = shape_of(expected.cells);
  const bool steps = reader.has(group + "/" + steps_name);
  for (std::size_t q = 0; q < quantity_count; ++q) {
    if (steps && q == static_cast<std::size_t>(Quantity::absorption)) continue;
    solution.cells[q] = reader.read(group + "/" + quantity_names[q], shape);
  }
  if (steps) set_absorption(solution, reader.read_bytes(group + "/" + steps_name, shape));
  for (std::size_t q = 0; q < wall_quantity_count; ++q) {
    for (const Face face : all_faces) {
      const auto f = static_cast<std::size_t>(face);
      if ((walls >> f & 1) == 0) continue;
      const auto [first, second] = Grid::tangents(face);
      solution.walls[q][f] =
          reader.read(fmt::format("{}/walls/{}_{}", group, name_of(face), wall_quantity_names[q]),
                      {static_cast<std::size_t>(expected.cells[first] * expected.cells[second])});
    }
  }
  return solution;
}

/// Sides that solutions have fluxes of, as bits.
std::int64_t walls_of(const CouplingState& state) {
  const Solution* any = state.current ? &*state.current : nullptr;
  if (!any && !state.waiting.empty()) any = &state.waiting.front();
  std::int64_t walls = 0;
  for (const Face face : all_faces) {
    if (any && !any->of(WallQuantity::net_flux, face).empty()) {
      walls |= std::int64_t{1} << static_cast<int>(face);
    }
  }
  return walls;
}

/// Levels of detail that were chosen, as one dataset.
std::array<double, 4> levels_of(const History& history) {
  return {static_cast<double>(history.levels), static_cast<double>(history.steps_per_level),
          static_cast<double>(history.wall_levels),
          static_cast<double>(history.wall_steps_per_level)};
}

/// Names and texts as lines of an attribute, numbers one after the other.
void write_problem(Hdf5Writer& writer, const std::vector<ProblemPart>& parts) {
  std::string lines;
  std::vector<double> numbers;
  for (const ProblemPart& part : parts) {
    lines += fmt::format("{}\t{}\t{}\n", part.name, part.text, part.numbers.size());
    numbers.insert(numbers.end(), part.numbers.begin(), part.numbers.end());
  }
  writer.attribute("/", "problem", lines);
  writer.write("/problem", std::array{numbers.size()}, numbers);
}

std::vector<ProblemPart> read_problem(const Hdf5Reader& reader, const std::string& name) {
  const std::vector<double> numbers = reader.read("/problem", reader.shape("/problem"));
  const std::string lines = reader.text("problem");
  std::vector<ProblemPart> parts;
  std::size_t next = 0;
  for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = end + 1) {
    end = std::min(lines.find('\n', begin), lines.size());
    const std::string line = lines.substr(begin, end - begin);
    const std::size_t first = line.find('\t'), last = line.rfind('\t');
    ERMINE_REQUIRE(first != last, "{} describes its problem in another way, start anew", name);
    std::size_t count = 0;
    std::from_chars(line.data() + last + 1, line.data() + line.size(), count);
    count = std::min(count, numbers.size() - next);
    const auto from = numbers.begin() + static_cast<std::ptrdiff_t>(next);
    parts.push_back({line.substr(0, first),
                     line.substr(first + 1, last - first - 1),
                     {from, from + static_cast<std::ptrdiff_t>(count)}});
    next += count;
  }
  return parts;
}

void check_problem(const Hdf5Reader& reader, const CouplingState& expected,
                   const std::string& name) {
  const auto whole = [&](const std::string& attribute) {
    return static_cast<std::int64_t>(reader.number(attribute));
  };
  const std::array cells{whole("cells_x"), whole("cells_y"), whole("cells_z")};
  ERMINE_REQUIRE(cells == expected.cells,
                 "{} was saved on a grid of {} x {} x {} cells, not of {} x {} x {}, give one of "
                 "this run",
                 name, cells[0], cells[1], cells[2], expected.cells[0], expected.cells[1],
                 expected.cells[2]);
  const std::string other = difference(read_problem(reader, name), expected.problem);
  ERMINE_REQUIRE(other.empty(), "{} {}; set grid, walls and gas as they were when it was saved",
                 name, other);
  const std::string seed = std::to_string(expected.seed);
  ERMINE_REQUIRE(reader.text("seed") == seed,
                 "{} was saved with seed {}, this run has {}, make them equal", name,
                 reader.text("seed"), seed);
}

}  // namespace

std::string coupling_bytes(const CouplingState& state) {
  Hdf5Writer writer("the state of the radiation");
  writer.attribute("/", "version", ERMINE_VERSION);
  writer.attribute("/", "seed", std::to_string(state.seed));  // of 64 bits
  writer.attribute("/", "steps", state.steps);
  writer.attribute("/", "updates", state.updates);
  writer.attribute("/", "ahead", state.ahead);
  writer.attribute("/", "waiting", static_cast<std::int64_t>(state.waiting.size()));
  writer.attribute("/", "current", std::int64_t{state.current.has_value()});
  writer.attribute("/", "previous", std::int64_t{state.previous.has_value()});
  writer.attribute("/", "walls", walls_of(state));
  writer.attribute("/", "history", static_cast<std::int64_t>(state.history.updates));
  writer.write("/levels", std::array{std::size_t{4}}, levels_of(state.history));
  for (const std::size_t a : {0, 1, 2}) {
    writer.attribute("/", fmt::format("cells_{}", "xyz"[a]), state.cells[a]);
  }
  write_problem(writer, state.problem);
  writer.write_text("/case", state.case_text);
  if (state.current) write_solution(writer, "/current", *state.current, state.cells);
  if (state.previous) write_solution(writer, "/previous", *state.previous, state.cells);
  for (std::size_t i = 0; i < state.waiting.size(); ++i) {
    write_solution(writer, fmt::format("/waiting/{}", i), state.waiting[i], state.cells);
  }
  const History& history = state.history;
  if (!history.empty()) {
    for (const auto& [name, values] : {std::pair("temperature", &history.temperature),
                                       std::pair("flux_divergence", &history.flux_divergence),
                                       std::pair("wall_flux", &history.wall_flux)}) {
      writer.write(fmt::format("/history/{}", name), std::array{values->size()}, *values);
    }
  }
  return sealed(writer.bytes(), coupling_seal);
}

CouplingState read_coupling(const Hdf5Reader& reader, const std::string& name,
                            const CouplingState& expected) {
  check_problem(reader, expected, name);
  const auto whole = [&](const char* attribute) {
    return static_cast<std::int64_t>(reader.number(attribute));
  };
  CouplingState state = expected;
  state.steps = whole("steps");
  state.updates = whole("updates");
  state.ahead = reader.number("ahead");
  const std::int64_t walls = whole("walls");
  if (whole("current") != 0) state.current = read_solution(reader, "/current", expected, walls);
  if (whole("previous") != 0) state.previous = read_solution(reader, "/previous", expected, walls);
  for (std::int64_t i = 0; i < whole("waiting"); ++i) {
    state.waiting.push_back(read_solution(reader, fmt::format("/waiting/{}", i), expected, walls));
  }
  state.history.updates = static_cast<std::uint64_t>(whole("history"));
  const auto levels = reader.read("/levels", {4});
  state.history.levels = static_cast<int>(levels[0]);
  state.history.steps_per_level = static_cast<int>(levels[1]);
  state.history.wall_levels = static_cast<int>(levels[2]);
  state.history.wall_steps_per_level = static_cast<int>(levels[3]);
  if (!state.history.empty()) {
    const auto values = [&](const char* dataset) {
      const std::string path = fmt::format("/history/{}", dataset);
      return reader.read(path, reader.shape(path));
    };
    state.history.temperature = values("temperature");
    state.history.flux_divergence = values("flux_divergence");
    state.history.wall_flux = values("wall_flux");
  }
  return state;
}

}  // namespace ermine
