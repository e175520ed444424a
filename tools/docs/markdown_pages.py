"""What the documentation tools know of Markdown: code, links and anchors, as GitHub has them."""

import re

FENCE = re.compile(r"^( *)(`{3,}|~{3,})(.*)$")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(([^()\s]+)(?:\s+\"[^\"]*\")?\)")
DEFINITION = re.compile(r"^ {0,3}\[([^\[\]]+)\]:[ \t]+(\S+)", re.M)
USE = re.compile(r"\]\[([^\[\]]+)\]")


def code_blocks(text):
    """Fenced blocks in order: (language, number of the line after the fence, text without its indent)."""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        fence = FENCE.match(lines[number])
        number += 1
        if not fence:
            continue
        indent, mark, language = fence.groups()
        first = number
        while number < len(lines) and lines[number].strip() != mark:
            number += 1
        block = [line[len(indent):] if line.startswith(indent) else line.lstrip() for line in lines[first:number]]
        yield language.strip(), first + 1, "".join(line + "\n" for line in block)
        number += 1


def without_code(text):
    """The text with code blanked out, as long as before: links in code are none."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    text = re.sub(r"^( *)(```+|~~~+)[^\n]*\n.*?^ *\2 *$", blank, text, flags=re.M | re.S)
    # A code span may go on in the next line, not in the next paragraph.
    return re.sub(r"(?<!`)(`+)(?!`)((?:(?!\n\s*\n).)+?)(?<!`)\1(?!`)", blank, text, flags=re.S)


def links(text):
    """(first, last, target) of each link and picture: text[first:last] is its target."""
    text = without_code(text)
    found = [(*match.span(1), match.group(1)) for match in LINK.finditer(text)]
    return sorted(found + [(*match.span(2), match.group(2)) for match in DEFINITION.finditer(text)])


def undefined(text):
    """(position, label) of each [text][label] whose label is nowhere defined."""
    text = without_code(text)
    labels = {match.group(1).lower() for match in DEFINITION.finditer(text)}
    return [(match.start(1), match.group(1)) for match in USE.finditer(text) if match.group(1).lower() not in labels]


def is_external(target):
    return re.match(r"[a-z][a-z0-9+.-]*:", target) is not None


def anchor(heading):
    """What GitHub makes of the text of a heading: lower case, without punctuation, blanks as dashes."""
    heading = re.sub(r"!?\[([^\[\]]*)\]\([^()]*\)", r"\1", heading.strip())
    code = re.split(r"(`[^`]*`)", heading)  # markup is none within code
    heading = "".join(part.strip("`") if part.startswith("`") else
                      re.sub(r"\*\*?(?=\S)(.+?)(?<=\S)\*\*?", r"\1", part) for part in code)
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchors(text):
    """Anchors of all headings; one that comes again gets a number."""
    seen, found = {}, set()
    fenced = re.sub(r"^( *)(```+|~~~+)[^\n]*\n.*?^ *\2 *$", "", text, flags=re.M | re.S)
    for match in re.finditer(r"^ {0,3}#{1,6} +(.+?)(?: +#+)? *$", fenced, re.M):
        name = anchor(match.group(1))
        found.add(f"{name}-{seen[name]}" if name in seen else name)
        seen[name] = seen.get(name, 0) + 1
    return found
