"""Names of the sides of the box, as calls take them."""

from __future__ import annotations

from typing import Final, Literal

Face = Literal["x_low", "x_high", "y_low", "y_high", "z_low", "z_high"]
FACES: Final[tuple[Face, ...]] = ("x_low", "x_high", "y_low", "y_high", "z_low", "z_high")
