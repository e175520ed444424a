#pragma once

#include "core/macros.hpp"

namespace ermine {

template <class Real>
struct SinCos {
  Real sine;
  Real cosine;
};

/// Sine and cosine of 2 pi u for u in [0, 1], inlined on every backend: those of the libraries
/// spend most of their work on the reduction of large angles and differ from host to device. Taylor
/// series about the nearest quarter turn, |angle| <= pi/4; errors below 2e-7 and 1e-15.
ERMINE_FUNCTION SinCos<float> sin_cos_of_turns(float u) {
  const int quarter = static_cast<int>(4.0f * u + 0.5f);
  const float x = 6.28318531f * (u - 0.25f * static_cast<float>(quarter));
  const float x2 = x * x;
  const float sine =
      x * (1.0f + x2 * (-1.0f / 6 + x2 * (1.0f / 120 + x2 * (-1.0f / 5040 + x2 / 362880))));
  const float cosine =
      1.0f + x2 * (-1.0f / 2 + x2 * (1.0f / 24 + x2 * (-1.0f / 720 + x2 * (1.0f / 40320))));
  const float s = quarter & 1 ? cosine : sine;
  const float c = quarter & 1 ? sine : cosine;
  return {quarter & 2 ? -s : s, (quarter + 1) & 2 ? -c : c};
}

ERMINE_FUNCTION SinCos<double> sin_cos_of_turns(double u) {
  const int quarter = static_cast<int>(4.0 * u + 0.5);
  const double x = 6.283185307179586477 * (u - 0.25 * quarter);
  const double x2 = x * x;
  double sine = 1.0 / 355687428096000;  // 1/17!
  sine = sine * x2 - 1.0 / 1307674368000;
  sine = sine * x2 + 1.0 / 6227020800;
  sine = sine * x2 - 1.0 / 39916800;
  sine = sine * x2 + 1.0 / 362880;
  sine = sine * x2 - 1.0 / 5040;
  sine = sine * x2 + 1.0 / 120;
  sine = sine * x2 - 1.0 / 6;
  sine = x + x * x2 * sine;
  double cosine = 1.0 / 20922789888000;  // 1/16!
  cosine = cosine * x2 - 1.0 / 87178291200;
  cosine = cosine * x2 + 1.0 / 479001600;
  cosine = cosine * x2 - 1.0 / 3628800;
  cosine = cosine * x2 + 1.0 / 40320;
  cosine = cosine * x2 - 1.0 / 720;
  cosine = cosine * x2 + 1.0 / 24;
  cosine = cosine * x2 - 1.0 / 2;
  cosine = 1.0 + x2 * cosine;
  const double s = quarter & 1 ? cosine : sine;
  const double c = quarter & 1 ? sine : cosine;
  return {quarter & 2 ? -s : s, (quarter + 1) & 2 ? -c : c};
}

}  // namespace ermine
