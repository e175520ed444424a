#include "case/case_fingerprint.hpp"
#include "coupling/blocks.hpp"
#include "coupling/radiation_state.hpp"
#include "parallel/box_exchange.hpp"
#include "transport/run/fingerprint.hpp"
#include "transport/scene/field_memory.hpp"

#include <fmt/ranges.h>

#include <cmath>
#include <utility>

namespace ermine {

Radiation::State::State(CoupledCase problem, Communicator communicator)
    : problem_(std::move(problem)),
      communicator_(std::move(communicator)),
      ranks_(communicator_.ranks()),
      device_(device_of_rank()) {
  ranks_->enter("create");
  if (!ranks_->alone()) require_same(*ranks_, fingerprint(problem_));
}

int Radiation::State::device_of_rank() const {
  // GPUs are shared out among the processes of a machine in turn.
  const int count = device_count();
  if (count == 0) return 0;
  if (ranks_->alone()) return current_device();
  return ranks_->local_rank() % count;
}

void Radiation::State::set_grid(std::array<Axis, 3> axes) {
  ranks_->enter("set_grid");
  std::optional<Grid> grid;
  together(*ranks_, [&] {
    check_not_begun("the grid");
    grid = Grid(std::move(axes));
    for (const Face face : all_faces) {
      const bool has_wall = !problem_.walls[static_cast<std::size_t>(face)].temperature.empty();
      const bool could_have = !problem_.grid || problem_.grid->walled(face);
      ERMINE_REQUIRE(grid->walled(face) || !has_wall || !could_have,
                     "side {} has a wall, but the axis is periodic in this grid; leave out the "
                     "wall (walls.{} of the case), or make the axis not periodic",
                     name_of(face), name_of(face));
    }
  });
  require_same(*ranks_, fingerprint(*grid));
  problem_.grid = std::move(grid);
  block_.reset();
  boxes_.clear();
  to_all_.reset();
  to_parts_.reset();
}

void Radiation::State::set_block(const Block& block) {
  ranks_->enter("set_block");
  together(*ranks_, [&] {
    check_not_begun("the block");
    check_block(block, grid(), caller_);
  });
  const auto blocks = gather_one(*ranks_, cells_of(block));
  check_tiling(blocks, grid(), caller_);
  boxes_ = blocks;
  block_ = block;
  to_all_.reset();
  to_parts_.reset();
}

void Radiation::State::set_scaling(const Scaling& scaling) {
  ranks_->enter("set_scaling");
  together(*ranks_, [&] {
    ERMINE_REQUIRE(std::isfinite(scaling.offset) && std::isfinite(scaling.factor) &&
                       scaling.factor != 0 && std::isfinite(scaling.source),
                   "the scaling is T = {} + {} * theirs, source times {}: give finite numbers, "
                   "and a factor that is not 0",
                   scaling.offset, scaling.factor, scaling.source);
  });
  require_same(*ranks_, Fingerprint()
                            .add("the offset of the scaling", scaling.offset)
                            .add("the factor of the scaling", scaling.factor)
                            .add("the factor of the source", scaling.source));
  scaling_ = scaling;
}

void Radiation::State::set_wall(Face face, Wall wall) {
  ranks_->enter("set_wall");
  together(*ranks_, [&] {
    ERMINE_REQUIRE(grid().walled(face),
                   "side {} is a wall on a periodic axis, leave it out, or make the axis not "
                   "periodic",
                   name_of(face));
    std::array<Wall, 6> others;
    for (Wall& other : others) other.temperature = {0.0};
    others[static_cast<std::size_t>(face)] = wall;
    Walls(grid(), others);  // refuses what this one may not be
  });
  require_same(
      *ranks_,
      Fingerprint().add("the side", std::string_view(name_of(face))).add(fingerprint(wall, face)));
  problem_.walls[static_cast<std::size_t>(face)] = std::move(wall);
  forget_problem();
}

void Radiation::State::set_composition(Species species, std::vector<double> values) {
  ranks_->enter("set_composition");
  require_same(*ranks_, Fingerprint()
                            .add("the species", name_of(species))
                            .add("the mole fraction", std::span<const double>(values)));
  together(*ranks_, [&] {
    const auto* gas = std::get_if<GasMedium>(&problem_.medium);
    ERMINE_REQUIRE(gas, "the medium is no gas mixture, give [medium] mole_fractions in the case");
    problem_.medium = gas->with_mole_fraction({species, std::move(values)});
    forget_problem();
  });
}

void Radiation::State::set_soot(std::vector<double> values) {
  ranks_->enter("set_soot");
  require_same(*ranks_,
               Fingerprint().add("the volume fraction of soot", std::span<const double>(values)));
  together(*ranks_, [&] {
    const auto* gas = std::get_if<GasMedium>(&problem_.medium);
    ERMINE_REQUIRE(gas, "there is no soot in the medium, give medium.soot in the case");
    problem_.medium = gas->with_soot(std::move(values));
    forget_problem();
  });
}

void Radiation::State::set_particles(const std::string& name, ParticleProperty property,
                                     std::vector<double> values) {
  const char* key = property == ParticleProperty::absorption ? "absorption" : "scattering";
  ranks_->enter("set_particles");
  require_same(*ranks_, Fingerprint()
                            .add("the particles", std::string_view(name))
                            .add("what is set of them", std::string_view(key))
                            .add("its values", std::span<const double>(values)));
  together(*ranks_, [&] {
    std::vector<Particles>& all = problem_.particles;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Particles& one) { return one.name == name; });
    std::string names;
    for (const Particles& one : all)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", one.name);
    ERMINE_REQUIRE(found != all.end(),
                   "there are no particles \"{}\" in the medium (it has {}), give "
                   "[medium.particles.{}] in the case",
                   name, names.empty() ? "none" : names, name);
    const double most = property == ParticleProperty::absorption ? 1e12 : 1e6;
    for (const double value : values) {
      ERMINE_REQUIRE(value >= 0 && value <= most,
                     "{} of particles \"{}\" is {} 1/m, give 0 to {:g}", key, name, value, most);
    }
    (property == ParticleProperty::absorption ? found->absorption : found->scattering) =
        std::move(values);
    forget_problem();
  });
}

void Radiation::State::set_absorption(std::vector<double> values) {
  ranks_->enter("set_absorption");
  require_same(*ranks_,
               Fingerprint().add("the absorption coefficient", std::span<const double>(values)));
  together(*ranks_, [&] {
    ERMINE_REQUIRE(std::holds_alternative<GreyMedium>(problem_.medium),
                   "the medium is not grey, give [medium] absorption_coefficient in the case");
    problem_.medium = GreyMedium(std::move(values));
    forget_problem();
  });
}

void Radiation::State::check_shape(const std::array<std::int64_t, 3>& given,
                                   const char* what) const {
  std::array<std::int64_t, 3> extents{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto a = static_cast<std::size_t>(block_->order[i]);
    extents[i] = block_->end[a] - block_->begin[a] + block_->halo_below[a] + block_->halo_above[a];
  }
  ERMINE_REQUIRE(given == extents, "{} is {}, give the cells of this process: {}", what,
                 fmt::join(given, " x "), fmt::join(extents, " x "));
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
                 "{} cannot change once a run has begun, set it before the first {}, {} or {}",
                 what, caller_.call("submit"), caller_.call("advance"), caller_.call("load"));
}

const Grid& Radiation::State::grid() const {
  ERMINE_REQUIRE(problem_.grid, "the case has no grid, call {} first", caller_.call("set_grid"));
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
  return {grid(), Walls(grid(), problem_.walls),
          with_particles(problem_.medium, problem_.particles), scattering_of(problem_.particles),
          problem_.options};
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

std::vector<double> Radiation::State::field(const char* call, ClientValues values) {
  ranks_->enter(fmt::format("{} (field)", call));
  prepare_block();
  std::vector<double> own;
  together(*ranks_, [&] {
    check_array(values, "the field");
    own = ClientArray(*block_).read(values);
  });
  return gather_field(std::move(own), boxes_, all_cells(grid()), *ranks_);
}

}  // namespace ermine
