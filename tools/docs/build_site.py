#!/usr/bin/env python3
"""Builds the documentation site with mkdocs; warnings are errors, and so are dead links in its pages.

build_site.py SOURCE_DIR BUILD_DIR    writes BUILD_DIR/site

mkdocs takes pages from one folder and reads a stricter Markdown than GitHub. So all pages, and what they
link to, are first laid out in BUILD_DIR/site-sources as they lie in the project: sources become pages,
folders lists of their files. Nothing there is edited by hand.
"""

import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

from markdown_pages import FENCE, is_external, links

SHOWN = {".toml": "toml", ".cpp": "c++", ".hpp": "c++", ".h": "c", ".c": "c", ".cu": "c++", ".f90": "fortran",
         ".py": "python", ".pyi": "python", ".sh": "sh", ".csv": "text", ".cff": "yaml", "": "text"}
ITEM = re.compile(r"( {0,3})([-*+]|\d+[.)])( +)")


def four_blanks(text):
    """Lists as mkdocs wants them: four blanks for each level, and an empty line before an item where one belongs."""
    out, fence, cut, shift = [], None, 0, 0
    items = []  # of the levels of lists: column of their text, and whether they have paragraphs
    for line in text.splitlines():
        if fence:
            out.append((" " * shift + line[min(cut, len(line) - len(line.lstrip())):]).rstrip())
            fence = None if line.strip() == fence else fence
            continue
        if not line.strip():
            out.append("")
            items[-1:] = [(column, True) for column, _ in items[-1:]]
            continue
        indent = len(line) - len(line.lstrip())
        before = bool(out) and bool(out[-1])  # a line of text right above
        starts = ITEM.match(line.lstrip()) and indent < (items[-1][0] if items else 0) + 4
        first = bool(starts) and (not items or indent >= items[-1][0])
        while items and indent < items[-1][0] and (starts or not before):
            first = items.pop()[1]
        cut = min(items[-1][0] if items else 0, indent)
        shift, rest = 4 * len(items), line[cut:]
        if rest.startswith("|"):  # bars within code end no cell there
            rest = re.sub(r"`[^`]*`", lambda code: code.group(0).replace(r"\|", "|"), rest)
        item = ITEM.match(rest)
        if item:
            if before and first:
                out.append("")
            items.append((cut + item.end(), False))
        out.append(" " * shift + rest)
        opened = FENCE.match(rest)
        fence = opened.group(2) if opened else None
    return "\n".join(out) + "\n"


class Layout:
    """The pages and what they link to, laid out for mkdocs."""

    def __init__(self, root, target):
        self.root, self.target, self.done = root, target, set()

    def write(self, path, text):
        file = self.target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def add(self, path):
        """Lays out one file or folder of the project; returns the page or file to link to."""
        source = self.root / path
        if source.is_dir():
            page = next((path / name for name in ("README.md", "index.md") if (self.root / path / name).exists()),
                        path / "index.md")
        elif source.suffix in SHOWN:
            page = path.with_name(path.name + ".md")
        else:
            page = path
        if page in self.done:
            return page
        self.done.add(page)
        if (self.root / page).is_file():
            if page.suffix == ".md":
                self.write(page, four_blanks(self.relinked(page)))
            else:
                (self.target / page).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self.root / page, self.target / page)
        elif source.is_dir():
            names = sorted(file.name for file in source.iterdir() if not re.match(r"[._]", file.name))
            entries = [f"- [{name}]({os.path.relpath(self.add(path / name), path)})\n" for name in names]
            self.write(page, f"# {path}\n\n{''.join(entries)}")
        else:
            text = source.read_text(encoding="utf-8")
            self.write(page, f"# {path}\n\n````{SHOWN[source.suffix]}\n{text}````\n")
        return page

    def relinked(self, page):
        text, out, done = (self.root / page).read_text(encoding="utf-8"), [], 0
        for first, last, target in links(text):
            path, mark, fragment = target.partition("#")
            if is_external(target) or not path:
                continue
            file = pathlib.Path(os.path.normpath(page.parent / urllib.parse.unquote(path)))
            if not (self.root / file).exists():
                sys.exit(f"build_site.py: error: {page}: link to {target}, which is not there")
            out += [text[done:first], os.path.relpath(self.add(file), page.parent) + mark + fragment]
            done = last
        return "".join(out) + text[done:]


class Page(html.parser.HTMLParser):
    """Links and anchors of a page of the site, and what a browser would fetch to show it."""

    def __init__(self, file):
        super().__init__()
        self.hrefs, self.ids, self.fetched = [], set(), []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids |= {values.get("id"), values.get("name")}
        if tag == "a" and values.get("href"):
            self.hrefs.append(values["href"])
        elif values.get("src") or (tag == "link" and values.get("rel") in ("stylesheet", "preload", "icon")):
            self.fetched.append(values.get("src") or values["href"])


def faults(site):
    """Dead links, and anything that is not in the site itself: it must open without a network."""
    pages = {file: Page(file) for file in site.rglob("*.html") if file.name != "404.html"}
    for file, page in pages.items():
        where = file.relative_to(site)
        for target in page.hrefs + page.fetched:
            path, _, fragment = urllib.parse.unquote(target).partition("#")
            if is_external(target) or target.startswith("//"):
                if target in page.fetched and not target.startswith("data:"):
                    yield f"{where}: needs {target} from the network"
                continue
            to = (file.parent / path.partition("?")[0]).resolve() if path else file
            if not to.exists():
                yield f"{where}: {target} is not there"
            elif fragment and to in pages and fragment not in pages[to].ids and fragment != "__skip":
                yield f"{where}: {target} has no such anchor"


def main():
    root, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    sources, site = build / "site-sources", build / "site"
    shutil.rmtree(sources, ignore_errors=True)
    layout = Layout(root, sources)
    layout.write("site.css", (root / "tools/docs/site.css").read_text(encoding="utf-8"))
    for page in [root / "README.md", *sorted(root.glob("docs/**/*.md"))]:
        layout.add(page.relative_to(root))
    navigation = (root / "mkdocs.yml").read_text(encoding="utf-8")
    decisions = (root / "docs/decisions/README.md").read_text(encoding="utf-8")
    missing = [str(page.relative_to(root)) for page in root.glob("docs/**/*.md")
               if str(page.relative_to(root)) not in navigation and f"({page.name})" not in decisions]
    if missing:
        sys.exit(f"build_site.py: error: neither in mkdocs.yml nor a decision of its list: {', '.join(missing)}")
    result = subprocess.run(["mkdocs", "build", "--strict", "-f", str(root / "mkdocs.yml"), "-d", str(site)],
                            env={**os.environ, "ERMINE_SITE_SOURCES": str(sources)}, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode:
        lines = [line for line in result.stdout.splitlines() if not line.startswith(("INFO", "  - "))]
        sys.exit("\n".join(lines) + "\nbuild_site.py: error: mkdocs has warnings")
    found = list(faults(site))
    if found:
        sys.exit("\n".join(found) + f"\nbuild_site.py: error: {len(found)} faults in the pages of {site}")
    print(f"{site}/index.html: {len(list(site.rglob('*.html')))} pages; to search them, serve them: "
          f"python3 -m http.server -d {site}")


if __name__ == "__main__":
    main()
