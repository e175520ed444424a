"""Case files that were written carelessly or with bad intent."""

import copy
import random

from harness import files_in, need, refused_or_succeeded, succeeded, unfinished_in

VALID = {
    "title": '"small slab"',
    "temperature": '"500 + 1000*x"',
    "medium": {"absorption_coefficient": "1.0"},
    "grid": {
        "x": {"cells": "4", "from": "0.0", "to": "1.0"},
        "y": {"cells": "3", "to": "1.0", "periodic": "true"},
        "z": {"faces": "[0.0, 0.2, 0.5, 1.0]", "periodic": "true"},
    },
    "walls": {
        "x_low": {"temperature": "500", "emissivity": "0.8"},
        "x_high": {"temperature": '"1500 + 10*y"', "reflection": '"diffuse"'},
    },
    "solver": {"rays_per_cell": "4", "rays_per_wall_face": "2", "seed": "7", "method": '"net"'},
    "output": {"name": '"result"', "directory": '"out"', "csv": "true"},
    "coupling": {"interval": "2", "lag": "1"},
}
GASES = [
    {"gas": '"H2O"', "pressure": "1e5", "quadrature_points": "4"},
    {"mole_fractions": {"CO2": "0.2", "H2O": '"0.1 + 0.1*x"'}, "pressure": "1e5", "quadrature_points": "4"},
    {"gas": '"CO"', "pressure": "1e5", "soot": {"volume_fraction": '"1e-6*x"', "constant": "7.0"}},
    {"soot": {"volume_fraction": "1e-6", "n": "1.75", "k": "1.03"}},
]

# Values of other types, no values at all, and numbers at the ends of what there is.
VALUES = [
    "nan", "inf", "-inf", "-1", "0", "-0.0", "1e308", "-1e308", "5e-324", "0.5", "1e400", "9223372036854775807",
    "-9223372036854775808", "9223372036854775808", "0xffffffffffffffff", "0b1", "1_0", "1__0", "true", "false",
    "1979-05-27", "07:32:00", "[]", "[1]", "[[]]", '["a", 1]', "{}", "{ a = 1 }", '""', '" "', "''", '"x"', '"\\u0000"',
    '"\\u202e\\U0001F600"', '"é"', '"\\t"', "'''\nx\n'''", '"' + "a" * 5000 + '"', "", "=", "x", "[", '"', "#",
    '"x/0"', '"0/0"', '"x+"', '"((((x))))"', '"sqrt(-1)"', '"1e999"', '"x=1"', '"1,2"', '"rnd()"', '"' + "(" * 400 + "x" + ")" * 400 + '"',
    '"' + "x+" * 2000 + 'x"', '"' + "-" * 3000 + 'x"', '"x?1:2"', '"x<0.5?nan:1"', '"exp(1000*x)"',
    '"/etc/passwd"', '"../../../../x"', '"a/b"', '"' + "n" * 300 + '"', '"."', '".."',
    "{ profile = \"no.csv\", axis = \"x\" }", "{ hdf5 = \"no.h5\", dataset = \"/T\" }",
]


def written(table, path=()):
    """TOML with one header for each table."""
    lines = [f"{key} = {value}" for key, value in table.items() if not isinstance(value, dict)]
    for key, value in table.items():
        if isinstance(value, dict):
            lines.append(f"[{'.'.join((*path, key))}]")
            lines.append(written(value, (*path, key)))
    return "\n".join(lines) + "\n"


def leaves(table, path=()):
    for key, value in table.items():
        yield (*path, key)
        if isinstance(value, dict):
            yield from leaves(value, (*path, key))


def parent(table, path):
    for key in path[:-1]:
        table = table[key]
    return table


def with_value(case, path, value):
    changed = copy.deepcopy(case)
    parent(changed, path)[path[-1]] = value
    return changed


def without(case, path):
    changed = copy.deepcopy(case)
    del parent(changed, path)[path[-1]]
    return changed


def with_unknown(case, path, key):
    changed = copy.deepcopy(case)
    parent(changed, path)[key] = "1"
    return changed


def whole_texts(text):
    """Files that are wrong as a whole."""
    yield "bytes", b""
    yield "bytes", b"\xef\xbb\xbf" + text
    yield "bytes", b"\xef\xbb\xbf\xef\xbb\xbf" + text
    yield "bytes", b"\xff\xfe" + text.decode().encode("utf-16-le")
    yield "bytes", text.replace(b"\n", b"\r\n")
    yield "bytes", text.replace(b"\n", b"\r")
    yield "bytes", text.replace(b"\n", b"\n\r")
    yield "bytes", text + b"\0"
    yield "bytes", text.rstrip(b"\n")
    yield "bytes", text * 2
    yield "bytes", text + b"\x1a"
    yield "bytes", b"\n" * 2_000_000 + text
    yield "bytes", b"#" + b"x" * 1_000_000 + b"\n" + text
    yield "bytes", b"#" + b"." * 1_000_000 + b"\n" + text
    yield "bytes", b"# " + b"a." * 500 + b"\n" + text
    yield "long texts", b'title = "' + b"t" * 1_000_000 + b'"\n' + text[text.index(b"\n"):]
    yield "long texts", b'"' + b"k" * 1_000_000 + b'" = 1\n' + text
    yield "long texts", text.replace(b'"500 + 1000*x"', b'"' + b"1+" * 200_000 + b'1"')
    yield "long texts", text.replace(b'"500 + 1000*x"', b'"' + b" " * 1_000_000 + b'1"')
    yield "long texts", text.replace(b"[0.0, 0.2, 0.5, 1.0]", b"[" + b",".join(b"%d" % i for i in range(200_000)) + b"]")
    for depth in (50, 300, 20_000, 200_000):
        yield "deep nesting", b"a = " + b"[" * depth + b"]" * depth + b"\n" + text
        yield "deep nesting", b"a = " + b"[" * depth + b"\n" + text
        yield "deep nesting", b"a = " + b"{a=" * depth + b"1" + b"}" * depth + b"\n" + text
        yield "deep nesting", b"a" + b".a" * depth + b" = 1\n" + text
        yield "deep nesting", b"a" + b" . a" * depth + b" = 1\n" + text
        yield "deep nesting", b"[a" + b".a" * depth + b"]\n" + text
        yield "deep nesting", text + b"[a" + b'."a"' * depth + b"]\n"
        yield "deep nesting", text + b"[" * depth + b"a" + b"]" * depth + b"\n"
        yield "deep nesting", text + b"".join(b"[a%s]\n" % (b".a" * n) for n in range(0, min(depth, 300), 7))
        for open_, close in ((b"(", b")"), (b"sin(", b")"), (b"-(", b")"), (b"1?", b":1"), (b"2^", b""), (b"min(1,", b")")):
            formula = b'"' + open_ * depth + b"1" + close * depth + b'"'
            yield "deep nesting", text.replace(b'"500 + 1000*x"', formula)
    for _, line in zip(range(30), text.splitlines()):
        yield "duplicate lines", text.replace(line, line + b"\n" + line, 1)


def damaged_text(text, rng):
    """A few bytes lost, changed, doubled or moved."""
    data = bytearray(text)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at = rng.randrange(len(data) or 1)
        match rng.randrange(7):
            case 0:
                del data[at:at + rng.choice((1, 1, 4, 40))]
            case 1:
                data[at:at + 1] = bytes([rng.randrange(256)])
            case 2:
                data[at:at] = rng.choice((b"\n", b'"', b"[", b"]", b"=", b".", b"{", b"}", b"'''", b"\0", b"\xc3", b"#", b","))
            case 3:
                other = rng.randrange(len(data) or 1)
                data[at:at] = data[other:other + rng.choice((1, 5, 30))]
            case 4:
                del data[at:]
            case 5:
                data[at:at] = rng.choice(VALUES).encode()
            case 6:
                lines = data.split(b"\n")
                rng.shuffle(lines)
                data = bytearray(b"\n".join(lines))
    return bytes(data)


def changed_cases(rng):
    for case in (VALID, *({**VALID, "medium": gas} for gas in GASES)):
        for path in leaves(case):
            yield "missing key", without(case, path)
            yield "unknown key", with_unknown(case, path, path[-1] + "s")
            yield "unknown key", with_unknown(case, path, '"' + rng.choice(("é", " ", "", "a b", "\\n", "nan")) + '"')
            for value in VALUES:
                yield "wrong value", with_value(case, path, value)


def attempt(world, verb, data):
    def attack(folder):
        (folder / "case.toml").write_bytes(data)
        # A legal case may be too large for this machine, which is an answer too.
        ended = world.run([world.ermine, verb, "case.toml", "--threads", "1", *QUICK[verb]], folder)
        refused_or_succeeded(ended)
        left = [name for name in files_in(folder) if name != "case.toml"]
        need(ended.code == 0 or not left, f"refused, but left {left}")
        need(not unfinished_in(folder), f"left {left}")

    return attack


# Whatever else the case says, it ends soon.
QUICK = {
    "check": ["--set", "solver.rays_per_cell=2", "--set", "solver.rays_per_wall_face=2"],
    "run": ["--quiet", "--set", "solver.rays_per_cell=2", "--set", "solver.rays_per_wall_face=2"],
}


def attacks(world):
    rng = random.Random(world.seed)
    text = written(VALID).encode()

    def control(folder):
        (folder / "case.toml").write_bytes(text)
        succeeded(world.run([world.ermine, "run", "case.toml", *QUICK["run"]], folder))
        need(files_in(folder / "out") != [], "wrote nothing")

    yield "control: the case runs", control
    wrong = list(changed_cases(rng))
    rng.shuffle(wrong)
    for name, case in wrong[:4 * world.count]:
        yield name, attempt(world, "run", written(case).encode())
    whole = list(whole_texts(text))
    rng.shuffle(whole)
    for name, data in whole[:2 * world.count]:
        yield name, attempt(world, "run", data)
    for number in range(2 * world.count):
        yield "damaged text", attempt(world, "run" if number % 4 else "check", damaged_text(text, rng))
