"""Draw results of ermine-channel: statistics of one run or several, slices, or a comparison with
the tables of Moser, Kim & Mansour (`ermine plot`, given a file of the channel).

ASCII only, since it travels on a command line of unknown encoding.
"""
import argparse
import os
import sys

try:
    import h5py  # what plot_common opens files with
    import matplotlib
    import numpy as np
    from matplotlib.figure import Figure
    MISSING = None
except ImportError as import_error:
    MISSING = import_error

from plot_common import PlotError, open_result, require, save_picture

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")  # Okabe and Ito, safe for colour-blind readers
STYLE = {"axes.titlesize": 10, "axes.titlelocation": "left", "legend.fontsize": 9, "legend.frameon": False,
         "axes.linewidth": 0.8, "lines.linewidth": 1.2, "font.size": 9}
# Axes: here x across the channel, y spanwise, z streamwise; in the tables u streamwise, v across, w spanwise.
TABLES = {"u": ("w", 2), "v": ("u", 3), "w": ("v", 4)}  # theirs: ours, column of the Reynolds stresses


def parse_options(arguments):
    parser = argparse.ArgumentParser(prog="ermine plot", allow_abbrev=False,
                                     description="Draw results of ermine-channel.")
    parser.error = lambda message: require(False, f"{message}, see ermine plot --help")
    add = parser.add_argument
    add("results", metavar="FILE.h5", nargs="+",
        help="statistics of one run or several (RUN.statistics.h5), or one file of slices (RUN.slices.STEP.h5)")
    add("--moser", nargs=2, metavar=("MEANS", "STRESSES"),
        help="compare the velocity with tables of Moser, Kim & Mansour (1999): chan180.means, chan180.reystress")
    add("--label", action="append", default=[], help="name of a run in legends, in the order of the files (repeatable)")
    add("--panels", choices=("all", "profiles", "spectra"), default="all", help="of statistics (default all)")
    add("--output", metavar="FILE", help="picture to write: .png, .svg or .pdf (default FILE.png)")
    add("--dpi", type=int, default=150, help="pixels per inch, 20 to 1200 (default 150)")
    options = parser.parse_args(arguments)
    require(20 <= options.dpi <= 1200, f"--dpi {options.dpi} is out of range, choose 20 to 1200")
    require(len(options.label) in (0, len(options.results)),
            f"{len(options.label)} labels for {len(options.results)} files, give one for each")
    return options


def numbers(file, name):
    require(name in file, f"{file.filename}: no dataset /{name}, run the case again")
    return np.asarray(file[name][()], dtype=float)


def tidy(axes, **labels):
    axes.set(**labels)
    axes.spines[["top", "right"]].set_visible(False)


def draw_profiles(axes, file, colour, label):
    x = numbers(file, "x")
    axes[0].plot(x, numbers(file, "mean/temperature"), color=colour, label=label)
    axes[1].plot(x, numbers(file, "rms/temperature"), color=colour)
    axes[2].plot(x, numbers(file, "heat_flux/u_temperature"), color=colour)
    axes[3].plot(x, numbers(file, "mean/w"), color=colour)
    if "radiation/mean/source" in file:
        axes[4].plot(x, 1e-3 * numbers(file, "radiation/mean/source"), color=colour, label="mean")
        axes[4].plot(x, 1e-3 * numbers(file, "radiation/rms/source"), color=colour, linestyle="--", label="rms")
        correlations = "radiation/temperature_correlation/"
        for name, label, style in (("source", "source", "-"), ("emission", "emission", "--"),
                                   ("absorption_over_planck_mean", "A / K", ":")):
            if correlations + name in file:
                axes[5].plot(x, numbers(file, correlations + name), color=colour, linestyle=style, label=label)


def power_of(file, plane, name):
    """Power of each wave along the stream without the noise of rays, the noise, and the variance without it. The power
    is not a number where the noise is more than a third of all: it is known within a factor of 2 or so."""
    group = f"spectra/plane_{plane}/along_z/"
    power = numbers(file, group + name)[1:]
    known = group + name + "_noise" in file
    noise = numbers(file, group + name + "_noise")[1:] if known else np.zeros_like(power)
    left = np.maximum(power - noise, 0)
    return np.where((power > 0) & (power >= 3 * noise), left, np.nan), noise, left.sum()


def draw_spectra(axes, file, plane):
    """Shares of the variance along the stream: of T and of Q, and of the noise in Q."""
    group = f"spectra/plane_{plane}/"
    for name, label, colour in (("temperature", "T", COLOURS[1]), ("source", "Q", COLOURS[0])):
        power, noise, total = power_of(file, plane, name)
        wave = np.arange(1, len(power) + 1)
        if total > 0:
            axes.loglog(wave, power / total, color=colour, label=label)
            if noise.any():
                axes.loglog(wave, noise / total, color="grey", linewidth=0.6, label=f"noise of {label}")
    tidy(axes, title=f"x = {numbers(file, group + 'x')[0]:.3g}", xlabel="waves along the channel",
         ylabel="share of the variance", xlim=(1, len(wave)), ylim=(1e-9, 1))
    axes.legend(loc="lower left")


def draw_statistics(options, files):
    radiative = [file for file in files if "radiation/mean/source" in file]
    planes = sorted(radiative[0]["spectra"]) if radiative and "spectra" in radiative[0] else []
    require(planes or options.panels != "spectra", "there is no radiation whose spectra could be drawn")
    with_spectra = bool(planes) and options.panels != "profiles"
    rows = 2 * (options.panels != "spectra") + with_spectra
    figure = Figure(figsize=(10.4, 3.0 * rows), layout="constrained")
    grid = figure.subplots(rows, 3 if radiative else 2, squeeze=False)
    if with_spectra:
        draw_all_spectra(grid[-1], radiative[0], len(planes))
    if options.panels == "spectra":
        return figure
    profiles = list(grid[:2].flat)
    for n, file in enumerate(files):
        name = os.path.basename(options.results[n]).removesuffix(".statistics.h5")
        draw_profiles(profiles, file, COLOURS[n % len(COLOURS)], options.label[n] if options.label else name)
    titles = ("mean temperature [K]", "rms temperature [K]", "turbulent heat flux <u'T'> [U K]",
              "mean velocity [U]", "heat loss Q [kW/m\u00b3]", "correlation with T")
    for axes, title in zip(profiles, titles):
        tidy(axes, title=title, xlabel="x / h")
    profiles[0].legend()
    if radiative:
        profiles[4].legend()
        profiles[5].legend()
    return figure


def draw_all_spectra(row, file, planes):
    shown = min(planes, len(row) - 1)
    for plane in range(shown):
        draw_spectra(row[plane], file, plane)
    draw_transfer(row[-1], file, shown)
    for axes in row[shown:-1]:
        axes.set_visible(False)


def draw_transfer(axes, file, planes):
    """How much of the fluctuations of T at each wave is in Q: power of Q over that of T."""
    for plane in range(planes):
        source, temperature = (power_of(file, plane, name)[0] for name in ("source", "temperature"))
        axes.loglog(np.arange(1, len(source) + 1), 1e-6 * source / temperature, color=COLOURS[2 + plane % 2],
                    label=f"x = {numbers(file, f'spectra/plane_{plane}/x')[0]:.3g}")
    tidy(axes, title="power of Q over that of T", xlabel="waves along the channel", xlim=(1, len(source)),
         ylabel="[(kW/m\u00b3/K)\u00b2]")
    axes.legend()


def draw_slices(file):
    planes = sorted(name for name in file if name.startswith("plane_"))
    names = [name for name in ("temperature", "source") if name in file[planes[0]]]
    y, z = numbers(file, "y_faces"), numbers(file, "z_faces")
    figure = Figure(figsize=(5.2 * len(names), 3.1 * len(planes)), layout="constrained")
    grid = figure.subplots(len(planes), len(names), squeeze=False)
    for row, plane in enumerate(planes):
        for column, name in enumerate(names):
            values = numbers(file, f"{plane}/{name}").reshape(len(z) - 1, len(y) - 1).T
            label, colours = ("T [K]", "inferno") if name == "temperature" else ("Q [kW/m\u00b3]", "RdBu_r")
            if name == "source":
                values = 1e-3 * values
            low, high = np.percentile(values, (0.5, 99.5))
            if name == "source":  # white is no loss
                high = max(abs(low), abs(high))
                low = -high
            axes = grid[row][column]
            picture = axes.pcolormesh(z, y, values, cmap=colours, vmin=low, vmax=high, rasterized=True)
            axes.set(aspect="equal", xlabel="z / h", ylabel="y / h",
                     title=f"{label} at x = {numbers(file, plane + '/x')[0]:.3g}")
            figure.colorbar(picture, ax=axes, shrink=0.85)
    return figure


def of_both_walls(values):
    return 0.5 * (values + values[::-1])


def compare_with_moser(options, file):
    """Largest deviations beyond 1 wall unit, over the largest value of the table."""
    means, stresses = np.loadtxt(options.moser[0]), np.loadtxt(options.moser[1])
    friction = numbers(file, "friction/velocity")[0]
    reynolds = numbers(file, "friction/reynolds")[0]
    half = len(numbers(file, "x")) // 2
    x = numbers(file, "x")[:half] * reynolds
    figure = Figure(figsize=(10.4, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    mean = of_both_walls(numbers(file, "mean/w"))[:half] / friction
    left.semilogx(means[1:, 1], means[1:, 2], color="black", label="Moser, Kim & Mansour (1999)")
    left.semilogx(x, mean, "o", markersize=3, color=COLOURS[0], label=f"ermine-channel, Re_tau = {reynolds:.4g}")
    tidy(left, xlabel="distance from the wall [wall units]", title="mean velocity over friction velocity")
    left.legend()

    def deviation(values, table, column):
        there = np.interp(x, table[:, 1], column)
        return np.max(abs(values - there)[x > 1]) / np.max(column)

    found = {"mean": deviation(mean, means, means[:, 2])}
    for (theirs, (ours, column)), colour in zip(TABLES.items(), COLOURS[:3]):
        rms = of_both_walls(numbers(file, f"rms/{ours}"))[:half] / friction
        wanted = np.sqrt(stresses[:, column])
        right.plot(stresses[:, 1], wanted, color="black")
        right.plot(x, rms, "o", markersize=3, color=colour, label=theirs + "'")
        found[theirs] = deviation(rms, stresses, wanted)
    tidy(right, xlabel="distance from the wall [wall units]", title="root mean squares over friction velocity")
    right.legend()
    bulk = numbers(file, "bulk_reynolds")[0] if "bulk_reynolds" in file else None
    coefficient = numbers(file, "friction/coefficient")[0]
    print(f"friction Reynolds number {reynolds:.2f}, friction coefficient {coefficient:.5f}", end="")
    if bulk:
        dean = 0.073 * bulk ** -0.25
        print(f", Dean's {dean:.5f} ({100 * (coefficient / dean - 1):+.1f} %)", end="")
    print("\nlargest deviations from Moser, Kim & Mansour, over the largest value: "
          + ", ".join(f"{name} {100 * value:.1f} %" for name, value in found.items()))
    return figure


def draw(options):
    files = [open_result(path, "ermine-channel") for path in options.results]
    if "plane_0" in files[0]:
        require(len(files) == 1, "several files of slices, give one at a time")
        return draw_slices(files[0])
    if options.moser:
        require(len(files) == 1, "--moser compares one run, give one file")
        return compare_with_moser(options, files[0])
    return draw_statistics(options, files)


def main(arguments):
    try:
        require(MISSING is None, f"{MISSING}, install the Python packages h5py and matplotlib")
        options = parse_options(arguments)
        matplotlib.rcParams.update(STYLE)
        output = options.output or os.path.splitext(options.results[0])[0] + ".png"
        require(output.lower().endswith((".png", ".svg", ".pdf")),
                f"{output}: not a name for a picture, end --output in .png, .svg or .pdf")
        save_picture(draw(options), output, dpi=options.dpi)
    except (PlotError, OSError) as error:
        print("ermine plot: error:", " ".join(str(error).split()), file=sys.stderr)
        return 1
    print(f"wrote {output}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
