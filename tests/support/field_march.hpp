#pragma once

#include <ermine/tracer.hpp>

#include "medium/point_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

namespace ermine::test {

/// Q of a single gas between black walls at one point, with every spectral point and a fixed set of
/// directions: for temperatures given everywhere, and for cells of one temperature. With the same
/// directions the two differ by the error of the cells alone.
class FieldMarch {
 public:
  using Point = std::array<double, 3>;
  using Field = std::function<double(const Point&)>;

  FieldMarch(const Tracer& tracer, const PointRows& rows, Field field, int directions)
      : grid_(tracer.grid()),
        walls_(tracer.walls()),
        field_(std::move(field)),
        nodes_(rows.temperature),
        points_(rows.absorption.size() / rows.temperature.size()) {
    for (std::size_t t = 0; t < nodes_.size(); ++t) {
      for (std::size_t point = 0; point < points_; ++point) {
        absorption_.push_back(static_cast<float>(rows.absorption[point * nodes_.size() + t]));
        intensity_.push_back(static_cast<float>(rows.intensity[point * nodes_.size() + t]));
      }
    }
    // Evenly spread over the sphere: a Fibonacci lattice.
    const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
    for (int d = 0; d < directions; ++d) {
      const double z = 1 - (2 * d + 1.0) / directions;
      const double r = std::sqrt(1 - z * z);
      directions_.push_back({r * std::cos(golden * d), r * std::sin(golden * d), z});
    }
  }

  /// At a point of the field [W/m3].
  double of_field(const Point& at) const {
    return over_directions(
        field_(at), [&](const Point& direction, Ray& ray) { follow_field(at, direction, ray); });
  }

  /// Mean over a cell: two Gauss points along each axis.
  double of_field_mean(std::size_t cell) const {
    const Point centre = grid_.centre(cell);
    const auto index = grid_.index(cell);
    double sum = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
      Point at = centre;
      for (const std::size_t a : {0, 1, 2}) {
        const double side = corner >> a & 1 ? 0.5 : -0.5;
        at[a] += side / std::sqrt(3.0) * grid_.width(a, index[a]);
      }
      sum += of_field(at) / 8;
    }
    return sum;
  }

  /// At the centre of a cell, through cells with the temperature of their centres.
  double of_cells(std::size_t cell, std::span<const double> temperature) const {
    return over_directions(temperature[cell], [&](const Point& direction, Ray& ray) {
      follow_cells(cell, direction, temperature, ray);
    });
  }

 private:
  /// Of all spectral points at once.
  struct Ray {
    std::vector<float> transmissivity, sum, absorption, intensity, next_absorption, next_intensity;
    explicit Ray(std::size_t n)
        : transmissivity(n, 1.0f),
          sum(n),
          absorption(n),
          intensity(n),
          next_absorption(n),
          next_intensity(n) {}
    bool alive() const {
      return *std::max_element(transmissivity.begin(), transmissivity.end()) > 1e-5f;
    }
  };

  void look_up(double kelvin, std::vector<float>& absorption, std::vector<float>& intensity) const {
    const double position = position_among(nodes_, kelvin);
    const auto node = std::min(static_cast<std::size_t>(position), nodes_.size() - 2);
    const auto part = static_cast<float>(position - static_cast<double>(node));
    const std::size_t n = points_;
    const float* k = absorption_.data() + node * n;
    const float* i = intensity_.data() + node * n;
    for (std::size_t s = 0; s < n; ++s) {
      absorption[s] = k[s] + part * (k[n + s] - k[s]);
      intensity[s] = i[s] + part * (i[n + s] - i[s]);
    }
  }

  template <class Follow>
  double over_directions(double kelvin, const Follow& follow) const {
    std::vector<double> mean(points_);
    Ray ray(points_);
    for (const Point& direction : directions_) {
      std::fill(ray.transmissivity.begin(), ray.transmissivity.end(), 1.0f);
      std::fill(ray.sum.begin(), ray.sum.end(), 0.0f);
      look_up(kelvin, ray.absorption, ray.intensity);
      follow(direction, ray);
      for (std::size_t s = 0; s < mean.size(); ++s) mean[s] += static_cast<double>(ray.sum[s]);
    }
    look_up(kelvin, ray.absorption, ray.intensity);
    double q = 0.0;
    for (std::size_t s = 0; s < mean.size(); ++s) {
      q += 4 * std::numbers::pi * static_cast<double>(ray.absorption[s]) * mean[s] /
           static_cast<double>(directions_.size());
    }
    return q;
  }

  double to_wall(const Point& at, const Point& direction, std::size_t& axis) const {
    double distance = 1e3;
    for (const std::size_t a : {0, 1, 2}) {
      if (grid_.periodic(a) || direction[a] == 0) continue;
      const double end =
          direction[a] > 0 ? grid_.axis(a).faces.back() : grid_.axis(a).faces.front();
      const double d = (end - at[a]) / direction[a];
      if (d < distance) {
        distance = d;
        axis = a;
      }
    }
    return distance;
  }

  void end_at_wall(const Point& direction, std::size_t axis, Ray& ray) const {
    const Face face = all_faces[2 * axis + (direction[axis] > 0 ? 1 : 0)];
    look_up(walls_.temperature(face, 0), ray.next_absorption, ray.next_intensity);
    for (std::size_t s = 0; s < ray.sum.size(); ++s) {
      ray.sum[s] += ray.transmissivity[s] * (ray.intensity[s] - ray.next_intensity[s]);
    }
  }

  /// Short steps at first; I is linear in optical depth along each.
  void follow_field(const Point& from, const Point& direction, Ray& ray) const {
    std::size_t wall = 0;
    const double length = to_wall(from, direction, wall);
    double longest = std::numeric_limits<double>::infinity();
    for (const std::size_t a : {0, 1, 2}) {
      longest = std::min(longest, grid_.length(a) / double(grid_.cells(a)) / 3);
    }
    double s = 0.0;
    while (s < length && ray.alive()) {
      const double step = std::min({std::max(3e-5, 0.15 * s), longest, length - s});
      s += step;
      const Point at{from[0] + s * direction[0], from[1] + s * direction[1],
                     from[2] + s * direction[2]};
      look_up(field_(at), ray.next_absorption, ray.next_intensity);
      const auto ds = static_cast<float>(step);
      for (std::size_t p = 0; p < ray.sum.size(); ++p) {
        const float x = 0.5f * (ray.absorption[p] + ray.next_absorption[p]) * ds;
        const float decay = std::exp(-x);
        const float mean = x > 1e-2f ? (1 - decay) / x : 1 - x * (0.5f - x / 6);
        ray.sum[p] += ray.transmissivity[p] * mean * (ray.intensity[p] - ray.next_intensity[p]);
        ray.transmissivity[p] *= decay;
      }
      std::swap(ray.absorption, ray.next_absorption);
      std::swap(ray.intensity, ray.next_intensity);
    }
    if (ray.alive()) end_at_wall(direction, wall, ray);
  }

  void follow_cells(std::size_t cell, const Point& direction, std::span<const double> temperature,
                    Ray& ray) const {
    auto index = grid_.index(cell);
    std::array<double, 3> next;  // distance to the next face along each axis
    for (const std::size_t a : {0, 1, 2}) {
      next[a] = direction[a] == 0 ? std::numeric_limits<double>::infinity()
                                  : grid_.width(a, index[a]) / 2 / std::abs(direction[a]);
    }
    double s = 0.0;
    while (ray.alive()) {
      const auto a =
          static_cast<std::size_t>(std::min_element(next.begin(), next.end()) - next.begin());
      const auto ds = static_cast<float>(next[a] - s);
      s = next[a];
      for (std::size_t p = 0; p < ray.sum.size(); ++p) {
        ray.transmissivity[p] *= std::exp(-ray.absorption[p] * ds);
      }
      const std::size_t last = grid_.cells(a) - 1;
      const bool up = direction[a] > 0;
      if (index[a] == (up ? last : 0)) {
        if (!grid_.periodic(a)) return end_at_wall(direction, a, ray);
        index[a] = up ? 0 : last;
      } else {
        index[a] += up ? 1 : -1;
      }
      next[a] += grid_.width(a, index[a]) / std::abs(direction[a]);
      const std::size_t there = index[0] + grid_.cells(0) * (index[1] + grid_.cells(1) * index[2]);
      look_up(temperature[there], ray.next_absorption, ray.next_intensity);
      for (std::size_t p = 0; p < ray.sum.size(); ++p) {
        ray.sum[p] += ray.transmissivity[p] * (ray.intensity[p] - ray.next_intensity[p]);
      }
      std::swap(ray.absorption, ray.next_absorption);
      std::swap(ray.intensity, ray.next_intensity);
    }
  }

  const Grid& grid_;
  const Walls& walls_;
  Field field_;
  std::vector<double> nodes_;
  std::size_t points_;
  std::vector<float> absorption_;  ///< node * points + point
  std::vector<float> intensity_;
  std::vector<Point> directions_;
};

}  // namespace ermine::test
