"""Draw an ermine result file: profiles, lines, slices and wall heat fluxes (`ermine plot`).

ASCII only, since it travels on a command line of unknown encoding. The page is laid out in inches.
"""
import argparse
import json
import math
import os
import sys
import textwrap
import warnings

try:
    import h5py
    import matplotlib
    import numpy as np
    from matplotlib.figure import Figure
    MISSING = None
except ImportError as import_error:
    MISSING = import_error

from plot_common import PlotError, open_result, require, save_picture

AXES = ("x", "y", "z")
BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#707070"  # Okabe and Ito, safe for colour-blind readers
FIELDS = {  # name: label, unit, colour map; RdBu_r is centred on zero
    "Q": ("heat loss Q", "W/m\u00b3", "RdBu_r"),
    "temperature": ("temperature", "K", "inferno"),
    "emission": ("emission", "W/m\u00b3", "viridis"),
    "absorption": ("absorption", "W/m\u00b3", "viridis"),
    "Q_standard_error": ("standard error of Q", "W/m\u00b3", "cividis")}
CURVES = ("Q", "Q_standard_error", "temperature")
WALLS = ("heat loss of the wall", "W/m\u00b2", "RdBu_r")
STYLE = {"axes.titlesize": 10, "axes.titlelocation": "left", "legend.fontsize": 9, "legend.frameon": False,
         "axes.linewidth": 0.8, "lines.linewidth": 1.1, "axes.formatter.useoffset": False}
PAGE_WIDTH = {1: 5.6, 2: 8.0, 3: 10.4}  # by number of columns
LEFT, RIGHT, GAP, COLOUR_BAR, ABOVE, BELOW = 0.8, 0.2, 0.8, 1.35, 0.3, 0.55  # room around panels


def slice_position(text):
    axis, _, position = text.partition("=")
    return AXES[AXES.index(axis)], float(position)


def parse_options(arguments):
    parser = argparse.ArgumentParser(prog="ermine plot", allow_abbrev=False, description="Draw an ermine result file.",
                                     epilog="Default: stored profiles, and middle planes unless the case is 1-D. "
                                            "Files RUN.statistics.h5 and RUN.slices.STEP.h5 of ermine channel have options "
                                            "of their own: ermine plot RUN.statistics.h5 --help.")
    parser.error = lambda message: require(False, f"{message}, see ermine plot --help")
    slice_position.__name__ = "AXIS=METRES"  # the name argparse quotes when it refuses a value
    add = parser.add_argument
    add("result", metavar="RESULT.h5", help="file written by ermine run")
    add("--profile", action="append", default=[], choices=AXES, help="plane averages along an axis (repeatable)")
    add("--line", action="append", default=[], choices=AXES, help="cells along a middle line (repeatable)")
    add("--slice", action="append", default=[], type=slice_position, metavar="AXIS=METRES",
        help="map of the cell plane nearest to a position, such as z=0.5 (repeatable)")
    add("--field", choices=FIELDS, default="Q", help="field shown in slices (default Q)")
    add("--walls", action="store_true", help="maps of the net heat flux of each wall")
    add("--reference", metavar="FILE.csv", help="compare Q with rows coordinate,value in m and W/m3; # comments")
    add("--output", metavar="FILE", help="picture to write: .png, .svg or .pdf (default RESULT.png)")
    add("--title", help="heading (default: the title of the case)")
    add("--dpi", type=int, default=150, help="pixels per inch, 20 to 1200 (default 150)")
    options = parser.parse_args(arguments)
    require(20 <= options.dpi <= 1200, f"--dpi {options.dpi} is out of range, choose 20 to 1200")
    return options


class Result:
    """Checked access to a result file; reads only what is asked for."""

    def __init__(self, path):
        self.path = path
        self.file = open_result(path, "ermine run")
        kind, version = self.file.attrs.get("format"), self.file.attrs.get("format_version")
        kind = kind.decode(errors="replace") if isinstance(kind, bytes) else str(kind)
        require(kind == "ermine-result", f"{path}: HDF5, but its format is {kind}, give a result written by ermine run")
        require(version == 1, f"{path}: result format {version}, this ermine reads 1, use the ermine that wrote it")
        self.faces = {axis: self.read(f"grid/{axis}") for axis in AXES}
        self.cells = {axis: len(face) - 1 for axis, face in self.faces.items()}
        self.centres = {axis: 0.5 * (face[1:] + face[:-1]) for axis, face in self.faces.items()}
        self.middle = {axis: self.nearest(axis, face[[0, -1]].mean()) for axis, face in self.faces.items()}
        self.periodic = [axis for axis in AXES if self.file[f"grid/{axis}"].attrs.get("periodic", 0)]
        self.profiles = [axis for axis in AXES if f"profiles/{axis}" in self.file]
        self.walls = [f"{axis}_{end}" for end in ("low", "high") for axis in AXES if f"walls/{axis}_{end}" in self.file]

    def read(self, name, axes=None, index=()):
        """Part `index` of dataset `name`, whose shape follows `axes`, slowest first (none: grid faces)."""
        data = self.file.get(name)
        require(isinstance(data, h5py.Dataset), f"{self.path}: no dataset /{name}, run the case again")
        fits = data.shape == tuple(self.cells[axis] for axis in axes) if axes else data.ndim == 1 and data.size > 1
        require(fits and data.dtype.kind in "fiu",
                f"{self.path}: /{name} ({data.dtype}, {data.shape}) does not fit the grid, run the case again")
        return np.asarray(data[index], dtype=float)

    def nearest(self, axis, position):
        return int(np.argmin(abs(self.centres[axis] - position)))

    def title(self):
        try:
            return str(json.loads(self.file["report"].asstr()[()])["title"])
        except (KeyError, TypeError, ValueError):
            return ""


def plane_axes(normal):
    """Axes of a plane, slow (drawn upwards) then fast (drawn to the right), as the file stores them."""
    return [axis for axis in reversed(AXES) if axis != normal]


def profile_curve(result, axis):
    require(axis in result.profiles, f"{result.path}: no profile along {axis}, draw --line {axis} instead")
    curve = {name: result.read(f"profiles/{axis}/{name}", axis) for name in CURVES}
    return dict(curve, axis=axis, title=f"plane averages along {axis}")


def line_curve(result, axis):
    index = tuple(slice(None) if other == axis else result.middle[other] for other in reversed(AXES))
    curve = {name: result.read(f"fields/{name}", "zyx", index) for name in CURVES}
    where = [f"{other} = {result.centres[other][result.middle[other]]:.3g} m" for other in AXES if other != axis]
    return dict(curve, axis=axis, title=f"cells at {', '.join(where)}")


def slice_map(result, axis, position, field):
    low, high = result.faces[axis][[0, -1]]
    require(low <= position <= high, f"slice {axis}={position:g} is outside the domain, choose {low:g} to {high:g} m")
    plane = result.nearest(axis, position)
    index = tuple(plane if other == axis else slice(None) for other in reversed(AXES))
    where = f"{axis} = {result.centres[axis][plane]:.3g} m"
    return dict(axis=axis, values=result.read(f"fields/{field}", "zyx", index), title=where)


def read_reference(path):
    try:
        table = np.loadtxt(path, delimiter=",", ndmin=2)
    except (OSError, ValueError) as error:
        raise PlotError(f"{path}: cannot read the reference ({error}), give rows coordinate,value") from None
    require(table.size and table.shape[1] == 2, f"{path}: not two columns, give rows coordinate,value")
    return table.T


def engineering(unit, values):
    """Divisor and prefixed unit that bring the largest magnitude between 1 and 1000."""
    largest = abs(values).max(initial=0.0, where=np.isfinite(values))
    if unit == "K" or largest == 0.0:
        return 1.0, unit
    step = min(max(math.floor(math.log10(largest) / 3), -2), 3)
    return 1000.0 ** step, {-2: "\u00b5", -1: "m", 0: "", 1: "k", 2: "M", 3: "G"}[step] + unit


def place(figure, left, top, width, height):
    """Axes at a distance from the left and top edges of the page."""
    across, down = figure.get_size_inches()
    return figure.add_axes((left / across, 1 - (top + height) / down, width / across, height / down))


def draw_heat_loss(axes, x, q, error, reference):
    axes.axhline(0.0, color=GREY, linewidth=0.6, zorder=0)
    if len(x) <= 64:
        axes.errorbar(x, q, error, fmt="o", color=BLUE, markersize=3, capsize=2.5, label="Q \u00b1 1 standard error")
    else:
        axes.plot(x, q, color=BLUE, label="Q")
        axes.fill_between(x, q - error, q + error, color=BLUE, alpha=0.3, linewidth=0, label="\u00b1 1 standard error")
    if reference.size:
        axes.plot(*reference, color="black", label="reference", zorder=1)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncol=3, borderpad=0, borderaxespad=0.4, handlelength=1.5)


def draw_curves(figure, top, result, curves, reference):
    scale, unit = engineering("W/m\u00b3", np.concatenate([curve["Q"] for curve in curves]))
    width = (figure.get_size_inches()[0] - LEFT - RIGHT + 0.6) / len(curves) - 0.6
    for column, curve in enumerate(curves):
        left = LEFT + column * (width + 0.6)
        upper, lower = place(figure, left, top + 0.55, width, 2.3), place(figure, left, top + 3.0, width, 1.5)
        x, temperature = result.centres[curve["axis"]], np.round(curve["temperature"], 6)  # do not magnify rounding
        draw_heat_loss(upper, x, curve["Q"] / scale, curve["Q_standard_error"] / scale, reference / [[1.0], [scale]])
        lower.plot(x, temperature, color=ORANGE, marker="o" if len(x) <= 64 else "", markersize=3)
        upper.set_title(curve["title"], pad=22)
        upper.tick_params(labelbottom=False)
        lower.set_xlabel(f"{curve['axis']} [m]")
        for axes, label in ((upper, f"heat loss Q [{unit}]"), (lower, "temperature [K]")):
            axes.set_xlim(*result.faces[curve["axis"]][[0, -1]])
            axes.set_ylabel("" if column else label)
            axes.spines[["top", "right"]].set_visible(False)


def map_layout(result, maps, page_width):
    """Left, bottom, width and height of each map, to one scale unless one is too slender; height of all."""
    columns = 2 if len(maps) == 4 else min(3, len(maps))
    sizes = [[np.ptp(result.faces[axis]) for axis in plane_axes(item["axis"])] for item in maps]
    widths = np.array([max(fast for _, fast in sizes[column::columns]) for column in range(columns)])
    widths = np.maximum(widths, 0.35 * widths.max())
    heights = np.array([widths[n % columns] * min(max(slow / fast, 0.2), 5) for n, (slow, fast) in enumerate(sizes)])
    scale = min((page_width - LEFT - COLOUR_BAR - GAP * (columns - 1)) / widths.sum(), 3.2 / heights.max())
    widths, heights = scale * widths, scale * heights
    boxes, bottom = [], -BELOW
    for n, height in enumerate(heights):
        if n % columns == 0:
            bottom += BELOW + ABOVE + heights[n:n + columns].max()
        boxes.append((LEFT + sum(widths[:n % columns] + GAP), bottom, widths[n % columns], height))
    return boxes, bottom + BELOW


def draw_maps(figure, top, result, maps, look):
    label, unit, colours = look
    values = np.concatenate([item["values"][np.isfinite(item["values"])] for item in maps])
    require(values.size, f"{result.path}: {label} has no finite values here, check the case")
    scale, unit = engineering(unit, values)
    low, high = values.min() / scale, values.max() / scale
    if colours == "RdBu_r":
        low, high = -max(-low, high), max(-low, high)
    margin = float(high - low <= 1e-6 * abs(high))  # uniform: do not magnify rounding
    boxes, _ = map_layout(result, maps, figure.get_size_inches()[0])
    for item, (left, bottom, width, height) in zip(maps, boxes):
        axes = place(figure, left, top + bottom - height, width, height)
        slow, fast = plane_axes(item["axis"])
        mesh = axes.pcolormesh(result.faces[fast], result.faces[slow], item["values"] / scale, cmap=colours,
                               vmin=low - margin, vmax=high + margin, rasterized=True)
        axes.set(xlabel=f"{fast} [m]", ylabel=f"{slow} [m]", title=item["title"])
    right = max(left + width for left, _, width, _ in boxes) + 0.2
    figure.colorbar(mesh, cax=place(figure, right, top + ABOVE, 0.14, boxes[-1][1] - ABOVE), label=f"{label}\n[{unit}]")


def choose(options, result):
    """Fill in the default picture and refuse options that would have no effect."""
    if not (options.profile or options.line or options.slice or options.walls):
        options.profile = result.profiles
        normals = {2: [] if result.profiles else AXES, 1: result.periodic}.get(len(result.periodic), AXES)
        options.slice = [(axis, result.centres[axis][result.middle[axis]]) for axis in normals]
    require(options.slice or options.field == "Q", "--field needs a slice to show, add --slice such as z=0.5")
    require(not options.reference or len(set(options.profile + options.line)) == 1,
            "--reference needs curves along one axis, choose it with --profile or --line")
    require(result.walls or not options.walls, f"{result.path}: the case has no walls, leave out --walls")


def draw(options, result):
    choose(options, result)
    reference = read_reference(options.reference) if options.reference else np.empty((2, 0))
    curves = [profile_curve(result, axis) for axis in options.profile]
    curves += [line_curve(result, axis) for axis in options.line]
    slices = [slice_map(result, axis, position, options.field) for axis, position in options.slice]
    walls = [dict(axis=wall[0], values=result.read(f"walls/{wall}/net_flux", plane_axes(wall[0])), title=wall)
             for wall in (result.walls if options.walls else ())]
    width = PAGE_WIDTH[min(3, max(len(curves), len(slices), len(walls)))]
    blocks = [(5.05, draw_curves, curves[first:first + 3], reference) for first in range(0, len(curves), 3)]
    blocks += [(map_layout(result, maps, width)[1], draw_maps, maps, look)
               for maps, look in ((slices, FIELDS[options.field]), (walls, WALLS)) if maps]
    title = textwrap.fill(result.title() if options.title is None else options.title, int(10 * (width - LEFT - RIGHT)))
    top = 0.1 + (0.2 + 0.2 * title.count("\n") if title else 0.0)
    height = top + sum(block[0] for block in blocks)
    figure = Figure(figsize=(width, height))
    figure.text(LEFT / width, 1 - 0.1 / height, title.replace("$", r"\$"), fontsize=12, va="top")  # no formulas
    for block_height, draw_block, items, extra in blocks:
        draw_block(figure, top, result, items, extra)
        top += block_height
    return figure


def main(arguments):
    try:
        options = parse_options(arguments)
        output = options.output or os.path.splitext(options.result)[0] + ".png"
        require(output.lower().endswith((".png", ".svg", ".pdf")) and output != options.result,
                f"{output}: not a name for a picture, end --output in .png, .svg or .pdf")
        require(not MISSING, f"{MISSING}, install the Debian packages python3-h5py python3-matplotlib")
        warnings.simplefilter("ignore")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        save_picture(draw(options, Result(options.result)), output, dpi=options.dpi)
    except (PlotError, OSError) as error:
        message = str(error) if isinstance(error, PlotError) else f"{options.result}: {error}, run the case again"
        print("ermine plot: error:", " ".join(message.split()), file=sys.stderr)
        return 1
    print(f"wrote {output}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
