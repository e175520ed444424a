#!/usr/bin/env python3
"""Reference pages from the sources themselves: public headers, Fortran module, Python module, --help.

reference.py SOURCE_DIR BUILD_DIR --write    writes docs/reference/*.md
reference.py SOURCE_DIR BUILD_DIR --check    fails if one of them differs from that

A page whose source was not built (the Python module, the tool) is left as it is.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import textwrap

import c_reference
import fortran_reference
import python_reference


def program(words, environment):
    done = subprocess.run([*words, "--help"], env=environment, capture_output=True, text=True)
    if done.returncode:
        channel_left_out = words[1:] == ["channel"] and not os.path.exists(words[0] + "-channel")
        print(f"{'skipped' if channel_left_out else 'failed'}: {' '.join(words)} --help: {done.stderr.strip()}",
              file=sys.stderr)
        sys.exit(77 if channel_left_out else 1)
    return done.stdout.replace(os.path.dirname(words[0]) + os.sep, "")


def verbs(help_text):
    """Names under "Subcommands:"."""
    lines = re.split(r"(?im)^subcommands:\n", help_text + "\nSubcommands:\n")[1].splitlines()
    return [line.split()[0] for line in lines if line.startswith("  ") and line[2:3].strip()]


def cli_page(tool):
    """Every verb and what is below it, as --help prints it."""
    # Defaults that depend on the machine are those of one without a GPU.
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "COLUMNS": "100"}

    def section(words):
        text = program([tool, *words], environment)
        yield f"{'#' * min(len(words) + 1, 4)} ermine {' '.join(words)}".rstrip() if words else "## ermine"
        yield f"```text\n{text.strip(chr(10))}\n```"
        for verb in verbs(text):
            yield from section([*words, verb])

    head = "# Command line\n\nWhat `ermine --help`, and `--help` behind each verb, print."
    return "\n\n".join([head, *section([])]) + "\n"


def pages(root, build):
    yield "c.md", c_reference.c_page(root / "include/ermine/ermine.h")
    yield "cpp.md", c_reference.cpp_page(root / "include/ermine")
    yield "fortran.md", fortran_reference.page(root / "bindings/fortran/ermine.f90",
                                               root / "bindings/fortran/ermine_c_interface.f90")
    if (build / "python/ermine").is_dir():
        try:
            yield "python.md", python_reference.page(root / "bindings/python/ermine/_ermine.pyi", build / "python")
        except ImportError as error:
            print(f"left as it is: docs/reference/python.md ({error})", file=sys.stderr)
    if (build / "ermine").is_file():
        yield "cli.md", cli_page(str(build / "ermine"))


def said(text):
    """What a page says: versions of CLI11 and argparse differ in usage lines, capitals, breaks and punctuation."""
    lines = [line for line in text.splitlines() if not re.match(r"(?i)\s*(usage:|ermine .*\[options\]|[a-z ]+:$)", line)]
    return re.sub(r"[\W_]+", "", "".join(lines)).lower()


def same(name, one, other):
    return one == other or (name == "cli.md" and said(one) == said(other))


def main():
    arguments = argparse.ArgumentParser(description=textwrap.dedent(__doc__))
    arguments.add_argument("source", type=pathlib.Path)
    arguments.add_argument("build", type=pathlib.Path)
    what = arguments.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", action="store_true")
    what.add_argument("--check", action="store_true")
    given = arguments.parse_args()
    folder = given.source.resolve() / "docs/reference"
    stale = []
    for name, text in pages(given.source.resolve(), given.build.resolve()):
        file = folder / name
        there = file.read_text(encoding="utf-8") if file.is_file() else ""
        if there == text or (given.check and same(name, there, text)):
            continue
        if given.write:
            folder.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
            print(f"written: docs/reference/{name}")
        else:
            stale.append(f"docs/reference/{name}")
    if stale:
        sys.exit(f"reference.py: error: {', '.join(stale)} differ from the sources, run `make reference`")


if __name__ == "__main__":
    main()
