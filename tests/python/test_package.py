"""Stubs and docstrings of everything public, the examples, the page about Python."""

import ast
import importlib.util
import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys
import types

import pytest

import ermine
from conftest import ROOT

STUB = pathlib.Path(ermine.__file__).with_name("_ermine.pyi")
IMPLIED = {"__repr__", "__str__"}  # object has them


def stubbed():
    """Names in the stub: {"Grid": {"shape": "property", "mesh": ["self"]}, "run": [...]}."""

    def kind(node):
        if any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list):
            return "property"
        return [a.arg for a in node.args.posonlyargs + node.args.args + node.args.kwonlyargs]

    found = {}
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, ast.ClassDef):
            functions = [n for n in node.body if isinstance(n, ast.FunctionDef)]
            found[node.name] = {n.name: kind(n) for n in functions}
        elif isinstance(node, ast.FunctionDef):
            found[node.name] = kind(node)
    return found


def members(cls):
    own = {name: value for name, value in vars(cls).items()
           if not name.startswith("_") or name in ("__init__", "__len__")}
    if isinstance(own.get("__init__"), types.WrapperDescriptorType):
        del own["__init__"]  # there is none: ermine makes them
    return own


def public():
    return {name: getattr(ermine, name) for name in ermine.__all__ if name != "__version__"}


def is_error(value):
    return inspect.isclass(value) and issubclass(value, Exception)


def signature(callable_):
    """Names of the arguments, from the first line that pybind11 writes into a docstring."""
    text = callable_.__doc__
    if "Overloaded function" in text:
        text = next(line[3:] for line in text.splitlines() if line.startswith("1. "))
    inside = text[text.index("(") + 1:].splitlines()[0]
    without_brackets = re.sub(r"\[[^\[\]]*(\[[^\[\]]*\][^\[\]]*)*\]", "", inside)
    names = re.findall(r"(?:^|, )(\*{0,2}\w+): ", without_brackets)
    return [name for name in names if not name.startswith("*")]


@pytest.mark.parametrize("name", sorted(public()))
def test_stub_and_docstrings(name):
    value, stub = public()[name], stubbed()[name]
    assert value.__doc__ and len(value.__doc__) > 20
    if not inspect.isclass(value):
        assert signature(value) == stub
        assert value.__doc__.strip().count("\n") > 0, "the signature alone is no docstring"
        return
    if is_error(value):
        return
    found = members(value)
    assert not set(found) - set(stub), "not in the stub"
    assert not set(stub) - set(found) - IMPLIED, "not in the module"
    for member, what in found.items():
        if isinstance(what, property):
            assert stub[member] == "property"
            assert what.__doc__, f"{name}.{member} has no docstring"
        elif member not in ("__init__", "__len__"):
            function = getattr(value, member)
            assert "\n" in function.__doc__.strip(), f"{name}.{member} has no docstring"
            assert signature(function) == stub[member], member
        elif member == "__init__":
            assert signature(value.__init__) == stub["__init__"]


def test_nothing_public_is_forgotten():
    from ermine import _ermine

    assert {n for n in dir(_ermine) if not n.startswith("_")} <= set(ermine.__all__)
    assert set(stubbed()) == set(public())
    version = re.search(r"project\(ermine VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert ermine.__version__ == version.group(1)


def snippets():
    page = (ROOT / "docs" / "howto" / "python.md").read_text()
    return re.findall(r"```python\n(.*?)```", page, flags=re.S)


def test_snippets_of_the_page_run(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    names = {}
    assert len(snippets()) >= 5
    for snippet in snippets():
        exec(compile(snippet, "python.md", "exec"), names)


def run_example(name, folder, *arguments):
    done = subprocess.run([sys.executable, ROOT / "examples" / "python" / name, *arguments],
                          cwd=folder, capture_output=True, text=True, env=os.environ)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_tutorial_draws_a_figure(tmp_path):
    if not importlib.util.find_spec("matplotlib"):
        pytest.skip("needs matplotlib: tools/install_dependencies.sh --plot")
    figure = tmp_path / "figure.png"
    printed = run_example("tutorial.py", tmp_path, figure)
    assert "million rays" in printed
    assert figure.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" and figure.stat().st_size > 20_000
