#include <ermine/radiation.hpp>

#include "coupling/blocks.hpp"
#include "coupling/client_array.hpp"
#include "coupling/coupling_file.hpp"
#include "coupling/pending.hpp"
#include "parallel/box_exchange.hpp"
#include "parallel/field_exchange.hpp"
#include "transport/field_memory.hpp"
#include "transport/history_parts.hpp"

#include <cmath>
#include <deque>
#include <utility>

namespace ermine {
namespace {

std::shared_future<void> nothing_before() {
  std::promise<void> done;
  done.set_value();
  return done.get_future().share();
}

double root_mean_square(const std::vector<double>& values) {
  double squares = 0.0;
  for (const double value : values) squares += value * value;
  return values.empty() ? 0.0 : std::sqrt(squares / static_cast<double>(values.size()));
}

/// Of a wall, lower axis fastest.
Box faces_of(const Box& cells, const Box& all, Face face) {
  const std::size_t normal = axis_of(face);
  const auto [first, second] = Grid::tangents(face);
  const bool touches = is_high(face) ? cells.end[normal] == all.end[normal]
                                     : cells.begin[normal] == all.begin[normal];
  if (!touches) return {};
  return {{cells.begin[first], cells.begin[second], 0}, {cells.end[first], cells.end[second], 1}};
}

/// What a process keeps of a result: its part of all cells.
Solution solution_of(Result&& result, const Box& all, const Box& part) {
  Solution solution;
  solution.rays = result.rays.traced;
  solution.relative_error = result.relative_standard_error();
  solution.error = root_mean_square(result.standard_error);
  const std::array<std::vector<double>*, quantity_count> fields{
      &result.flux_divergence, &result.standard_error, &result.emission, &result.absorption,
      &result.emission_slope};
  for (std::size_t q = 0; q < quantity_count; ++q) {
    solution.cells[q] = part == all ? std::move(*fields[q]) : part_of(*fields[q], all, part);
  }
  for (std::size_t face = 0; face < 6; ++face) {
    solution.walls[0][face] = std::move(result.wall_flux[face].net_flux);
    solution.walls[1][face] = std::move(result.wall_flux[face].standard_error);
  }
  return solution;
}

}  // namespace

class Radiation::State {
 public:
  State(CoupledCase problem, Communicator communicator)
      : problem_(std::move(problem)),
        communicator_(std::move(communicator)),
        ranks_(communicator_.ranks()),
        device_(device_of_rank()) {
    const std::string& text = problem_.text;
    require_same(*ranks_, Digest().add(std::span<const char>(text)), "the case");
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { drop_pending(); }

  void set_grid(std::array<Axis, 3> axes) {
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
    to_parts_.reset();
  }

  void set_block(const Block& block) {
    together(*ranks_, [&] {
      check_not_begun("the block");
      check_block(block, grid());
    });
    const auto blocks = gather_one(*ranks_, cells_of(block));
    check_tiling(blocks, grid());
    boxes_ = blocks;
    block_ = block;
    to_parts_.reset();
  }

  void set_scaling(const Scaling& scaling) {
    together(*ranks_, [&] {
      ERMINE_REQUIRE(std::isfinite(scaling.offset) && std::isfinite(scaling.factor) &&
                         scaling.factor != 0 && std::isfinite(scaling.source),
                     "the scaling is T = {} + {} * theirs, source times {}: give finite numbers, "
                     "and a factor that is not 0",
                     scaling.offset, scaling.factor, scaling.source);
      scaling_ = scaling;
    });
  }

  void set_wall(Face face, Wall wall) {
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

  void set_composition(Species species, std::vector<double> values) {
    together(*ranks_, [&] {
      const auto* gas = std::get_if<GasMedium>(&problem_.medium);
      ERMINE_REQUIRE(gas, "the medium is no gas mixture, give [medium] mole_fractions in the case");
      problem_.medium = gas->with_mole_fraction({species, std::move(values)});
      forget_problem();
    });
  }

  void set_absorption(std::vector<double> values) {
    together(*ranks_, [&] {
      ERMINE_REQUIRE(std::holds_alternative<GreyMedium>(problem_.medium),
                     "the medium is not grey, give [medium] absorption_coefficient in the case");
      problem_.medium = GreyMedium(std::move(values));
      forget_problem();
    });
  }

  template <class T>
  void submit(const T* temperature) {
    const Stopwatch clock;
    prepare();
    std::vector<double> own;
    together(*ranks_, [&] { own = checked_temperature(temperature); });
    Pending::Task task{tracer_,
                       {},
                       {},
                       updates_,
                       steps_,
                       device_,
                       history_,
                       [all = all_cells(grid()), part = cells_of(*block_)](Result&& result) {
                         return solution_of(std::move(result), all, part);
                       }};
    if (distributed()) {
      task.distributed = (*to_parts_)(*tracer_, own);
    } else {
      task.temperature = gathered(std::move(own));
    }
    push(std::move(task));
    statistics_.seconds_submitting += clock.seconds();
  }

  bool poll() {
    together(*ranks_, [&] { check_pending(); });
    return !done_.empty() || pending_.front()->poll();
  }

  void wait() {
    together(*ranks_, [&] { check_pending(); });
    take(next());
    ahead_ = 0.0;
  }

  void cancel() {
    if (pending() == 0) return;
    statistics_.cancelled += pending();
    done_.clear();
    drop_pending();
    // How many of them were done, and are part of it, depends on who was faster.
    history_ = std::make_shared<History>();
  }

  int pending() const { return static_cast<int>(done_.size() + pending_.size()); }

  template <class T>
  void advance(const T* temperature) {
    const CouplingOptions& how = problem_.coupling;
    // What is not ready would only be waited for the longer, the more there is of it.
    const bool busy = how.handover == Handover::when_ready && pending() > 0;
    if (steps_ % how.interval == 0 && !busy) submit(temperature);
    const auto due = [&] {
      if (!current_) return true;
      if (how.handover == Handover::when_ready) return poll();
      const std::int64_t step = done_.empty() ? pending_.front()->step() : done_.front().step;
      return step + how.lag <= steps_;
    };
    while (pending() > 0 && due()) take(next());
    look_ahead();
    statistics_.steps = ++steps_;
  }

  template <class T>
  void get(Quantity quantity, T* values) const {
    check_solved();
    ERMINE_REQUIRE(values, "the array for results is a null pointer");
    double factor = scaling_.source;
    if (quantity == Quantity::emission_slope) factor *= scaling_.factor;
    if (quantity == Quantity::standard_error) factor = std::abs(factor);
    ClientArray(*block_).write(std::span<const double>(ahead(quantity)), factor, values);
  }

  template <class T>
  void get(WallQuantity quantity, Face face, T* values) const {
    check_solved();
    const auto& fluxes = current_->of(quantity, face);
    const Box all = all_cells(grid());
    const Box faces = faces_of(cells_of(*block_), all, face);
    if (faces.empty()) return;
    ERMINE_REQUIRE(values, "the array for results is a null pointer");
    ERMINE_REQUIRE(!fluxes.empty(),
                   "there are no fluxes of side {}: it is periodic, or solver.rays_per_wall_face "
                   "is 0",
                   name_of(face));
    const Box side = faces_of(all, all, face);
    const Block as_it_is{faces.begin, faces.end, {0, 0, 0}, {0, 0, 0}, {0, 1, 2}};
    ClientArray(as_it_is).write(std::span<const double>(part_of(fluxes, side, faces)), 1.0, values);
  }

  std::array<std::int64_t, 2> wall_shape(Face face) const {
    ERMINE_REQUIRE(block_, "the block is not known yet, call set_block() or submit() before");
    const Box faces = faces_of(cells_of(*block_), all_cells(grid()), face);
    return {faces.extent(0), faces.extent(1)};
  }

  const CouplingStatistics& statistics() const { return statistics_; }
  const Communicator& communicator() const { return communicator_; }
  const Grid& grid() const {
    ERMINE_REQUIRE(problem_.grid, "the case has no grid, call set_grid() first");
    return *problem_.grid;
  }
  const Block& block() {
    if (!block_) block_ = slab_of_rank(grid(), ranks_->rank(), ranks_->size());
    return *block_;
  }

  std::string describe() {
    const Box cells = cells_of(block());
    const auto megabytes = [](const FieldMemory& memory) {
      return fmt::format("{:.3g} MB", 1e-6 * static_cast<double>(memory.total()));
    };
    const Tracer tracer = new_tracer();
    std::string field = megabytes(field_memory(tracer));
    if (distributed()) {
      field = fmt::format("{} of {}", megabytes(field_memory(tracer, cells)), field);
    }
    return fmt::format(
        "{} x {} x {} cells, {}; rank {} of {} has x {}:{}, y {}:{}, z {}:{} and {} of the "
        "temperature that rays march through, {}",
        grid().cells(0), grid().cells(1), grid().cells(2), ermine::describe(problem_.medium),
        ranks_->rank(), ranks_->size(), cells.begin[0], cells.end[0], cells.begin[1], cells.end[1],
        cells.begin[2], cells.end[2], distributed() ? "its part" : "all", field);
  }

  /// A field of the whole grid, from this process's part of it.
  template <class T>
  std::vector<double> field(const T* values) {
    prepare_block();
    std::vector<double> own;
    together(*ranks_, [&] {
      ERMINE_REQUIRE(values, "the field is a null pointer, give an array");
      own = ClientArray(*block_).read(values);
    });
    return gathered(std::move(own));
  }

  void save(const std::filesystem::path& file);
  void load(const std::filesystem::path& file);

 private:
  int device_of_rank() const {
    // GPUs are shared out among the processes of a machine in turn.
    const int count = device_count();
    if (count == 0) return 0;
    if (ranks_->alone()) return current_device();
    return ranks_->local_rank() % count;
  }

  /// In their order: each waits for the one before it.
  void drop_pending() {
    while (!pending_.empty()) pending_.pop_front();
  }

  /// Updates go on from those of the same medium and walls only.
  void forget_problem() {
    tracer_.reset();
    history_ = std::make_shared<History>();
  }

  void check_not_begun(const char* what) const {
    ERMINE_REQUIRE(updates_ == 0 && !current_,
                   "{} cannot change once a run has begun, set it "
                   "before the first submit(), advance() or load()",
                   what);
  }
  void check_pending() const {
    ERMINE_REQUIRE(pending() > 0,
                   "nothing was submitted that could be waited for, call submit() "
                   "before");
  }
  void check_solved() const {
    ERMINE_REQUIRE(current_, "there is no solution yet, call advance(), or submit() and wait()");
  }

  std::vector<double> gathered(std::vector<double> own) const {
    return gather_field(std::move(own), boxes_, all_cells(grid()), *ranks_);
  }

  CouplingState expected_state() const {
    CouplingState state;
    state.case_text = problem_.text;
    state.cells = all_cells(grid()).end;
    state.seed = static_cast<std::int64_t>(problem_.options.seed);
    return state;
  }

  void prepare_block() {
    block();
    if (boxes_.empty()) boxes_ = gather_one(*ranks_, cells_of(*block_));
  }

  bool distributed() const { return problem_.coupling.field == FieldMode::distributed; }

  Tracer new_tracer() const {
    return {grid(), Walls(grid(), problem_.walls), problem_.medium, problem_.options};
  }

  void prepare() {
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

  template <class T>
  std::vector<double> checked_temperature(const T* temperature) const {
    ERMINE_REQUIRE(temperature, "the temperature is a null pointer, give an array");
    std::vector<double> own =
        ClientArray(*block_).read(temperature, scaling_.offset, scaling_.factor);
    double coldest = 0.0;
    double hottest = 1e5;
    if (const auto* gas = std::get_if<GasMedium>(&problem_.medium)) {
      coldest = gas->coldest();
      hottest = gas->hottest();
    }
    const Box cells = cells_of(*block_);
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own[i] >= coldest && own[i] <= hottest) continue;
      const auto n = static_cast<std::int64_t>(i);
      fail(
          "temperature is {} K in cell x {}, y {}, z {} (counted from 0), give kelvin from {} to "
          "{}{}",
          own[i], cells.begin[0] + n % cells.extent(0),
          cells.begin[1] + n / cells.extent(0) % cells.extent(1),
          cells.begin[2] + n / (cells.extent(0) * cells.extent(1)), coldest, hottest,
          scaling_ == Scaling{} ? "" : ", or mend the scaling");
    }
    return own;
  }

  void push(Pending::Task task) {
    const auto before = pending_.empty() ? nothing_before() : pending_.back()->done();
    pending_.push_back(std::make_unique<Pending>(std::move(task), ranks_, before));
    statistics_.updates = ++updates_;
  }

  /// The next solution, waited for.
  Solution next() {
    if (!done_.empty()) {
      Solution solution = std::move(done_.front());
      done_.pop_front();
      return solution;
    }
    return finished();
  }

  /// The first of those under way, waited for.
  Solution finished() {
    const Stopwatch clock;
    const std::unique_ptr<Pending> front = std::move(pending_.front());
    pending_.pop_front();
    Solution solution = front->wait();
    statistics_.seconds_waiting += clock.seconds();
    return solution;
  }

  void take(Solution solution) {
    statistics_.rays += solution.rays;
    statistics_.seconds_solving += solution.seconds;
    statistics_.relative_error = solution.relative_error;
    statistics_.error = std::abs(scaling_.source) * solution.error;
    statistics_.bytes_sent = ranks_->bytes_sent();
    previous_ = std::move(current_);
    current_ = std::move(solution);
  }

  /// To the step of the flow that is going on.
  void look_ahead() {
    ahead_ = 0.0;
    if (!problem_.coupling.extrapolate || !previous_ || current_->step <= previous_->step) return;
    ahead_ = static_cast<double>(steps_ - current_->step) /
             static_cast<double>(current_->step - previous_->step);
  }

  /// Values of the last solution, or those that the last two lead to.
  std::vector<double> ahead(Quantity quantity) const {
    std::vector<double> values = current_->of(quantity);
    if (ahead_ == 0) return values;
    const std::vector<double>& before = previous_->of(quantity);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = quantity == Quantity::standard_error
                      ? std::hypot((1 + ahead_) * values[i], ahead_ * before[i])
                      : values[i] + ahead_ * (values[i] - before[i]);
    }
    return values;
  }

  CoupledCase problem_;
  Communicator communicator_;
  std::shared_ptr<Ranks> ranks_;
  int device_;
  std::optional<Block> block_;
  Scaling scaling_;
  std::shared_ptr<const Tracer> tracer_;
  std::shared_ptr<History> history_ = std::make_shared<History>();
  std::vector<Box> boxes_;                 ///< of all ranks
  std::optional<FieldExchange> to_parts_;  ///< of distributed levels
  std::int64_t steps_ = 0;
  std::uint32_t updates_ = 0;
  double ahead_ = 0.0;         ///< updates, by which Q is continued
  std::deque<Solution> done_;  ///< submitted before all that are pending
  std::deque<std::unique_ptr<Pending>> pending_;
  std::optional<Solution> previous_, current_;
  CouplingStatistics statistics_;
};

void Radiation::State::save(const std::filesystem::path& file) {
  prepare_block();
  while (!pending_.empty()) done_.push_back(finished());  // in their order
  const Box root = ranks_->rank() == 0 ? all_cells(grid()) : Box{};
  const BoxExchange to_root(ranks_, cells_of(*block_), root);
  const auto complete = [&](Solution solution) {
    for (auto& values : solution.cells) values = to_root(std::span<const double>(values));
    return solution;
  };
  CouplingState state = expected_state();
  state.steps = steps_;
  state.updates = updates_;
  state.ahead = ahead_;
  state.history = of_all_ranks(*history_, grid(), *ranks_);
  if (current_) state.current = complete(*current_);
  if (previous_) state.previous = complete(*previous_);
  for (const Solution& solution : done_) state.waiting.push_back(complete(solution));
  together(*ranks_, [&] {
    if (ranks_->rank() == 0) write_coupling(state, file);
  });
}

void Radiation::State::load(const std::filesystem::path& file) {
  prepare_block();
  CouplingState state;
  together(*ranks_, [&] {
    ERMINE_REQUIRE(pending() == 0, "solutions are under way, load a state before any is submitted");
    state = read_coupling(file, expected_state());
  });
  const auto own = [&](Solution solution) {
    for (auto& values : solution.cells) {
      values = part_of(values, all_cells(grid()), cells_of(*block_));
    }
    return solution;
  };
  steps_ = state.steps;
  updates_ = static_cast<std::uint32_t>(state.updates);
  ahead_ = state.ahead;
  *history_ = std::move(state.history);
  current_.reset();
  previous_.reset();
  if (state.current) current_ = own(std::move(*state.current));
  if (state.previous) previous_ = own(std::move(*state.previous));
  for (Solution& solution : state.waiting) done_.push_back(own(std::move(solution)));
  statistics_ = {};
  statistics_.steps = steps_;
  statistics_.updates = updates_;
}

Radiation::Radiation(CoupledCase problem, Communicator communicator)
    : state_(std::make_unique<State>(std::move(problem), std::move(communicator))) {}

Radiation::Radiation(const std::filesystem::path& case_file,
                     const std::vector<std::string>& overrides, Communicator communicator) {
  std::optional<CoupledCase> problem;
  together(*communicator.ranks(), [&] { problem = read_coupled_case(case_file, overrides); });
  state_ = std::make_unique<State>(std::move(*problem), std::move(communicator));
}

Radiation::Radiation(Radiation&&) noexcept = default;
Radiation& Radiation::operator=(Radiation&&) noexcept = default;
Radiation::~Radiation() = default;

void Radiation::set_grid(std::array<Axis, 3> axes) { state_->set_grid(std::move(axes)); }
void Radiation::set_block(const Block& block) { state_->set_block(block); }
void Radiation::set_scaling(const Scaling& scaling) { state_->set_scaling(scaling); }
void Radiation::set_wall(Face face, Wall wall) { state_->set_wall(face, std::move(wall)); }
void Radiation::set_composition(Species species, double mole_fraction) {
  state_->set_composition(species, {mole_fraction});
}
void Radiation::set_composition(Species species, const float* mole_fraction) {
  state_->set_composition(species, state_->field(mole_fraction));
}
void Radiation::set_composition(Species species, const double* mole_fraction) {
  state_->set_composition(species, state_->field(mole_fraction));
}
void Radiation::set_absorption(double coefficient) { state_->set_absorption({coefficient}); }
void Radiation::set_absorption(const float* coefficient) {
  state_->set_absorption(state_->field(coefficient));
}
void Radiation::set_absorption(const double* coefficient) {
  state_->set_absorption(state_->field(coefficient));
}
void Radiation::advance(const float* temperature) { state_->advance(temperature); }
void Radiation::advance(const double* temperature) { state_->advance(temperature); }
void Radiation::submit(const float* temperature) { state_->submit(temperature); }
void Radiation::submit(const double* temperature) { state_->submit(temperature); }
bool Radiation::poll() { return state_->poll(); }
void Radiation::wait() { state_->wait(); }
void Radiation::cancel() { state_->cancel(); }
int Radiation::pending() const { return state_->pending(); }
void Radiation::get(Quantity quantity, float* values) const { state_->get(quantity, values); }
void Radiation::get(Quantity quantity, double* values) const { state_->get(quantity, values); }
void Radiation::get(WallQuantity quantity, Face face, float* values) const {
  state_->get(quantity, face, values);
}
void Radiation::get(WallQuantity quantity, Face face, double* values) const {
  state_->get(quantity, face, values);
}
std::array<std::int64_t, 2> Radiation::wall_shape(Face face) const {
  return state_->wall_shape(face);
}
const CouplingStatistics& Radiation::statistics() const { return state_->statistics(); }
const Grid& Radiation::grid() const { return state_->grid(); }
const Block& Radiation::block() const { return state_->block(); }
const Communicator& Radiation::communicator() const { return state_->communicator(); }
std::string Radiation::describe() const { return state_->describe(); }
void Radiation::save(const std::filesystem::path& file) { state_->save(file); }
void Radiation::load(const std::filesystem::path& file) { state_->load(file); }

}  // namespace ermine
