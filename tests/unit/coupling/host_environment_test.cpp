#include "support/host_environment.hpp"

#include <ermine/forecast.hpp>
#include <ermine/gas_properties.hpp>
#include <ermine/mesh_error.hpp>
#include <ermine/output.hpp>
#include <ermine/radiation.hpp>

#include "support/radiation.hpp"
#include "support/same_bits.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace ermine {
namespace {

using test::HostEnvironment;

constexpr int host_threads = 2;

/// Does something in a host that traps exceptions and flushes subnormal numbers, on the threads
/// that it has already. That would end the program, or change the result, without guards.
template <class Work>
void in_host(const Work& work) {
  std::thread([&] {
    omp_set_num_threads(host_threads);
    const HostEnvironment host;
    const auto in_force = [] { return HostEnvironment::is_in_force(); };
    ASSERT_TRUE(HostEnvironment::on_all_threads(host_threads, in_force));
    work();
    EXPECT_TRUE(HostEnvironment::on_all_threads(host_threads, in_force));
  }).join();
}

constexpr const char* gas_case = R"~(
temperature = "900 + 600*sin(5*x)*cos(6*z) + 100*y/(y + 1)"
[medium]
pressure = 101325
mole_fractions = { H2O = "0.1 + 0.05*x", CO2 = 0.1 }
quadrature_points = 4
[grid]
x = { cells = 8, to = 1.0 }
y = { cells = 8, to = 1.0, stretching = 1.2 }
z = { cells = 8, to = 1.0, periodic = true }
[walls]
x_low = { temperature = 0 }
x_high = { temperature = 600, emissivity = 0.7, reflection = "specular" }
y_low = { temperature = 900 }
y_high = { temperature = 500, emissivity = 0 }
[solver]
rays_per_cell = 16
backend = "cpu"
threads = 2
)~";

TEST(HostEnvironment, OfCasesIsNotInTheirWay) {
  const Case expected = parse_case(gas_case, "case.toml");
  const Result result = expected.tracer().solve(expected.temperature);
  const test::ScratchFolder folder;
  in_host([&] {
    Case problem = parse_case(gas_case, "case.toml");
    EXPECT_EQ(problem.temperature, expected.temperature);
    const Tracer tracer = problem.tracer();
    test::expect_same_bits(tracer.solve(problem.temperature), result);
    test::expect_same_bits(tracer.submit(problem.temperature).wait(), result);
    EXPECT_GT(forecast(tracer, problem.temperature, 0.01).rays, 0);
    EXPECT_TRUE(estimate_mesh_error(tracer, problem.temperature, 4).estimated);
    problem.output.directory = folder.path();
    problem.output.name = "case";
    problem.output.vtr = true;
    prepare_output(problem);
    const auto files = write_output(problem, result);
    EXPECT_FALSE(report_json(problem, result, files).empty());
  });
}

TEST(HostEnvironment, OfSpectraIsNotInTheirWay) {
  const auto made = [] {
    return k_distribution(shipped_parameters(Species::co2), 101325.0,
                          Composition::pure(Species::co2), {.temperature = {250, 1000, 3000}});
  };
  const SpectralTable expected = made();
  const double emissivity_expected = emissivity(expected, 1000, 1.0);
  const test::ScratchFolder folder;
  in_host([&] {
    const SpectralTable table = made();
    EXPECT_EQ(table.absorption, expected.absorption);
    EXPECT_EQ(emissivity(table, 1000, 1.0), emissivity_expected);
    write_table(table, folder / "co2.h5");
    EXPECT_EQ(read_table(folder / "co2.h5").absorption, expected.absorption);
  });
}

TEST(HostEnvironment, OfFlowSolversIsNotInTheirWay) {
  CoupledCase problem = test::coupled_case({.interval = 1, .lag = 1, .extrapolate = true});
  problem.options.threads = 2;
  const test::ScratchFolder folder;
  const auto file = folder / "state.h5";
  const auto run = [&] {
    std::vector<std::vector<double>> found;
    Radiation radiation(problem);
    radiation.set_wall(Face::x_low, test::wall(450));
    for (int step = 0; step < 3; ++step) {
      radiation.advance(test::flowing(*problem.grid, 0.1 * step).data());
      found.push_back(test::values_of(radiation, Quantity::source));
    }
    radiation.save(file);
    Radiation loaded(problem);
    loaded.set_wall(Face::x_low, test::wall(450));
    loaded.load(file);
    loaded.advance(test::flowing(*problem.grid, 0.3).data());
    found.push_back(test::values_of(loaded, Quantity::emission_slope));
    EXPECT_FALSE(loaded.describe().empty());
    return found;
  };
  const auto expected = run();
  in_host([&] { EXPECT_EQ(run(), expected); });
}

}  // namespace
}  // namespace ermine
