#include "core/thread_count.hpp"
#include "coupling/radiation_state.hpp"
#include "parallel/box_exchange.hpp"
#include "transport/accuracy/error_norm.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ermine {
namespace {

std::shared_future<void> nothing_before() {
  std::promise<void> done;
  done.set_value();
  return done.get_future().share();
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
  solution.balance = balance_of(result);
  solution.relative_error = result.relative_standard_error();
  solution.error = norm_of(result.standard_error, ErrorTarget{}, thread_count(0));
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

void Radiation::State::submit(const std::string& call, ClientValues temperature) {
  const Stopwatch clock;
  ranks_->enter(call);
  prepare();
  together(*ranks_, [&] { read_temperature(temperature); });
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
    task.distributed = (*to_parts_)(*tracer_, own_temperature_);
  } else {
    if (!to_all_) to_all_.emplace(ranks_, boxes_, all_cells(grid()));
    task.temperature = (*to_all_)(own_temperature_);
  }
  push(std::move(task));
  statistics_.seconds_submitting += clock.seconds();
}

void Radiation::State::read_temperature(ClientValues temperature) {
  check_array(temperature, "the temperature");
  std::vector<double>& own = own_temperature_;
  ClientArray(*block_).read(temperature, own, scaling_.offset, scaling_.factor);
  double coldest = 0.0;
  double hottest = 1e5;
  if (const auto* gas = std::get_if<GasMedium>(&problem_.medium)) {
    coldest = gas->coldest();
    hottest = gas->hottest();
  }
  const auto wrong = [&](double kelvin) { return !(kelvin >= coldest && kelvin <= hottest); };
  bool any = false;
#pragma omp parallel for schedule(static) reduction(|| : any) num_threads(thread_count(0))
  for (std::size_t i = 0; i < own.size(); ++i) any = any || wrong(own[i]);
  if (!any) return;
  const auto at = std::find_if(own.begin(), own.end(), wrong);
  const Box cells = cells_of(*block_);
  const std::int64_t n = at - own.begin();
  const std::int64_t first = caller_.first();
  fail("temperature is {} K in cell x {}, y {}, z {} {}, give kelvin from {} to {}{}", *at,
       first + cells.begin[0] + n % cells.extent(0),
       first + cells.begin[1] + n / cells.extent(0) % cells.extent(1),
       first + cells.begin[2] + n / (cells.extent(0) * cells.extent(1)), caller_.counted(), coldest,
       hottest, scaling_ == Scaling{} ? "" : ", or correct the scaling");
}

void Radiation::State::push(Pending::Task task) {
  const auto before = pending_.empty() ? nothing_before() : pending_.back()->done();
  pending_.push_back(std::make_unique<Pending>(std::move(task), ranks_, before));
  statistics_.updates = ++updates_;
}

void Radiation::State::check_pending() const {
  ERMINE_REQUIRE(pending() > 0, "nothing was submitted that could be waited for, call {} before",
                 caller_.call("submit"));
}

void Radiation::State::check_solved() const {
  ERMINE_REQUIRE(current_, "there is no solution yet, call {}, or {} and {}",
                 caller_.call("advance"), caller_.call("submit"), caller_.call("wait"));
}

bool Radiation::State::poll() {
  ranks_->enter("poll");
  together(*ranks_, [&] { check_pending(); });
  return !done_.empty() || pending_.front()->poll();
}

void Radiation::State::wait() {
  ranks_->enter("wait");
  together(*ranks_, [&] { check_pending(); });
  take(next());
  ahead_ = 0.0;
}

Solution Radiation::State::next() {
  if (!done_.empty()) {
    Solution solution = std::move(done_.front());
    done_.pop_front();
    return solution;
  }
  return finished();
}

Solution Radiation::State::finished() {
  const Stopwatch clock;
  Solution solution;
  try {
    solution = pending_.front()->wait(interrupts_);
  } catch (const Interrupted&) {
    throw;  // it stays pending
  } catch (...) {
    pending_.pop_front();
    throw;
  }
  pending_.pop_front();
  statistics_.seconds_waiting += clock.seconds();
  return solution;
}

void Radiation::State::take(Solution solution) {
  statistics_.rays += solution.rays;
  statistics_.seconds_solving += solution.seconds;
  statistics_.relative_error = solution.relative_error;
  statistics_.error = std::abs(scaling_.source) * solution.error;
  statistics_.bytes_sent = ranks_->bytes_sent();
  previous_ = std::move(current_);
  current_ = std::move(solution);
}

void Radiation::State::advance(ClientValues temperature) {
  const CouplingOptions& how = problem_.coupling;
  // What is not ready would only be waited for the longer, the more there is of it.
  const bool busy = how.handover == Handover::when_ready && pending() > 0;
  // Of steps that need no other rank, none hears: those that skipped one differ at the next.
  const std::string call = fmt::format("advance (step {})", steps_ + 1);
  if (steps_ % how.interval == 0 && !busy) {
    submit(call, temperature);
  } else if (const auto announced = std::exchange(expected_shape_, std::nullopt)) {
    block();
    check_shape(*announced, "the temperature");
  }
  const auto due = [&] {
    if (!current_) return true;
    if (how.handover == Handover::when_ready) return poll();
    const std::int64_t step = done_.empty() ? pending_.front()->step() : done_.front().step;
    return step + how.lag <= steps_;
  };
  while (pending() > 0 && due()) {
    ranks_->enter(call);
    take(next());
  }
  look_ahead();
  statistics_.steps = ++steps_;
}

void Radiation::State::look_ahead() {
  ahead_ = 0.0;
  if (!problem_.coupling.extrapolate || !previous_ || current_->step <= previous_->step) return;
  ahead_ = static_cast<double>(steps_ - current_->step) /
           static_cast<double>(current_->step - previous_->step);
}

void Radiation::State::cancel() {
  ranks_->enter("cancel");
  if (pending() == 0) return;
  statistics_.cancelled += pending();
  done_.clear();
  drop_pending();
  // How many of them were done, and are part of it, depends on who was faster.
  history_ = std::make_shared<History>();
}

void Radiation::State::drop_pending() {
  while (!pending_.empty()) pending_.pop_front();
}

void Radiation::State::get(Quantity quantity, ClientRoom values) const {
  check_solved();
  check_array(values, "the array for results");
  double factor = scaling_.source;
  if (quantity == Quantity::emission_slope) factor *= scaling_.factor;
  if (quantity == Quantity::standard_error) factor = std::abs(factor);
  const ClientArray array(*block_);
  if (ahead_ == 0) {
    array.write(current_->of(quantity), factor, values);
  } else {
    array.write(ahead(quantity), factor, values);
  }
}

void Radiation::State::get(WallQuantity quantity, Face face, ClientRoom values) const {
  check_solved();
  const auto& fluxes = current_->of(quantity, face);
  const Box all = all_cells(grid());
  const Box faces = faces_of(cells_of(*block_), all, face);
  if (faces.empty()) return;
  ERMINE_REQUIRE(!is_null(values), "the array for results is a null pointer");
  ERMINE_REQUIRE(!fluxes.empty(),
                 "there are no fluxes of side {}: it is periodic, or solver.rays_per_wall_face "
                 "is 0",
                 name_of(face));
  const Box side = faces_of(all, all, face);
  const Block as_it_is{faces.begin, faces.end, {0, 0, 0}, {0, 0, 0}, {0, 1, 2}};
  ClientArray(as_it_is).write(part_of(fluxes, side, faces), 1.0, values);
}

EnergyBalance Radiation::State::balance() const {
  check_solved();
  return current_->balance;
}

std::vector<double> Radiation::State::ahead(Quantity quantity) const {
  std::vector<double> values = current_->of(quantity);
  const std::vector<double>& before = previous_->of(quantity);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = quantity == Quantity::standard_error
                    ? std::hypot((1 + ahead_) * values[i], ahead_ * before[i])
                    : values[i] + ahead_ * (values[i] - before[i]);
  }
  return values;
}

std::array<std::int64_t, 2> Radiation::State::wall_shape(Face face) const {
  ERMINE_REQUIRE(block_, "the block is not known yet, call {} or {} before",
                 caller_.call("set_block"), caller_.call("submit"));
  const Box faces = faces_of(cells_of(*block_), all_cells(grid()), face);
  return {faces.extent(0), faces.extent(1)};
}

}  // namespace ermine
