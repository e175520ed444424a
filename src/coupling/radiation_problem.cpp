#include "coupling/blocks.hpp"
#include "coupling/radiation_state.hpp"
#include "parallel/box_exchange.hpp"
#include "transport/field_memory.hpp"

#include <cmath>
#include <utility>

namespace ermine {

Radiation::State::State(CoupledCase problem, Communicator communicator)
    : problem_(std::move(problem)),
      communicator_(std::move(communicator)),
      ranks_(communicator_.ranks()),
      device_(device_of_rank()) {
  const std::string& text = problem_.text;
  require_same(*ranks_, Digest().add(std::span<const char>(text)), "the case");
}

int Radiation::State::device_of_rank() const {
  // GPUs are shared out among the processes of a machine in turn.
  const int count = device_count();
  if (count == 0) return 0;
  if (ranks_->alone()) return current_device();
  return ranks_->local_rank() % count;
}

void Radiation::State::set_grid(std::array<Axis, 3> axes) {
  Digest digest;
  for (const Axis& axis : axes) {
    const std::array periodic{axis.boundary == Boundary::periodic};
    digest.add(std::span<const double>(axis.faces)).add(std::span<const bool>(periodic));
  }
  std::optional<Grid> grid;
  together(*ranks_, [&] {
    check_not_begun("the grid");
    grid = Grid(std::move(axes));
  });
  require_same(*ranks_, digest, "the grid");
  problem_.grid = std::move(grid);
  block_.reset();
  boxes_.clear();
  to_all_.reset();
  to_parts_.reset();
}

void Radiation::State::set_block(const Block& block) {
  together(*ranks_, [&] {
    check_not_begun("the block");
    check_block(block, grid());
  });
  const auto blocks = gather_one(*ranks_, cells_of(block));
  check_tiling(blocks, grid());
  boxes_ = blocks;
  block_ = block;
  to_all_.reset();
  to_parts_.reset();
}

void Radiation::State::set_scaling(const Scaling& scaling) {
  together(*ranks_, [&] {
    ERMINE_REQUIRE(std::isfinite(scaling.offset) && std::isfinite(scaling.factor) &&
                       scaling.factor != 0 && std::isfinite(scaling.source),
                   "the scaling is T = {} + {} * theirs, source times {}: give finite numbers, "
                   "and a factor that is not 0",
                   scaling.offset, scaling.factor, scaling.source);
    scaling_ = scaling;
  });
}

void Radiation::State::set_wall(Face face, Wall wall) {
  together(*ranks_, [&] {
    std::array<Wall, 6> others;
    for (Wall& other : others) other.temperature = {0.0};
    others[static_cast<std::size_t>(face)] = wall;
    Walls(grid(), others);  // refuses what this one may not be
  });
  const std::array marks{static_cast<int>(face), static_cast<int>(wall.reflection)};
  require_same(*ranks_,
               Digest()
                   .add(std::span<const int>(marks))
                   .add(std::span<const double>(wall.temperature))
                   .add(std::span<const double>(wall.emissivity)),
               "the wall");
  problem_.walls[static_cast<std::size_t>(face)] = std::move(wall);
  forget_problem();
}

void Radiation::State::set_composition(Species species, std::vector<double> values) {
  together(*ranks_, [&] {
    const auto* gas = std::get_if<GasMedium>(&problem_.medium);
    ERMINE_REQUIRE(gas, "the medium is no gas mixture, give [medium] mole_fractions in the case");
    problem_.medium = gas->with_mole_fraction({species, std::move(values)});
    forget_problem();
  });
}

void Radiation::State::set_absorption(std::vector<double> values) {
  together(*ranks_, [&] {
    ERMINE_REQUIRE(std::holds_alternative<GreyMedium>(problem_.medium),
                   "the medium is not grey, give [medium] absorption_coefficient in the case");
    problem_.medium = GreyMedium(std::move(values));
    forget_problem();
  });
}

void Radiation::State::forget_problem() {
  tracer_.reset();
  // Levels of detail stay as they were chosen.
  auto history = std::make_shared<History>(*history_);
  history->forget_solution();
  history_ = std::move(history);
}

void Radiation::State::check_not_begun(const char* what) const {
  ERMINE_REQUIRE(updates_ == 0 && !current_,
                 "{} cannot change once a run has begun, set it "
                 "before the first submit(), advance() or load()",
                 what);
}

const Grid& Radiation::State::grid() const {
  ERMINE_REQUIRE(problem_.grid, "the case has no grid, call set_grid() first");
  return *problem_.grid;
}
const Block& Radiation::State::block() {
  if (!block_) block_ = slab_of_rank(grid(), ranks_->rank(), ranks_->size());
  return *block_;
}

void Radiation::State::prepare_block() {
  block();
  if (boxes_.empty()) boxes_ = gather_one(*ranks_, cells_of(*block_));
}

Tracer Radiation::State::new_tracer() const {
  return {grid(), Walls(grid(), problem_.walls), problem_.medium, problem_.options};
}

void Radiation::State::prepare() {
  prepare_block();
  together(*ranks_, [&] {
    if (tracer_) return;
    const auto tracer = std::make_shared<const Tracer>(new_tracer());
    if (distributed()) check_distributed(*tracer);
    tracer_ = tracer;
    const Box cells = cells_of(*block_);
    statistics_.field_bytes =
        (distributed() ? field_memory(*tracer, cells) : field_memory(*tracer)).total();
  });
  if (distributed() && !to_parts_) to_parts_.emplace(ranks_, *tracer_, cells_of(*block_));
}

std::vector<double> Radiation::State::field(ClientValues values) {
  prepare_block();
  std::vector<double> own;
  together(*ranks_, [&] {
    ERMINE_REQUIRE(!is_null(values), "the field is a null pointer, give an array");
    own = ClientArray(*block_).read(values);
  });
  return gather_field(std::move(own), boxes_, all_cells(grid()), *ranks_);
}

std::string Radiation::State::describe() {
  const Box cells = cells_of(block());
  const auto megabytes = [](const FieldMemory& memory) {
    return fmt::format("{:.3g} MB", 1e-6 * static_cast<double>(memory.total()));
  };
  const Tracer tracer = new_tracer();
  std::string field = megabytes(field_memory(tracer));
  if (distributed()) {
    field = fmt::format("{} of {}", megabytes(field_memory(tracer, cells)), field);
  }
  std::string text = fmt::format(
      "{} x {} x {} cells, {}; rank {} of {} has x {}:{}, y {}:{}, z {}:{} and {} of the "
      "temperature that rays march through, {}",
      grid().cells(0), grid().cells(1), grid().cells(2), ermine::describe(problem_.medium),
      ranks_->rank(), ranks_->size(), cells.begin[0], cells.end[0], cells.begin[1], cells.end[1],
      cells.begin[2], cells.end[2], distributed() ? "its part" : "all", field);
  for (const std::string& warning : warnings(problem_.medium)) text += "; warning: " + warning;
  return text;
}

}  // namespace ermine
