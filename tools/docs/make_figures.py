#!/usr/bin/env python3
"""Makes the figures of docs/gallery.md anew: runs its shell blocks in the root of the project, in order."""

import pathlib
import subprocess
import sys

from markdown_pages import code_blocks

root = pathlib.Path(__file__).resolve().parents[2]
page = root / "docs/gallery.md"
for language, line, text in code_blocks(page.read_text(encoding="utf-8")):
    if language == "sh":
        print(text, end="", flush=True)
        if subprocess.run(["bash", "-e"], input=text, text=True, cwd=root).returncode:
            sys.exit(f"{page}:{line}: failed")
