// Whatever a case of the channel flow holds, reading it ends with a problem that is in range or
// with an Error that says why not.

#include <ermine/error.hpp>

#include "case.hpp"
#include "in_memory.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static ermine::fuzz::FileInMemory file;
  file.hold({reinterpret_cast<const char*>(data), size});
  try {
    const channel::ChannelCase read = channel::read_channel_case(file.path(), {});
    const channel::FlowOptions& flow = read.flow;
    if (!(flow.viscosity > 0 && flow.diffusivity > 0 && std::isfinite(flow.force))) std::abort();
    if (!(flow.t_low >= 0 && flow.t_high >= 0)) std::abort();
    if (flow.mesh.ny < 1 || flow.mesh.nz < 1 || flow.mesh.x_faces.size() < 3) std::abort();
    for (std::size_t i = 1; i < flow.mesh.x_faces.size(); ++i) {
      if (!(flow.mesh.x_faces[i] > flow.mesh.x_faces[i - 1])) std::abort();
    }
    if (read.radiation &&
        !(read.radiation->capacity > 0 && std::isfinite(read.radiation->capacity))) {
      std::abort();
    }
  } catch (const ermine::Error&) {
  }
  return 0;
}
