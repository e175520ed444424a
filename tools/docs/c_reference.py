"""C and C++ reference pages: comments of public headers as text, declarations as code."""

import re
import textwrap

# In the order in which a reader meets them; others follow by name.
FIRST = ["radiation.hpp", "coupling.hpp", "communicator.hpp", "mpi.hpp", "case.hpp", "tracer.hpp", "options.hpp",
         "result.hpp", "energy_balance.hpp", "output.hpp", "grid.hpp", "walls.hpp", "medium.hpp", "gas_medium.hpp", "history.hpp"]
NAME = re.compile(r"^(?:(?:inline|constexpr|static|explicit|typedef) )*(class|struct|enum class|enum) (\w+)")


def prose(comment, code_below=""):
    """Text of a comment: paragraphs, code where it is indented, lists where it explains names one by one."""
    lines = [re.sub(r"^\s*(///?<?|/\*\*<?|\*/|\*(?!/))", "", line).removesuffix("*/").rstrip() for line in comment]
    text = textwrap.dedent("\n".join(lines)).strip("\n").split("\n")
    out, code, listed = [], False, False
    for line in text:
        name = re.match(r"([a-z_0-9]+): ", line)
        if name and re.search(rf"\b{name.group(1)}\b", code_below) and "enum" in code_below:
            if out and not listed:
                out.append("")
            line, listed = f"- `{name.group(1)}`: {line[name.end():]}", True
        elif listed:
            line = "  " + line
            out.append(line)
            continue
        indented = line.startswith("  ")
        if indented != code and line.strip():
            if out and out[-1]:
                out.append("")
            code = indented
        # Angle brackets are no HTML, asterisks no emphasis.
        out.append("  " + line if code and line else re.sub(r"(?<!`)<([\w/.]+)>(?!`)", r"`<\1>`", line))
    return "\n".join(out)


def without_bodies(code):
    """Declarations of inline functions: what is between the braces is nobody's business."""
    out, depth = "", 0
    for match in re.finditer(r"[{}]|[^{}]+", code):
        piece = match.group(0)
        if piece == "{":
            opens = depth or re.search(r"\)(?: const)?(?: noexcept)?(?:\s*:\s.*)?\s*$", out.splitlines()[-1]
                                       if out else "") or re.search(r"\) const\s*$", out)
            if opens:
                depth += 1
                if depth == 1:
                    out = re.sub(r"(\)(?: const)?(?: noexcept)?)(\s*:\s[^\n]*)?\s*$", r"\1;", out)
                continue
        elif piece == "}" and depth:
            depth -= 1
            continue
        if not depth:
            out += piece
    return re.sub(r"  // namespace \w+", "", out)


def public_part(code):
    """A class without its private members."""
    out, hidden = [], False
    for line in code.splitlines():
        label = re.match(r"^ (public|private|protected):", line)
        if label:
            hidden = label.group(1) != "public"
        if line.startswith("}"):
            hidden = False
        if not hidden and not (label and label.group(1) == "public"):
            out.append(line)
    return re.sub(r"\n\n+", "\n\n", re.sub(r"\n\n(?=\})", "\n", "\n".join(out)))


def entities(text):
    """(comment lines, declaration) at the outermost level, in order; "" for a comment alone."""
    comment, declaration, depth = [], [], 0
    in_block = False
    for line in text.splitlines():
        bare = line.strip()
        outside = not declaration
        if outside and (bare.startswith(("///", "/**")) or in_block):
            comment.append(line)
            in_block = (in_block or bare.startswith("/**")) and not bare.endswith("*/")
            continue
        if outside and not bare:
            if comment:
                yield comment, ""
                comment = []
            continue
        if outside and (bare.startswith(("#", "namespace", "}  // namespace", 'extern "C"')) or bare == "}"):
            continue
        declaration.append(line)
        code = re.sub(r"//.*|/\*.*?\*/", "", line)
        depth += code.count("{") + code.count("(") - code.count("}") - code.count(")")
        if depth == 0 and re.search(r"[;}]\s*$", code.rstrip()):
            yield comment, "\n".join(declaration)
            comment, declaration = [], []


def sections(text, language, level, functions):
    """A heading for each type, with its text; functions and constants under a heading of their own at the end."""
    out, loose = [], []
    for comment, code in entities(text):
        if not code:
            out.append(prose(comment))
            continue
        code = without_bodies(public_part(code))
        named = NAME.match(code)
        if named and "{" in code:
            out += [f"{'#' * level} {named.group(1)} {named.group(2)}", *([prose(comment, code)] if comment else []),
                    f"```{language}\n{code}\n```"]
        elif not re.match(r"^(class|struct) \w+;$", code):
            loose += [*([""] if comment and loose else []), *comment, code]
    if loose:
        heading = [f"{'#' * level} {functions}"] if any(part.startswith("#") for part in out) else []
        out += [*heading, f"```{language}\n" + "\n".join(loose) + "\n```"]
    return out


def c_page(header):
    text = header.read_text(encoding="utf-8")
    head = "# C interface\n\n`#include <ermine/ermine.h>`, CMake target `ermine::c`, `pkg-config ermine-c`. How to use " \
        "it in a flow code: [coupling](../coupling.md); a complete program: " \
        "[heated_box.c](../../examples/c/heated_box.c)."
    return "\n\n".join([head, *sections(text, "c", 2, "Functions and constants")]) + "\n"


def cpp_page(folder):
    files = sorted(folder.glob("*.hpp"), key=lambda file: (FIRST.index(file.name) if file.name in FIRST else 99,
                                                           file.name))
    out = ["# C++ interface",
           "`#include <ermine/ermine.hpp>` has all of it, `<ermine/spectra.hpp>` what is about spectra; CMake targets "
           "`ermine::ermine` and `ermine::spectra`, `pkg-config ermine`. All is in `namespace ermine`, and in SI units. Flow codes need "
           "[Radiation](#class-radiation), see [coupling](../coupling.md); programs that solve a problem by themselves "
           "[Tracer](#class-tracer), see [slab.cpp](../../examples/cpp/slab.cpp). Errors are thrown as "
           "[Error](#class-error)."]
    for file in files:
        parts = sections(file.read_text(encoding="utf-8"), "c++", 3, f"Functions of {file.name}")
        if any(part.startswith(("#", "```")) for part in parts):
            out += [f"## {file.name}", *parts]
    return "\n\n".join(out) + "\n"
