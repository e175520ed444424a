#include <ermine/error.hpp>

#include "flow.hpp"

namespace channel {

std::unique_ptr<Flow> make_device_flow(const FlowOptions&) {
  throw ermine::Error(
      "this build has no GPU kernels, build with ERMINE_USE_CUDA=ON or take --backend cpu");
}

}  // namespace channel
