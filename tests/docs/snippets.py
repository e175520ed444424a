#!/usr/bin/env python3
"""Code blocks of a page, put into a program that can be compiled and run.

snippets.py PAGE.md LANGUAGE TEMPLATE OUTPUT    "@1@" in the template becomes the first block of the
                                                language, and so on; each block must have its place
snippets.py PAGE.md LANGUAGE OUTPUT             all blocks of the language, one after the other

A block may begin with include lines: "@includes@" stands for those of all blocks.
"""

import pathlib
import re
import sys


def blocks(page, language):
    text = pathlib.Path(page).read_text(encoding="utf-8")
    return [re.sub(r"(?m)^" + match.group(1), "", match.group(2))
            for match in re.finditer(rf"(?ms)^([ ]*)```{re.escape(language)}\n(.*?)^\1```", text)]


def main(page, language, *files):
    found = blocks(page, language)
    if not found:
        sys.exit(f"snippets.py: error: {page} has no block of {language}")
    includes = [line for block in found for line in re.findall(r"(?m)^#include .*", block)]
    found = [re.sub(r"(?m)^#include .*\n+", "", block) for block in found]
    if len(files) == 1:
        text = "".join(found)
    else:
        text = pathlib.Path(files[0]).read_text(encoding="utf-8").replace("@includes@", "\n".join(includes))
        for number, block in enumerate(found, 1):
            if text.count(f"@{number}@") != 1:
                sys.exit(f"snippets.py: error: {files[0]} has no place for block {number} of {language}, or several")
            text = text.replace(f"@{number}@", block.rstrip("\n"))
        if re.search(r"@\d+@", text):
            sys.exit(f"snippets.py: error: {files[0]} has places for more than the {len(found)} blocks of {page}")
    pathlib.Path(files[-1]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
