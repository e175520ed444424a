"""Makes the pages of `ermine validate --report` and `ermine bench --report` in small and opens them in Chromium.

    check_pages.py ERMINE [--screenshots DIR]      measures, in half a minute
    check_pages.py --pages FILE.html...            only opens pages that are there

On a wide and on a narrow window: no errors on the console, nothing asked of the network, every picture drawn, every row
and every target of a link there, nothing wider than the window. Exit code 77 where there is no Chromium.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from browser import Browser, find_browser

WIDTHS = (1280, 400)
# Some of each kind: slab, cube, gas, lines, plane, and all that are not of the paper.
CASES = ["1", "3", "5", "10-lines", "12", "burns-christon", "s1", "s2", "thick-slab", "thick-stretched",
         "isothermal-grey", "isothermal-mixture", "mist-slab"]

LOOK = """(() => {
  const pictures = [...document.querySelectorAll('img, svg')];
  const drawn = picture => {
    const box = picture.getBoundingClientRect();
    if (box.width < 200 || box.height < 100) return false;
    if (picture.tagName === 'IMG') return picture.complete && picture.naturalWidth > 0;
    const marks = [...picture.querySelectorAll('path, circle')];
    const letters = [...picture.querySelectorAll('text')];
    return marks.length > 5 && letters.length > 4 && [...marks, ...letters].every(mark => {
      const part = mark.getBoundingClientRect();
      return part.left >= box.left - 1 && part.right <= box.right + 1 && part.top >= box.top - 1
          && part.bottom <= box.bottom + 1;
    });
  };
  return {
    title: document.title,
    status: document.querySelector('#status')?.textContent ?? '',
    pictures: pictures.length,
    broken: pictures.filter(picture => !drawn(picture)).map(picture => picture.getAttribute('aria-label')),
    rows: [...document.querySelectorAll('[data-row]')].map(row => row.dataset.row),
    hidden: [...document.querySelectorAll('[data-row]')].filter(row => row.getBoundingClientRect().height === 0)
        .map(row => row.dataset.row),
    sections: [...document.querySelectorAll('section[id]')].map(section => section.id),
    dead: [...document.querySelectorAll('a[href^="#"]')].map(link => link.getAttribute('href'))
        .filter(target => !document.getElementById(target.slice(1))),
    width: document.documentElement.scrollWidth,
    window: window.innerWidth,
    empty: [...document.querySelectorAll('dd, th + th, h1, h2')].filter(part => !part.textContent.trim()).length,
    odd: document.body.innerText.match(/\\b(nan|inf|undefined|null)\\b/gi) ?? [],
  };
})()"""


class Failures:
    def __init__(self):
        self.count = 0

    def expect(self, true, what):
        if not true:
            self.count += 1
            print("FAILED:", what)


def run(*words, codes=(0,)):
    environment = os.environ | {"OMP_NUM_THREADS": "2"}
    done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=600)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def rows_of_study(study):
    """Names of the rows that a study has on its page."""
    rows = study.get("results", [])
    if "strong" in study:
        parts = [("strong", study["strong"]), ("weak", study["weak"]), ("model strong", study["model"]["strong"]),
                 ("model weak", study["model"]["weak"])]
        return ([f"{name} {row['processes']}" for name, part in parts for row in part]
                + [f"threads {row['threads']}" for row in study.get("threads", [])])
    if rows and "crossings_per_second" in rows[0]:
        return [f"throughput {row['backend']} {row['precision']} {row['threads']}" for row in rows]
    if "references" in study:
        place = lambda row: (study["machine"]["device"] if row["backend"] == "cuda" else
                             f"{row['threads']} CPU thread" + ("" if row["threads"] == 1 else "s"))
        return [f"error {row['problem']} {row['grid']} {place(row)} {row['method']} {json.dumps(row['target'])}"
                for row in rows]
    names = {f"grids {row['grid']}" for row in rows if row["part"] == "grids"}
    names |= {f"rays {row['rays']}" for row in rows if row["part"] == "rays"}
    names |= {f"cpu {row['method']} {row['threads']}" for row in rows if row["part"] == "cpu"}
    names |= {f"finding {finding['key']}" for finding in study["findings"]}
    names |= {f"bias {bias['part']} {bias['problem']} {bias['levels']} {bias['steps_per_level']} "
              f"{bias['coarse_temperature']}" for bias in study["bias"]}
    return sorted(names)


def look_at(browser, page, expected_rows, failures, screenshots):
    for width in WIDTHS:
        for scheme in ("light", "dark"):
            browser.problems.clear()
            browser.open(page.resolve().as_uri(), width, scheme=scheme)
            seen = browser.evaluate(LOOK)
            where = f"{page} at {width} px, {scheme}: "
            failures.expect(not browser.problems, where + "; ".join(browser.problems))
            failures.expect(seen["title"].startswith("ermine: "), where + f"title {seen['title']!r}")
            failures.expect(seen["status"], where + "no status")
            failures.expect(seen["pictures"] > 0 and not seen["broken"], where + f"broken pictures {seen['broken']}")
            failures.expect(seen["width"] <= seen["window"] == width, where + f"{seen['width']} px wide")
            failures.expect(not seen["dead"], where + f"links to nowhere: {seen['dead']}")
            failures.expect(not seen["hidden"], where + f"rows without height: {seen['hidden']}")
            failures.expect(seen["empty"] == 0, where + f"{seen['empty']} empty headings or values")
            failures.expect(not seen["odd"], where + f"no numbers: {seen['odd']}")
            missing = collections.Counter(expected_rows) - collections.Counter(seen["rows"])
            failures.expect(not missing, where + f"missing rows: {list(missing)}")
            if screenshots:
                screenshots.mkdir(parents=True, exist_ok=True)
                name = f"{page.parent.name}-{width}{'-dark' if scheme == 'dark' else ''}.png"
                browser.save_screenshot(screenshots / name)
    return seen


def make_pages(tool, folder):
    """Both pages in small, and the rows each must have."""
    validate = run(tool, "validate", *CASES, "--quiet", "--json", "--set", "solver.rays_per_cell=16", "--report",
                   str(folder / "validate"), codes=(0, 1))
    bench = run(tool, "bench", "--quiet", "--json", "--grid", "8", "--rays", "16", "--repeats", "1", "--budget", "4",
                "--backend", "cpu", "--report", str(folder / "bench"))
    names = [case["name"] for case in validate["cases"]]
    if len(names) < len(CASES):
        sys.exit(f"asked for {CASES}, got {names}")
    rows = [row for study in bench["studies"] for row in rows_of_study(study)]
    return [(pathlib.Path(validate["report"]), names), (pathlib.Path(bench["report"]), rows)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", nargs="?")
    parser.add_argument("--pages", nargs="+", type=pathlib.Path, default=[])
    parser.add_argument("--screenshots", type=pathlib.Path)
    options = parser.parse_args()
    program = find_browser()
    if not program:
        print("skipped: no Chromium here, install it with tools/install_dependencies.sh --report")
        return 77
    failures = Failures()
    with tempfile.TemporaryDirectory() as folder, Browser(program) as browser:
        pages = [(page, []) for page in options.pages]
        if options.tool:
            pages += make_pages(options.tool, pathlib.Path(folder))
        for page, rows in pages:
            seen = look_at(browser, page, rows, failures, options.screenshots)
            print(f"{page}: {seen['status']}; {seen['pictures']} pictures, {len(seen['rows'])} rows")
    return 1 if failures.count or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
