#!/usr/bin/env python3
"""Executes a notebook from top to bottom in a scratch folder: run_notebook.py NOTEBOOK.

Exit code 77, with a message, where nbclient or ipykernel cannot be imported. Notebooks are kept without outputs.
"""

import pathlib
import sys
import tempfile

try:
    import ipykernel  # noqa: F401
    import matplotlib  # noqa: F401
    import nbclient
    import nbformat
except ImportError as missing:
    print(f"skipped: {missing}; `pip install nbclient ipykernel matplotlib` installs what notebooks need")
    sys.exit(77)

notebook = nbformat.read(pathlib.Path(sys.argv[1]), as_version=4)
code = [cell for cell in notebook.cells if cell.cell_type == "code"]
if any(cell.outputs or cell.execution_count for cell in code):
    sys.exit("the notebook has outputs: clear them before it is committed")
with tempfile.TemporaryDirectory() as scratch:
    # Raises with the message of the cell that fails.
    nbclient.NotebookClient(notebook, timeout=1200, kernel_name="python3",
                            resources={"metadata": {"path": scratch}}).execute()
    if not (pathlib.Path(scratch) / "flame.h5").exists():
        sys.exit("flame.h5 was not written")
shown = [kind for cell in code for output in cell.outputs for kind in output.get("data", {})]
print(f"{len(code)} cells, shown: {', '.join(sorted(set(shown)))}")
if not {"text/html", "image/png"} <= set(shown):
    sys.exit("no table or no picture was shown")
