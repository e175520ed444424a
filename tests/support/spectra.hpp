#pragma once

#include <ermine/error.hpp>
#include <ermine/narrow_band.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

namespace ermine::test {

/// Transmissivity of the Malkmus model at an optical depth kbar x p L.
inline double malkmus(double shape, double depth) {
  return std::exp(-shape * (std::sqrt(1.0 + 2.0 * depth / shape) - 1.0));
}

/// Parameters of H2O in bands of 25 1/cm around 50, 75, ... 1/cm.
inline NarrowBandParameters parameters(int bands, std::vector<double> temperature,
                                       std::vector<double> mean_absorption,
                                       std::vector<double> inverse_spacing) {
  NarrowBandParameters result;
  for (int b = 0; b < bands; ++b) result.bands.push_back({37.5 + 25.0 * b, 62.5 + 25.0 * b});
  result.temperature = std::move(temperature);
  result.mean_absorption = std::move(mean_absorption);
  result.inverse_spacing = std::move(inverse_spacing);
  result.check();
  return result;
}

/// Expects an Error whose message holds all of the texts.
template <class Function>
void expect_error(const Function& function, std::initializer_list<std::string> texts) {
  try {
    function();
    ADD_FAILURE() << "no error, expected one with '" << *texts.begin() << "'";
  } catch (const Error& error) {
    for (const std::string& text : texts) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos)
          << "'" << text << "' is not in: " << error.what();
    }
  }
}

}  // namespace ermine::test
