#include "bench.hpp"

#include <ermine/device.hpp>

#include "host.hpp"
#include "initial.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <functional>

namespace channel {
namespace {

/// Arrays of the size of a field that a stage moves to and from memory, if neighbours come from the
/// cache; what is written without being read first counts twice on a CPU, which reads it all the
/// same:
///   advance     reads u v w T and Q (5), writes u v w T (4, on a CPU 8), tendencies before: read
///   in
///               two stages of three, written in two, once of them unread (2.7 + 2.7 + on a
///               CPU 1.3)
///   divergence  reads u v w (3), writes its rows (1, on a CPU 2)
///   transforms  along z and along y, forth and back (8)
///   systems     forth and back, with the pivots, half an array (2 + 2 + 1)
///   correction  reads p u v w (4), writes u v w (3)
constexpr double arrays_on_cpu = 5 + 8 + 6.7 + 5 + 8 + 5 + 7;
constexpr double arrays_on_gpu = 5 + 4 + 5.3 + 4 + 8 + 5 + 7;

double seconds_of(const std::function<void()>& act) {
  const auto start = std::chrono::steady_clock::now();
  act();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Bytes per second of a = b + s c on arrays far larger than caches, the write counted twice.
double triad_bandwidth() {
  constexpr std::ptrdiff_t count = 1 << 24;
  const auto a = Host::allocate(count), b = Host::allocate(count), c = Host::allocate(count);
  double best = 1e30;
  for (int n = 0; n < 4; ++n) {
    best = std::min(best, seconds_of([&] {
                      double* const to = a.get();
                      const double *x = b.get(), *y = c.get();
#pragma omp parallel for simd schedule(static)
                      for (std::ptrdiff_t i = 0; i < count; ++i) to[i] = x[i] + 3.0 * y[i];
                    }));
  }
  return 4.0 * count * sizeof(double) / best;
}

double step_seconds(Flow& flow) {
  const double dt = 0.1 / std::max(flow.courant_rate(), 1e-6);
  const auto steps = [&](int count) {
    return seconds_of([&] {
      for (int n = 0; n < count; ++n) flow.step(dt);
      flow.wait();
    });
  };
  const double one = std::max(steps(1), 1e-6);
  const int count = std::clamp(static_cast<int>(1.0 / one), 1, 200);
  double best = 1e30;
  for (int n = 0; n < 3; ++n) best = std::min(best, steps(count) / count);
  return best;
}

}  // namespace

nlohmann::json bench(const ChannelCase& problem, const std::string& backend) {
  const Mesh& mesh = problem.flow.mesh;
  const double cells = static_cast<double>(mesh.nx()) * mesh.ny * mesh.nz;
  nlohmann::json json{{"cells", {mesh.nx(), mesh.ny, mesh.nz}}, {"runs", nlohmann::json::array()}};
  const auto add = [&](nlohmann::json run, double seconds, double arrays, double bandwidth) {
    const double bytes = 3 * arrays * sizeof(double);
    run["seconds_per_step"] = seconds;
    run["nanoseconds_per_step_and_cell"] = 1e9 * seconds / cells;
    run["bytes_per_step_and_cell"] = bytes;
    if (bandwidth > 0) {
      run["bandwidth"] = bandwidth;
      run["times_the_bandwidth_estimate"] = seconds / (bytes * cells / bandwidth);
    } else {
      run["bandwidth_used"] = bytes * cells / seconds;
    }
    json["runs"].push_back(run);
  };
  if (backend == "cuda" || (backend == "auto" && ermine::device_available())) {
    const auto flow = make_device_flow(problem.flow);
    set_start(*flow, problem.start);
    add({{"backend", "cuda"}}, step_seconds(*flow), arrays_on_gpu, 0);
    return json;
  }
  const int most = omp_get_max_threads();
  const auto flow = make_host_flow(problem.flow, {});
  set_start(*flow, problem.start);
  for (int threads = 1; threads <= most;
       threads = std::max(threads + 1, std::min(2 * threads, most))) {
    omp_set_num_threads(threads);
    const double bandwidth = triad_bandwidth();
    add({{"backend", "cpu"}, {"threads", threads}}, step_seconds(*flow), arrays_on_cpu, bandwidth);
  }
  omp_set_num_threads(most);
  return json;
}

std::string table(const nlohmann::json& bench) {
  std::string text = "backend threads  ms/step  ns/(step cell)  GB/s  times the estimate\n";
  for (const auto& run : bench["runs"]) {
    const bool cpu = run.contains("bandwidth");
    text +=
        fmt::format("{:7} {:7} {:8.2f} {:15.2f} {:5.1f}  {}\n", run["backend"].get<std::string>(),
                    run.value("threads", 0), 1e3 * run["seconds_per_step"].get<double>(),
                    run["nanoseconds_per_step_and_cell"].get<double>(),
                    1e-9 * run[cpu ? "bandwidth" : "bandwidth_used"].get<double>(),
                    cpu ? fmt::format("{:.2f}", run["times_the_bandwidth_estimate"].get<double>())
                        : "(GB/s used)");
  }
  return text;
}

}  // namespace channel
