#!/usr/bin/env python3
"""Fails if a link of the documentation, within a page or to another file of the project, is dead.

check_links.py SOURCE_DIR
"""

import pathlib
import sys
import urllib.parse

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools" / "docs"))
from markdown_pages import anchors, is_external, links, undefined  # noqa: E402

checked = 0


def dead_links(page):
    global checked
    text = page.read_text(encoding="utf-8")
    for first, label in undefined(text):
        yield f"{page.relative_to(root)}:{text.count(chr(10), 0, first) + 1}: [{label}] is not defined"
    for first, _, target in links(text):
        if is_external(target):
            continue
        checked += 1
        path, _, fragment = urllib.parse.unquote(target).partition("#")
        file = (page.parent / path).resolve() if path else page
        where = f"{page.relative_to(root)}:{text.count(chr(10), 0, first) + 1}: {target}"
        if not file.is_relative_to(root) or not file.exists():
            yield f"{where}: there is no such file"
        elif fragment and file.suffix == ".md" and fragment not in anchors(file.read_text(encoding="utf-8")):
            yield f"{where}: there is no such heading"


pages = [*root.glob("*.md"), *root.glob("docs/**/*.md"), root / "validation/README.md", root / "data/README.md",
         *root.glob("bindings/*/README.md"), *root.glob("examples/**/*.md")]
dead = [message for page in sorted(pages) for message in dead_links(page)]
print("\n".join(dead) or f"{checked} links in {len(pages)} pages")
sys.exit(1 if dead or not checked else 0)
