#include <ermine/energy_balance.hpp>

namespace ermine {

EnergyBalance balance_of(const Result& result) {
  EnergyBalance balance;
  balance.gas = result.ledger.gas;
  balance.all_walls = result.ledger.walls;
  balance.sum = result.ledger.total;
  balance.gas_bias = result.ledger.gas_bias;
  balance.unexplained = result.ledger.unexplained;
  balance.exchanged = result.ledger.exchanged;
  for (std::size_t face = 0; face < 6; ++face) balance.walls[face] = result.wall_flux[face].heat;
  return balance;
}

}  // namespace ermine
