#pragma once

#include <ermine/tracer.hpp>

#include "medium/medium_view.hpp"
#include "medium/point_density.hpp"
#include "transport/draw/point_distribution.hpp"
#include "transport/scene/scene_points.hpp"
#include "transport/scene/temperature_field.hpp"
#include "transport/thin/thin_view.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ermine {

/// Rows of k and intensity of a medium's spectral points, on the host.
struct ThinRows {
  std::size_t points;
  int temperatures;
  int components;
  int intervals[most_packed];  ///< between line widths of each component; 0: one width
  float first, steps;          ///< of positions among the temperatures, see PackedGasView
  /// k of a point at a position, all of a component being there, and a number of its width.
  std::function<float(std::size_t point, int component, int width, float position)> absorption;
  /// I at all temperatures: value [stride * temperature], times the weight of the point, which what
  /// rays find is to be multiplied by as well.
  struct Intensity {
    const float* value;
    int stride;
    float weight;

    float at(int temperature) const { return weight * value[stride * temperature]; }
  };
  std::function<Intensity(std::size_t point)> intensity;
};
ThinRows thin_rows(const PointTableView<float>& table, std::size_t points);
template <int most>
ThinRows thin_rows(const GasView<float, most>& gas, std::size_t points);

/// What is asked of a scene whose thin points may start in blocks.
struct ThinScene {
  SceneKey key;
  ThinRows rows;
  std::span<const PointStrength> strengths;  ///< of its points
  float low, high;                           ///< lowest and highest position of its cells
  FieldStructures structures;                ///< of its temperature
  double size;                               ///< of the domain, its longest side [m]
  const LevelView* level;                    ///< of as many levels
  int levels;
};

/// Optical thickness of a cell below which points are thin; 0: none are.
double thin_thickness(const Options& options);

/// Spectral points in two: thick ones, whose rays start in cells, and thin ones (see ThinView).
class ThinPoints {
 public:
  /// From the tracer's cache if they are there. Null where the options or the grid do not ask for
  /// it, or no point is thin.
  static std::shared_ptr<const ThinPoints> make(const Tracer& tracer, const ThinScene& scene);

  /// Points of smaller k are thin [1/m].
  double below() const { return below_; }
  /// Usual bias of Q, root mean squares.
  double relative_bias() const { return relative_bias_; }
  std::size_t bytes() const;
  /// Whether there are others.
  bool any_thick() const { return any_thick_; }

  template <class Place>
  PointSampler<float> thick(const Place& place) const {
    return thick_->view(place);
  }
  template <class Place>
  PointSampler<float> thin(const Place& place) const {
    return thin_->view(place);
  }
  /// `field`: coordinates of the scene, wherever they lie.
  template <class Place>
  ThinView view(const Place& in_place, const PlainField<float>& field) const {
    const Place place = in_place.kept(copies_);
    ThinView view = view_;
    view.field = field;
    view.strength = place(strength_);
    view.emission = place(emission_);
    for (std::size_t c = 0; c < most_packed; ++c) view.basis[c] = place(basis_[c]);
    for (std::size_t a = 0; a < 3; ++a) view.along[a] = place(along_[a]);
    return view;
  }

 private:
  ThinPoints(const Tracer& tracer, const ThinScene& scene, double below);

  void tabulate(const ThinScene& scene, const std::vector<std::size_t>& thin, int threads);

  double below_;
  double relative_bias_ = 0.0;
  double basis_error_ = 0.0;
  bool any_thick_ = false;
  ThinView view_{};  ///< all but its arrays
  std::optional<PointDistribution<float>> thick_, thin_;
  std::vector<ThinParts> strength_;
  std::vector<ThinParts> emission_;
  std::array<std::vector<ThinParts>, most_packed> basis_;
  std::array<std::vector<NodeWeights>, 3> along_;
  KeptCopies copies_;
};

}  // namespace ermine
