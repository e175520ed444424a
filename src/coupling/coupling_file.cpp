#include "coupling/coupling_file.hpp"

#include <ermine/version.hpp>

#include "core/check.hpp"
#include "files/hdf5.hpp"
#include "files/pending_file.hpp"

#include <cstdlib>

namespace ermine {
namespace {

constexpr std::int64_t format_of_coupling = 2;
constexpr const char* kind_of_coupling = "ermine coupling state";
constexpr std::array quantity_names{"source", "standard_error", "emission", "absorption",
                                    "emission_slope"};
constexpr std::array wall_quantity_names{"net_flux", "standard_error"};

std::vector<std::size_t> shape_of(const std::array<std::int64_t, 3>& cells) {
  return {static_cast<std::size_t>(cells[2]), static_cast<std::size_t>(cells[1]),
          static_cast<std::size_t>(cells[0])};
}

/// Numbers of a solution, as one dataset.
std::vector<double> numbers_of(const Solution& solution) {
  return {static_cast<double>(solution.step), solution.relative_error, solution.error,
          static_cast<double>(solution.rays), solution.seconds};
}

void write_solution(Hdf5Writer& writer, const std::string& group, const Solution& solution,
                    const std::array<std::int64_t, 3>& cells) {
  const auto numbers = numbers_of(solution);
  writer.write(group + "/numbers", std::array{numbers.size()}, numbers);
  for (std::size_t q = 0; q < quantity_count; ++q) {
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
  for (std::size_t q = 0; q < quantity_count; ++q) {
    solution.cells[q] = reader.read(group + "/" + quantity_names[q], shape_of(expected.cells));
  }
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

}  // namespace

namespace {

/// Levels of detail that were chosen, as one dataset.
std::array<double, 4> levels_of(const History& history) {
  return {static_cast<double>(history.levels), static_cast<double>(history.steps_per_level),
          static_cast<double>(history.wall_levels),
          static_cast<double>(history.wall_steps_per_level)};
}

}  // namespace

void write_coupling(const CouplingState& state, const std::filesystem::path& file) {
  PendingFile pending(file);
  Hdf5Writer writer(pending.temporary(), file);
  writer.attribute("/", "kind", kind_of_coupling);
  writer.attribute("/", "format", format_of_coupling);
  writer.attribute("/", "version", ERMINE_VERSION);
  writer.attribute("/", "seed", std::to_string(state.seed));  // of 64 bits
  writer.attribute("/", "steps", state.steps);
  writer.attribute("/", "updates", state.updates);
  writer.write("/ahead", std::array{std::size_t{1}}, std::array{state.ahead});
  writer.attribute("/", "waiting", static_cast<std::int64_t>(state.waiting.size()));
  writer.attribute(
      "/", "solved",
      std::int64_t{state.current.has_value()} + std::int64_t{state.previous.has_value()});
  writer.attribute("/", "walls", walls_of(state));
  writer.attribute("/", "history", static_cast<std::int64_t>(state.history.updates));
  writer.write("/levels", std::array{std::size_t{4}}, levels_of(state.history));
  for (const std::size_t a : {0, 1, 2}) {
    writer.attribute("/", fmt::format("cells_{}", "xyz"[a]), state.cells[a]);
  }
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
  writer.close();
  pending.commit();
}

CouplingState read_coupling(const std::filesystem::path& file, const CouplingState& expected) {
  const Hdf5Reader reader(file);
  ERMINE_REQUIRE(reader.text("kind") == kind_of_coupling,
                 "{} holds \"{}\", give a file that Radiation::save() wrote", file.string(),
                 reader.text("kind"));
  const auto whole = [&](const char* name) {
    return static_cast<std::int64_t>(reader.number(name));
  };
  ERMINE_REQUIRE(whole("format") == format_of_coupling,
                 "{} has format {} (this ermine reads format {}), use the ermine that wrote it",
                 file.string(), whole("format"), format_of_coupling);
  CouplingState state = expected;
  for (const std::size_t a : {0, 1, 2}) {
    state.cells[a] = whole(fmt::format("cells_{}", "xyz"[a]).c_str());
  }
  ERMINE_REQUIRE(state.cells == expected.cells,
                 "{} was saved on a grid of {} x {} x {} cells, not of {} x {} x {}, give one of "
                 "this run",
                 file.string(), state.cells[0], state.cells[1], state.cells[2], expected.cells[0],
                 expected.cells[1], expected.cells[2]);
  state.seed = std::strtoll(reader.text("seed").c_str(), nullptr, 10);
  ERMINE_REQUIRE(state.seed == expected.seed,
                 "{} was saved with seed {}, this run has {}, make them equal", file.string(),
                 state.seed, expected.seed);
  state.steps = whole("steps");
  state.updates = whole("updates");
  state.ahead = reader.read("/ahead", {1}).front();
  const std::int64_t walls = whole("walls");
  if (whole("solved") >= 1) state.current = read_solution(reader, "/current", expected, walls);
  if (whole("solved") >= 2) state.previous = read_solution(reader, "/previous", expected, walls);
  for (std::int64_t i = 0; i < whole("waiting"); ++i) {
    state.waiting.push_back(read_solution(reader, fmt::format("/waiting/{}", i), expected, walls));
  }
  state.history.updates = static_cast<std::uint64_t>(whole("history"));
  const auto levels = reader.read("/levels", {4});
  for (std::size_t i = 0; i < 4; ++i) {
    ERMINE_REQUIRE(levels[i] >= 0 && levels[i] <= 1e9,
                   "{} has {} for levels of detail, it is damaged: give another", file.string(),
                   levels[i]);
  }
  state.history.levels = static_cast<int>(levels[0]);
  state.history.steps_per_level = static_cast<int>(levels[1]);
  state.history.wall_levels = static_cast<int>(levels[2]);
  state.history.wall_steps_per_level = static_cast<int>(levels[3]);
  if (!state.history.empty()) {
    const auto values = [&](const char* name) {
      const std::string path = fmt::format("/history/{}", name);
      return reader.read(path, reader.shape(path));
    };
    state.history.temperature = values("temperature");
    state.history.flux_divergence = values("flux_divergence");
    state.history.wall_flux = values("wall_flux");
  }
  return state;
}

}  // namespace ermine
