#!/usr/bin/env python3
"""Checks the layer rule: a folder of src/ may include only from itself and from folders before it.

Public headers belong to the layer named beside them. Run from anywhere; prints each breach as
file:line and exits with 1 if there is any.
"""

import pathlib
import re
import sys

LAYERS = ["core", "backend", "files", "spectra", "sampling", "geometry", "medium", "transport", "parallel", "case", "io",
          "coupling", "capi"]
PUBLIC = {
    "error": "core", "version": "core", "device": "backend", "files": "files", "species": "spectra", "soot": "spectra", "spectral_table": "spectra",
    "planck": "spectra", "narrow_band": "spectra", "gas_properties": "spectra", "lines": "spectra",
    "spectra": "spectra", "medium": "medium", "gas_medium": "medium", "particles": "medium", "scattering": "medium",
    "grid": "geometry",
    "walls": "geometry", "options": "core", "result": "transport", "history": "transport",
    "mesh_error": "transport", "tracer": "transport", "forecast": "transport",
    "case": "case", "output": "io", "coupling": "core", "communicator": "core", "mpi": "parallel",
    "energy_balance": "coupling", "radiation": "coupling", "ermine": "capi",
}
INCLUDE = re.compile(r'#\s*include\s+(?:"([^"]+)"|<ermine/([a-z0-9_]+)\.(?:hpp|h)>)')
SOURCES = {".hpp", ".cpp", ".cu", ".cuh", ".h"}


def layer_of_include(match):
    """The layer an include names, or None with a complaint where it names none."""
    private, public = match.groups()
    if public is not None:
        return PUBLIC.get(public), f"<ermine/{public}.hpp> is not listed in tools/check_layers.py"
    folder = private.split("/")[0]
    return (folder if folder in LAYERS else None), f'"{private}" is outside the layers'


def breaches(root):
    files = [(path, path.relative_to(root / "src").parts[0])
             for path in sorted((root / "src").rglob("*")) if path.suffix in SOURCES]
    files += [(path, PUBLIC.get(path.stem)) for path in sorted((root / "include").rglob("*.h*"))]
    for path, layer in files:
        name = path.relative_to(root)
        if layer not in LAYERS:
            yield f"{name}:1: belongs to no layer, list it in tools/check_layers.py"
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line.strip())
            if not match:
                continue
            used, complaint = layer_of_include(match)
            if used is None:
                yield f"{name}:{number}: {complaint}"
            elif LAYERS.index(used) > LAYERS.index(layer):
                yield f"{name}:{number}: layer {layer} may not include from {used}"
            elif path.is_relative_to(root / "include") and match.group(1):
                yield f"{name}:{number}: public headers include only <ermine/...>"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    found = list(breaches(root.resolve()))
    print("\n".join(found) if found else "layers: all includes go downwards")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
