#!/usr/bin/env python3
"""Makes the figures of docs/gallery.md anew: runs its shell blocks in the root of the project, in order."""

import os
import pathlib
import subprocess
import sys

from markdown_pages import code_blocks

root = pathlib.Path(__file__).resolve().parents[2]
page = root / "docs/gallery.md"
# python3 is the interpreter that runs this.
environment = {**os.environ, "PATH": os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]}
for language, line, text in code_blocks(page.read_text(encoding="utf-8")):
    if language == "sh":
        print(text, end="", flush=True)
        if subprocess.run(["bash", "-e"], input=text, text=True, cwd=root, env=environment).returncode:
            sys.exit(f"{page}:{line}: failed")
