#include <ermine/device.hpp>

namespace ermine {

bool built_with_cuda() { return false; }

bool device_available() { return false; }

std::vector<Device> devices() { return {}; }

std::string why_no_device() {
  return "this build of ermine has no GPU kernels, build it with nvcc and -DERMINE_USE_CUDA=ON";
}

}  // namespace ermine
