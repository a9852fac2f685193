"""Plain English of the package: short first lines, plain sentences and words.

The rules are those of CONTRIBUTING.md; docs/glossary.md has the terms of the field.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import pytest

import satsweep
from tests import ROOT

PACKAGE = Path(satsweep.__file__).parent
FILES = sorted([*PACKAGE.rglob("*.py"), *(ROOT / "scripts").glob("*.py")])
LONGEST = 80
RIDDLE = re.compile(r"(Who|Whom|What|Whether|That|So|Whoever|Whatever)\b")
BANNED = re.compile(r"\b(so many|whoever|whosoever|nobody|somebody|anybody|whatever|how-manieth)\b", re.IGNORECASE)
SENTENCE = re.compile(r"(?<=[.:;])\s+|\n\s*\n")


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Docstrings with their lines, those below constants and fields among them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text is not None:
                yield node.body[0].lineno, text
            for before, after in zip(node.body, node.body[1:], strict=False):
                match before, after:
                    case ast.Assign() | ast.AnnAssign(), ast.Expr(ast.Constant(str(said))):
                        yield after.lineno, said.strip()


def complaints(source: str) -> list[str]:
    """Return the faults of docstrings and comments of a module, with line numbers."""
    found = []
    for line, text in docstrings(ast.parse(source)):
        first = text.splitlines()[0]
        if len(first) > LONGEST:
            found.append(f"{line}: a first line of {len(first)} characters")
        prose = re.sub(r"^\s*(>>>|\.\.\.).*$", "", text, flags=re.MULTILINE)
        found += [
            f"{line}: starts with {s.split()[0]}" for s in map(str.strip, SENTENCE.split(prose)) if RIDDLE.match(s)
        ]
        found += [f"{line}: {word}" for word in BANNED.findall(prose)]
    told = any(BANNED.search(line.partition("#")[2]) for line in source.splitlines())
    for token in tokenize.generate_tokens(io.StringIO(source).readline) if told else ():
        if token.type == tokenize.COMMENT:
            found += [f"{token.start[0]}: {word}" for word in BANNED.findall(token.string)]
    return found


def test_plain_english(subtests: pytest.Subtests) -> None:
    for path in FILES:
        with subtests.test(str(path.relative_to(ROOT))):
            assert complaints(path.read_text(encoding="utf-8")) == []


def test_the_test_sees_riddles() -> None:
    source = '"""What is so.\n\nSo many cells: nobody knows."""\nX = 1\n"""' + "x" * 81 + '"""\n# whoever asks\n'
    assert complaints(source) == [
        "1: starts with What", "1: starts with So", "1: So many", "1: nobody", "5: a first line of 81 characters",
        "6: whoever",
    ]  # fmt: skip


def sentences_of_code(path: Path) -> Iterator[str]:
    """String literals of several words in a module, but for docstrings."""
    if path.suffix == ".js":
        text = re.sub(r"^ *(//|/?\*).*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        text = re.sub(r"\$\{.*?\}", "", text)
        yield from (found for found in re.findall(r"[\"`]([^\"`\n]*)[\"`]", text) if " " in found)
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {text for _, text in docstrings(tree)}
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, str) and " " in value and cleandoc(value) not in told:
            yield value


def test_a_world_has_one_name() -> None:
    """Solutions on the page, for those who play; worlds everywhere else; a layout is where the mines really are."""
    page = [*(PACKAGE / "page" / "static").rglob("*.js"), *(PACKAGE / "page").glob("*.py")]
    assert [told for path in page for told in sentences_of_code(path) if re.search(r"\bworlds?\b", told)] == []
    other = [path for folder in ("cli", "render", "why", "analysis") for path in (PACKAGE / folder).rglob("*.py")]
    wrong = re.compile(r"\bsolutions?\b|\blayouts? (that )?agrees?\b", re.IGNORECASE)
    assert [told for path in other for told in sentences_of_code(path) if wrong.search(told)] == []
    doors = [
        PACKAGE / name for name in ("kernels/c/satsweep.c", "kernels/c/satsweep.h", "page/static/engine/engine.js")
    ]
    texts = [*doors, *(ROOT / "npm").glob("*.m[dj]*"), *(ROOT / "docs" / "guides").glob("*.md")]
    wrong = re.compile(r"\b(no|two|some|both) layouts? (of the mines )?(that )?(agree|differ)", re.IGNORECASE)
    assert [line for path in texts for line in path.read_text("utf-8").splitlines() if wrong.search(line)] == []
