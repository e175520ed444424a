#pragma once

#include <ermine/radiation.hpp>

#include "coupling/caller.hpp"
#include "coupling/client_array.hpp"
#include "coupling/coupling_file.hpp"
#include "coupling/pending.hpp"
#include "parallel/field_exchange.hpp"
#include "parallel/machine_fields.hpp"

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ermine {

/// What is behind Radiation: the problem, solutions under way, and those taken over.
class Radiation::State {
 public:
  State(CoupledCase problem, Communicator communicator);
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { drop_pending(); }

  void set_grid(std::array<Axis, 3> axes);
  void set_block(const Block& block);
  void set_scaling(const Scaling& scaling);
  void set_wall(Face face, Wall wall);
  void set_composition(Species species, std::vector<double> values);
  void set_soot(std::vector<double> values);
  void set_particles(const std::string& name, ParticleProperty property,
                     std::vector<double> values);
  void set_absorption(std::vector<double> values);

  void advance(ClientValues temperature);
  void submit(ClientValues temperature) { submit("submit", temperature); }
  bool poll();
  void wait();
  void cancel();
  void set_interrupt(std::function<bool()> interrupts) { interrupts_ = std::move(interrupts); }
  int pending() const { return static_cast<int>(done_.size() + pending_.size()); }

  void get(Quantity quantity, ClientRoom values) const;
  void get(WallQuantity quantity, Face face, ClientRoom values) const;
  std::array<std::int64_t, 2> wall_shape(Face face) const;
  EnergyBalance balance() const;

  void expect_shape(const std::array<std::int64_t, 3>& extents) { expected_shape_ = extents; }
  void set_language(Language language) { caller_.language = language; }

  const CouplingStatistics& statistics() const { return statistics_; }
  const Communicator& communicator() const { return communicator_; }
  const Grid& grid() const;
  const Block& block();
  std::string describe();
  /// A field of the whole grid, from this process's part of it, for a call that sets it.
  std::vector<double> field(const char* call, ClientValues values);

  std::string saved();  ///< on the first rank
  void save(const std::filesystem::path& file);
  void load(const std::filesystem::path& file);
  void load(std::span<const char> bytes);

 private:
  int device_of_rank() const;
  bool distributed() const { return problem_.coupling.field == FieldMode::distributed; }
  Tracer new_tracer() const;
  void check_not_begun(const char* what) const;
  void check_pending() const;
  /// Refuses an array that is missing, or not of the shape that was announced for it.
  template <class Array>
  void check_array(const Array& array, const char* what) const {
    const auto announced = std::exchange(expected_shape_, std::nullopt);
    if (announced) check_shape(*announced, what);
    ERMINE_REQUIRE(!is_null(array), "{} is a null pointer, give an array", what);
  }
  void check_shape(const std::array<std::int64_t, 3>& given, const char* what) const;
  void check_solved() const;
  /// Updates go on from those of the same medium and walls only.
  void forget_problem();

  void prepare_block();
  void prepare();
  void submit(const std::string& call, ClientValues temperature);
  /// Into own_temperature_, checked.
  void read_temperature(ClientValues temperature);
  void push(Pending::Task task);
  /// In their order: each waits for the one before it.
  void drop_pending();
  /// The next solution, waited for.
  Solution next();
  /// The first of those under way, waited for.
  Solution finished();
  void take(Solution solution);
  /// To the step of the flow that is going on.
  void look_ahead();
  /// Values that the last two solutions lead to.
  std::vector<double> ahead(Quantity quantity) const;
  void load(const std::function<std::unique_ptr<Hdf5Reader>()>& open, const std::string& name);
  /// What a file must have that a run like this one has left.
  CouplingState expected_state() const;

  CoupledCase problem_;
  Communicator communicator_;
  std::shared_ptr<Ranks> ranks_;
  int device_;
  Caller caller_;
  mutable std::optional<std::array<std::int64_t, 3>> expected_shape_;  ///< of the next array
  std::optional<Block> block_;
  Scaling scaling_;
  std::shared_ptr<const Tracer> tracer_;
  std::shared_ptr<History> history_ = std::make_shared<History>();
  std::vector<Box> boxes_;                 ///< of all ranks
  std::vector<double> own_temperature_;    ///< of the last update; its memory serves for the next
  std::optional<MachineFields> to_all_;    ///< of replicated fields
  std::optional<FieldExchange> to_parts_;  ///< of distributed levels
  std::int64_t steps_ = 0;
  std::uint32_t updates_ = 0;
  double ahead_ = 0.0;         ///< updates, by which Q is continued
  std::deque<Solution> done_;  ///< submitted before all that are pending
  std::deque<std::unique_ptr<Pending>> pending_;
  std::optional<Solution> previous_, current_;
  std::function<bool()> interrupts_;
  CouplingStatistics statistics_;
};

}  // namespace ermine
