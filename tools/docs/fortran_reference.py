"""Fortran reference page: the comments of the module, and its procedures with their arguments."""

import re

from c_reference import prose

DECLARATION = re.compile(r"^ +(class|type|integer|real|logical|character)\b.*::")


def comment_lines(lines):
    return prose([line.replace("!>", "///", 1) for line in lines])


def signature(text, name):
    """The first statement of a procedure, or of its interface, and the declarations of its arguments."""
    found = re.search(rf"^ +(?:module )?([\w()=:, ]*?(?:subroutine|function) {name}\(.*?)(?=^ +end (?:subroutine|function))",
                      text, re.M | re.S)
    if not found:
        return None
    indented = found.start(1) - found.start() - len("module ") * ("module " in found.group(0).splitlines()[0])
    lines = [line if i == 0 else line[indented - 2:] for i, line in enumerate(found.group(1).splitlines())]
    lines[0] = "  " + lines[0]
    kept = [lines[0]]
    while kept[-1].endswith("&"):
        kept.append(lines[len(kept)])
    arguments = set(re.findall(r"\w+", " ".join(kept).partition("(")[2]))
    for line in lines[len(kept):]:
        names = set(re.findall(r"\w+", line.partition("::")[2])) if DECLARATION.match(line) else set()
        if "intent" in line and names & arguments and "self" not in names:
            kept.append(line)
    return "\n".join(line[2:] for line in kept)


def page(module, interface):
    text = module.read_text(encoding="utf-8")
    lines = text.splitlines()
    head = [line for line in lines[:lines.index("module ermine")] if line.startswith("!>")]
    first = next(i for i, line in enumerate(lines) if "parameter, public" in line)
    last = next(i for i, line in enumerate(lines) if line.startswith("  public ::"))
    out = ["# Fortran module",
           "`use ermine`, CMake target `ermine::fortran`, `pkg-config ermine-fortran`; for other compilers its sources are installed. How to use it in a "
           "flow code: [coupling](../coupling.md); complete programs: "
           "[heated_box.f90](../../examples/fortran/heated_box.f90), with MPI "
           "[pencils.f90](../../examples/fortran/pencils.f90).",
           comment_lines(head), "## Constants",
           "```fortran\n" + "\n".join(line[2:] for line in lines[first:last]).strip() + "\n```",
           "## type radiation"]
    start = next(i for i, line in enumerate(lines) if "type, public :: radiation" in line)
    comment = []
    out.append(comment_lines([line for line in lines[start - 1:start]]))
    joined = re.sub(r" &\n +", " ", "\n".join(lines)).split("\n")  # statements of several lines
    start = next(i for i, line in enumerate(joined) if "type, public :: radiation" in line)
    lines = joined
    for line in lines[lines.index("  contains", start) + 1 if "  contains" in lines[start:] else start:]:
        if line.strip().startswith("end type"):
            break
        if line.strip().startswith("!>"):
            comment.append(line)
            continue
        bound = re.match(r"^    (?:procedure|generic) :: (\w+)(?: => (.*))?$", line)
        if not bound or "private" in line or "assignment" in line:
            continue
        name, targets = bound.groups()
        out.append(f"### {name}")
        if comment:
            out.append(comment_lines(comment))
        targets = targets.split(", ") if targets else [name]
        code = [signature(text, target) for target in targets]
        out.append("```fortran\n" + "\n\n".join(part for part in code if part) + "\n```")
        comment = []
    for name in ("ermine_statistics", "ermine_estimate", "ermine_balance"):
        record = re.search(rf"( *!>[^\n]*\n)*  type, bind\(C\) :: {name}\n.*?end type",
                           interface.read_text(encoding="utf-8"), re.S)
        body = "\n".join(line[2:] for line in record.group(0).splitlines())
        out += [f"## type {name}", f"```fortran\n{body}\n```"]
    return "\n\n".join(out) + "\n"
