#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace ermine {

enum class Boundary { walled, periodic };

/// One axis of the grid: strictly increasing face coordinates [m], one more than cells.
struct Axis {
  std::vector<double> faces;
  Boundary boundary = Boundary::walled;

  static Axis uniform(int cells, double from, double to, Boundary boundary = Boundary::walled);

  /// Faces clustered towards both ends by a hyperbolic tangent, as channel-flow codes do.
  /// `stretching` > 0; 0 would be uniform, 2 makes the wall cell of 32 about 6 times finer than the
  /// mean.
  static Axis stretched(int cells, double from, double to, double stretching,
                        Boundary boundary = Boundary::walled);

  /// From faces in single precision. Cells whose widths differ by its rounding only become cells of
  /// equal width, which rays cross about twice as fast as others.
  static Axis from_single(std::span<const float> faces, Boundary boundary = Boundary::walled);

  /// Throws Error unless the faces are two or more, increasing, within 1e12 m of the origin and
  /// 1e-12 m or more apart (areas and volumes must not overflow or vanish).
  void check() const;
};

/// The six sides of the box. A side exists as a wall only where its axis is walled.
enum class Face { x_low, x_high, y_low, y_high, z_low, z_high };

inline constexpr std::array<Face, 6> all_faces{Face::x_low,  Face::x_high, Face::y_low,
                                               Face::y_high, Face::z_low,  Face::z_high};

const char* name_of(Face face);
inline std::size_t axis_of(Face face) { return static_cast<std::size_t>(face) / 2; }
inline bool is_high(Face face) { return static_cast<std::size_t>(face) % 2 == 1; }

/// Rectilinear grid. Fields are cell-centred and stored with x fastest:
/// cell = i + cells(0) * (j + cells(1) * k).
class Grid {
 public:
  explicit Grid(std::array<Axis, 3> axes);

  const Axis& axis(std::size_t a) const { return axes_[a]; }
  bool periodic(std::size_t a) const { return axes_[a].boundary == Boundary::periodic; }
  std::size_t cells(std::size_t a) const { return axes_[a].faces.size() - 1; }
  std::size_t cell_count() const { return cells(0) * cells(1) * cells(2); }

  double width(std::size_t a, std::size_t i) const;
  double centre(std::size_t a, std::size_t i) const;
  double length(std::size_t a) const { return axes_[a].faces.back() - axes_[a].faces.front(); }
  double volume(std::size_t cell) const;

  std::array<std::size_t, 3> index(std::size_t cell) const;
  std::array<double, 3> centre(std::size_t cell) const;

  bool walled(Face face) const { return !periodic(axis_of(face)); }
  /// The two axes spanning a side, in increasing order; the first runs fastest in wall fields.
  static std::array<std::size_t, 2> tangents(Face face);
  std::size_t face_cell_count(Face face) const;
  double face_cell_area(Face face, std::size_t face_cell) const;
  std::array<double, 3> face_cell_centre(Face face, std::size_t face_cell) const;

 private:
  std::array<Axis, 3> axes_;
};

}  // namespace ermine
