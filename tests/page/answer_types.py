"""Types of answers: as those of TypeScript, and a check that a value has one.

``answers.d.ts`` is made from ``values`` and ``game_values`` of ``satsweep/page``: a TypedDict becomes an interface (its
name lacks ``Values``), a sequence an array, and the texts below fields become comments.
"""

import ast
import inspect
import re
import types
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from satsweep.board import Cell
from satsweep.page import game_values, values

HEAD = """\
// Types of answers, of Python and of the engine in the browser (answers.js), for the checker of the page's modules.
// Nothing loads this. Made from values.py and game_values.py; tests/page/test_answer_types.py says how.

/** Row and column, from 0. */
type Cell = [row: number, col: number];
"""
CELLS = re.compile(r"\b[Rr]ows? -?\d|(?<![\d.,])\d{1,4},\d{1,2}(?![\d.,]*\d)")
"""Cells in words: row 3, column 7, or 3,7, which are parts of a sentence."""
PLAIN = {"str": "string", "int": "number", "float": "number", "bool": "boolean", "object": "unknown", "None": "null"}


def typescript() -> str:
    """The text of ``answers.d.ts``."""
    found = [HEAD]
    bodies = [ast.parse(inspect.getsource(module)).body for module in (values, game_values)]
    for node, remark in chain.from_iterable(map(_with_remarks, bodies)):
        match node:
            case ast.ClassDef():
                found.append("\n".join(_interface(node)))
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(args=[_, ast.Dict(keys=keys, values=own)])):
                fields = [f"  {_text(key)}: {_type(value)};" for key, value in zip(keys, own, strict=True) if key]
                found.append("\n".join([_comment(remark), f"interface {_name(name)} {{", *fields, "}\n"]))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.append(f"{_comment(remark)}\ntype {name} = {_type(value)};\n")
    return "\n".join(found)


def _with_remarks(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.stmt, str]]:
    """Statements with the texts below them."""
    for node, after in zip(body, [*body[1:], None], strict=True):
        yield node, _text(after.value) if isinstance(after, ast.Expr) else ""


def _text(node: ast.expr) -> str:
    value = ast.literal_eval(node)
    return value if isinstance(value, str) and value.isidentifier() or " " in str(value) else f'"{value}"'


def _comment(text: str) -> str:
    return f"/** {' '.join(text.split())} */"


def _interface(node: ast.ClassDef) -> Iterator[str]:
    total = not any(word.arg == "total" for word in node.keywords)
    bases = [_name(base.id) for base in node.bases if isinstance(base, ast.Name) and base.id != "TypedDict"]
    yield _comment(ast.get_docstring(node) or "")
    yield f"interface {_name(node.name)}{' extends ' if bases else ''}{', '.join(bases)} {{"
    for field, remark in _with_remarks(node.body):
        if not isinstance(field, ast.AnnAssign):
            continue
        assert isinstance(field.target, ast.Name)
        kind, optional = field.annotation, "" if total else "?"
        if isinstance(kind, ast.Subscript) and ast.unparse(kind.value) == "NotRequired":
            kind, optional = kind.slice, "?"
        if remark:
            yield f"  {_comment(remark)}"
        yield f"  {field.target.id}{optional}: {_type(kind)};"
    yield "}\n"


def _type(node: ast.expr) -> str:
    match node:
        case ast.BinOp(left=left, right=right):
            return f"{_type(left)} | {_type(right)}"
        case ast.Subscript(value=ast.Name(id="Literal"), slice=own):
            literals = own.elts if isinstance(own, ast.Tuple) else [own]
            return " | ".join(f'"{ast.literal_eval(one)}"' for one in literals)
        case ast.Subscript(value=ast.Name(id="Sequence"), slice=own):
            return f"({_type(own)})[]" if isinstance(own, ast.BinOp) else f"{_type(own)}[]"
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=parts)):
            return f"[{', '.join(map(_type, parts))}]"
        case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=parts)):
            return f"Record<{', '.join(map(_type, parts))}>"
    name = ast.unparse(node)
    return PLAIN.get(name, _name(name))


def _name(name: str) -> str:
    return name.removesuffix("Values")


def misfit(value: Any, kind: Any, place: str = "answer") -> str | None:
    """Where a value is not of a type, None if it is."""
    if get_origin(kind) is NotRequired:
        return misfit(value, get_args(kind)[0], place)
    if kind == values.Sentence and (named := [part for part in value if isinstance(part, str) and CELLS.search(part)]):
        return f"{place}: expected cells as parts of the sentence, found {named[0]!r}"
    if get_origin(kind) in (Union, types.UnionType):
        wrong = [misfit(value, one, place) for one in get_args(kind)]
        return None if None in wrong else " or ".join(filter(None, wrong))
    if is_typeddict(kind):
        if not isinstance(value, Mapping):
            return f"{place}: expected {kind.__name__}, found {value!r}"
        hints = get_type_hints(kind)
        if strange := (value.keys() - hints.keys()) | (kind.__required_keys__ - value.keys()):
            return f"{place}: {kind.__name__} and the value differ in {sorted(strange)}"
        return _first(misfit(own, hints[key], f"{place}.{key}") for key, own in value.items())
    if get_origin(kind) is Literal:
        return None if value in get_args(kind) else f"{place}: expected one of {get_args(kind)}, found {value!r}"
    if kind is Cell:
        kind = tuple[int, int]
    origin, parts = get_origin(kind), get_args(kind)
    if origin is tuple and isinstance(value, list | tuple) and len(value) == len(parts):
        return _first(misfit(own, part, f"{place}[]") for own, part in zip(value, parts, strict=True))
    if origin is Sequence and isinstance(value, list | tuple):
        return _first(misfit(own, parts[0], f"{place}[]") for own in value)
    if origin is dict and isinstance(value, Mapping):
        return _first(
            misfit(key, parts[0], f"{place}: a key") or misfit(own, parts[1], f"{place}.{key}")
            for key, own in value.items()
        )
    plain = (int, float) if kind is float else kind
    fits = origin is None and isinstance(value, plain) and (kind in (bool, object) or type(value) is not bool)
    return None if fits else f"{place}: expected {kind}, found {value!r}"


def _first(found: Iterator[str | None]) -> str | None:
    return next(filter(None, found), None)
