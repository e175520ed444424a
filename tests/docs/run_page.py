#!/usr/bin/env python3
"""Executes the code blocks of a page of the documentation, in order, in a scratch folder.

run_page.py PAGE.md SOURCE_DIR BUILD_DIR [--write]

--write puts the numbers that were printed into the page, where lines are the same otherwise.

  sh       run by bash; build/ermine is the tool, and `make` does not build
  python   run
  toml, csv, python behind "save this as `NAME`": written to that file
  text     compared with what the block before has printed: each line must be there, numbers to 2 % or one in
           the last digit; lines with times, and those of dots only, are passed over
  console  not run (GPUs, clusters, minutes); not allowed in the tutorial
  json, c++, fortran, cmake: read by people only; not allowed in the tutorial
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

page, source, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
sys.path.insert(0, str(source / "tools" / "docs"))
from markdown_pages import code_blocks  # noqa: E402

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])")
tutorial = page.parent.name == "tutorial"
write = "--write" in sys.argv[4:]


def fail(line, message):
    sys.exit(f"{page.name}:{line}: {message}")


def same_words(shown, printed):
    return NUMBER.sub("#", shown).split() == NUMBER.sub("#", printed).split()


def like(shown, printed):
    """Whether a line is the one shown, but for rounding."""
    if not same_words(shown, printed):
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(printed))
    return all(abs(float(a) - float(b)) <= 0.02 * abs(float(a)) + last_digit(a) for a, b in pairs)


def last_digit(number):
    if number.lstrip("+-").isdigit():
        return 0.0
    return 10.0 ** -len(number.partition("e")[0].partition(".")[2])


def compare(text, printed, line):
    rest = printed.splitlines()
    for offset, shown in enumerate(text.splitlines()):
        if not shown.strip(" .") or re.search(r"\btime\b|seconds", shown):
            continue
        while rest and not like(shown, rest[0]):
            rest.pop(0)
        if not rest:
            fail(line + offset, f"not printed: {shown}\nprinted was:\n{printed}")


def rewritten(text, printed):
    """The lines shown with the numbers printed."""
    rest = printed.splitlines()
    lines = []
    for shown in text.splitlines():
        place = next((i for i, found in enumerate(rest) if same_words(shown, found)), None)
        if shown.strip(" .") and place is not None:
            shown = rest[place]
            del rest[:place + 1]
        lines.append(shown)
    return "\n".join(lines) + "\n"


def prepare(folder):
    """Looks like a checkout with the tool built, without the minutes to build it."""
    (folder / "build").mkdir()
    for name in ("ermine", "ermine-channel", "python", "tests"):
        if (build / name).exists():
            (folder / "build" / name).symlink_to(build / name)
    for name in ("examples", "validation", "data", "tools", "Makefile"):
        (folder / name).symlink_to(source / name)
    (folder / "bin").mkdir()
    for name, command in (("make", "/usr/bin/make -o build -o programs -o dependencies"), ("python3", sys.executable)):
        (folder / "bin" / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        (folder / "bin" / name).chmod(0o755)
    return {**os.environ, "PATH": f"{folder}/bin:{build}:{os.environ['PATH']}", "CUDA_VISIBLE_DEVICES": "",
            "PYTHONPATH": str(build / "python"), "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "Agg",
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def run_blocks(folder, environment):
    lines = page.read_text(encoding="utf-8").splitlines()
    printed, count = "", 0
    for language, line, text in code_blocks("\n".join(lines)):
        before = " ".join(part.strip() for part in lines[max(0, line - 6):line - 2])
        named = re.search(r"(?i)(?:save|write|put) this as `([^`]+)`[^`]*$", before)
        if named:
            (folder / named.group(1)).write_text(text, encoding="utf-8")
        elif language in ("sh", "python"):
            command = ["bash", "-e", "-o", "pipefail"] if language == "sh" else [sys.executable, "-"]
            done = subprocess.run(command, input=text, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
            printed = done.stdout + done.stderr
            if done.returncode:
                fail(line, f"exit code {done.returncode} of\n{text}{printed}")
        elif language == "text" and write:
            content = page.read_text(encoding="utf-8")
            page.write_text(content.replace(text, rewritten(text, printed), 1), encoding="utf-8")
        elif language == "text":
            compare(text, printed, line)
        elif tutorial or language not in ("console", "json", "c++", "c", "fortran", "cmake", "toml", "csv", ""):
            fail(line, f"a block of {language or 'no language'} that nothing runs")
        else:
            continue
        count += 1
    return count


for needed in ("h5py", "matplotlib", "numpy"):
    if subprocess.run([sys.executable, "-c", f"import {needed}"], stderr=subprocess.DEVNULL).returncode:
        print(f"skipped: Python has no {needed}, see tools/install_dependencies.sh --docs")
        sys.exit(77)
with tempfile.TemporaryDirectory() as name:
    number = run_blocks(pathlib.Path(name), prepare(pathlib.Path(name)))
print(f"{page.name}: {number} blocks")
sys.exit(0 if number else 1)
