"""Python reference page: signatures from the stubs, texts from the docstrings of the built module."""

import ast
import importlib
import inspect
import re
import sys


def docstring(thing):
    """Without the signatures that pybind11 puts first; the constructor of a class has its own."""
    text = inspect.cleandoc(getattr(thing, "__doc__", None) or "")
    return re.sub(r"^\w+\([^\n]*\) -> [^\n]*\n*", "", text).strip()


def text_of(doc):
    return doc if not doc or doc.endswith((".", ":", "`", ")")) else doc + "."


def signature(function, name):
    arguments = ast.unparse(function.args)
    arguments = re.sub(r"(?<=\w|\])=(?=\S)", " = ", re.sub(r"^self(, )?", "", arguments))
    returned = "" if function.returns is None or name[0].isupper() else f" -> {ast.unparse(function.returns)}"
    line = f"{name}({arguments}){returned}"
    if len(line) > 90:
        parts = re.split(r", (?![^\[\]]*\])(?![^()]*\)(?!$))", arguments)
        line = f"{name}(\n    " + ",\n    ".join(parts) + f",\n){returned}"
    return line


def class_section(node, thing):
    out = [f"### {node.name}", text_of(docstring(thing))]
    properties = []
    for member in node.body:
        if isinstance(member, ast.AnnAssign):  # of a dataclass, with the text behind it
            meaning = ast.literal_eval(node.body[node.body.index(member) + 1].value).replace("\n", " ")
            properties.append(f"| `{member.target.id}` | `{ast.unparse(member.annotation)}` | {meaning} |")
        if not isinstance(member, ast.FunctionDef):
            continue
        decorators = [ast.unparse(decorator) for decorator in member.decorator_list]
        attribute = getattr(thing, member.name, None)
        if "property" in decorators:
            meaning = docstring(attribute).replace("\n", " ").replace("|", r"\|")
            properties.append(f"| `{member.name}` | `{ast.unparse(member.returns)}` | {meaning} |".replace("  ", " "))
        elif member.name == "__init__" and docstring(attribute):
            out += [f"```python\n{signature(member, node.name)}\n```", text_of(docstring(thing.__init__))]
        elif not member.name.startswith("_"):
            owner = f"{node.name}." if "staticmethod" in decorators else "."
            out += [f"```python\n{signature(member, owner + member.name)}\n```", text_of(docstring(attribute))]
    if properties:
        out.append("\n".join(["| property | type | |", "|---|---|---|", *(line.replace("_Field", "ndarray")
                                                                           for line in properties)]))
    return [part for part in out if part]


def page(stubs, folder):
    """`stubs`: those of the compiled module; beside them lie the modules in Python."""
    sys.path.insert(0, str(folder))
    module = importlib.import_module("ermine")
    nodes = ast.parse(stubs.read_text(encoding="utf-8")).body
    for source in sorted(stubs.parent.glob("_*.py")):
        nodes += [node for node in ast.parse(source.read_text(encoding="utf-8")).body
                  if getattr(node, "name", None) in module.__all__]
    classes = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    out = ["# Python module",
           "`import ermine`; how to install and use it is told in [howto/python.md](../howto/python.md), and "
           "`help(ermine)` shows the same as this page.",
           module.__doc__.strip(), "## Functions"]
    for node in functions:
        thing = getattr(module, node.name)
        out += [f"### {node.name}", f"```python\n{signature(node, node.name)}\n```", text_of(docstring(thing))]
    out.append("## Classes")
    for name, node in classes.items():
        out += class_section(node, getattr(module, name))
    text = "\n\n".join(part for part in out if part) + "\n"
    for short, meaning in (("_Field", "ndarray"), ("_Path", "str | PathLike"), ("_Overrides", "dict | Iterable[str] | None"),
                           ("_Face", "str"), ("_Axis", "str"), ("_Gas", "str"), ("_Component", "str"), ("_Quadrature", "str"),
                           ("_Listener", "Callable | None"), ("NDArray[np.float32]", "ndarray")):
        text = re.sub(rf"(?<![\w.]){re.escape(short)}(?!\w)", meaning, text)
    return text
