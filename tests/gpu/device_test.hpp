#pragma once

#include <ermine/device.hpp>
#include <ermine/error.hpp>
#include <ermine/tracer.hpp>

#include "transport/cuda/tracer_device.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ermine::test {

/// Skips where there is no GPU.
class DeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!device_available()) GTEST_SKIP() << why_no_device();
  }
};

inline Result solve_on_device(const Tracer& tracer, const std::vector<double>& temperature,
                              std::uint32_t update = 0, const DeviceLayout& layout = {}) {
  return submit_on_device(tracer, temperature, {.update = update}, layout)->wait({});
}

inline void expect_says(const Error& error, const std::string& part) {
  EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
}

}  // namespace ermine::test
