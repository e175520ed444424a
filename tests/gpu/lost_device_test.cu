#include "gpu/device_test.hpp"
#include "support/problems.hpp"

namespace ermine {
namespace {

__global__ void write_to(int* place) { *place = 1; }

/// A program of its own: after a fault no call of its process reaches the GPU any more.
class LostDevice : public test::DeviceTest {};

TEST_F(LostDevice, IsReportedByTheNextSolution) {
  const Grid grid = test::box_grid(4);
  const Tracer tracer(grid, test::enclosure(grid, test::wall(500)), GreyMedium(1.0),
                      {.backend = Backend::cuda, .rays_per_cell = 2, .rays_per_wall_face = 2});
  const std::vector<double> temperature(grid.cell_count(), 700.0);
  test::solve_on_device(tracer, temperature);
  write_to<<<1, 1>>>(nullptr);
  try {
    test::solve_on_device(tracer, temperature);
    ADD_FAILURE() << "the GPU still answers";
  } catch (const Error& error) {
    test::expect_says(error, "the GPU failed while");
    test::expect_says(error, "start it again, or choose backend = \"cpu\"");
  }
}

}  // namespace
}  // namespace ermine
