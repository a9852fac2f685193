"""Docstrings as Markdown: doctests and literal blocks become code.

An extension of Griffe, with which ``mkdocstrings`` reads the package.
"""

import re
from typing import Any

import griffe

_DOCTEST = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)
_LITERAL = re.compile(r"::\n\n((?:(?: {4}.*)?\n)+)")


class DocstringBlocks(griffe.Extension):
    """Extension that puts doctests and literal blocks into fences."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """Return a docstring with doctests and literal blocks in fences.

    >>> print(fenced("It adds.\\n\\n>>> 1 + 1\\n2"))
    It adds.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    """
    text = _LITERAL.sub(
        lambda block: ":\n\n```text\n" + re.sub("^ {4}", "", block[1], flags=re.M).rstrip() + "\n```\n\n", text + "\n"
    )
    return _DOCTEST.sub(lambda block: f"```pycon\n{block[0]}\n```", text).rstrip("\n")
