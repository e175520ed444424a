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
from ermine import _ermine

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
           if not name.startswith("_") or name in ("__init__", "__len__", "_repr_html_")}
    if isinstance(own.get("__init__"), types.WrapperDescriptorType):
        del own["__init__"]  # there is none: ermine makes them
    return own


def everything():
    return {name: getattr(ermine, name) for name in ermine.__all__ if name != "__version__"}


def public():
    """What the compiled module has; what is written in Python says its types itself."""
    return {name: value for name, value in everything().items() if hasattr(_ermine, name)}


def written_in_python():
    return {name: value for name, value in everything().items() if name not in public()}


def is_error(value):
    return inspect.isclass(value) and issubclass(value, Exception)


def signature(callable_):
    """Names of the arguments: of Python's functions, or from the first line that pybind11 writes."""
    if inspect.isfunction(callable_):
        names = list(inspect.signature(callable_).parameters)
        return ["self", *names[1:]]  # a method that was added to a class
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
            has_text = "\n" in function.__doc__.strip() or inspect.isfunction(function)
            assert has_text, f"{name}.{member} has no docstring"
            assert signature(function) == stub[member], member
        elif member == "__init__":
            assert signature(value.__init__) == stub["__init__"]


@pytest.mark.parametrize("name", sorted(written_in_python()))
def test_python_code_has_types_and_docstrings(name):
    def check(function, what):
        parameters = dict(inspect.signature(function).parameters)
        parameters.pop("self", None)
        untyped = [p for p, has in parameters.items() if has.annotation is inspect.Parameter.empty]
        assert not untyped, f"{what} has arguments without a type"
        assert inspect.signature(function).return_annotation is not inspect.Signature.empty, what

    value = written_in_python()[name]
    assert value.__doc__ and len(value.__doc__) > 20
    if inspect.isfunction(value):
        check(value, name)
        return
    for member, what in vars(value).items():
        if inspect.isfunction(what) and (member == "__init__" or not member.startswith("_")):
            check(what, f"{name}.{member}")
        elif isinstance(what, property):
            assert what.__doc__, f"{name}.{member} has no docstring"
            check(what.fget, f"{name}.{member}")


def test_added_methods_have_the_types_of_the_stub():
    """Annotations and defaults of methods that Python code adds to compiled classes."""
    added = {member: value for member, value in vars(ermine.Result).items()
             if inspect.isfunction(value) and not member.startswith("__")}
    assert {"convergence", "plot", "to_xarray", "_repr_html_"} == set(added)
    result = next(n for n in ast.parse(STUB.read_text()).body
                  if isinstance(n, ast.ClassDef) and n.name == "Result")
    stubs = {n.name: n for n in result.body if isinstance(n, ast.FunctionDef)}
    for name, value in added.items():
        given = list(inspect.signature(value).parameters.values())[1:]
        defaults = [p.default for p in given if p.default is not inspect.Parameter.empty]
        assert [ast.literal_eval(d) for d in stubs[name].args.defaults] == defaults, name
        assert ast.unparse(stubs[name].returns) == inspect.signature(value).return_annotation, name


def test_nothing_public_is_forgotten():
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
