"""The page's modules and style sheets in one file, for reports.

Modules stand in the order of their imports, each a function that returns what it exports. The page's sources make
this simple: nothing imports in a circle, and each import and export is a statement of one form.
"""

import base64
import posixpath
import re
from functools import cache
from importlib.resources import files

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')
_EXPORT = re.compile(r"^export ((?:async )?function|class|const) ([\w$]+)", re.MULTILINE)
_COMMENTS = re.compile(
    rb"^ *(?://.*|/\*\*(?:(?!\*/)[^\x00])*\*/)\n|/\*\*(?:(?!\*/).)*\*/ ?|(?<=[;,{(\[]) // [^\"'`\n]*$", re.MULTILINE
)
"""Comments that have lines of their own, and types within a line."""
_SHEET_COMMENTS = re.compile(rb"^ */\*(?:(?!\*/)[^\x00])*\*/\n", re.MULTILINE)
_INDENTED = re.compile(rb"^ +", re.MULTILINE)
_PICTURE = re.compile(r'url\("(\.[^"]+\.svg)"\)')


def lean(name: str, content: bytes) -> bytes:
    """A file of the page without comments and indentation.

    A module in which a text goes over several lines keeps its indentation.
    """
    if name.endswith(".js"):
        content = _COMMENTS.sub(b"", content)
    elif name.endswith(".css"):
        content = _SHEET_COMMENTS.sub(b"", content)
    elif not name.endswith(".html"):
        return content
    return content if any(line.count(b"`") % 2 for line in content.splitlines()) else _INDENTED.sub(b"", content)


@cache
def page_file(name: str) -> str:
    """A file of the page, without comments."""
    return lean(name, files("satsweep").joinpath("page", "static", *name.split("/")).read_bytes()).decode()


@cache
def bundled(entry: str) -> str:
    """One module made of a module and all that it imports, also later on."""
    made: dict[str, str] = {}

    def add(name: str) -> None:
        text = page_file(name)
        for used in [used for _, used in _IMPORT.findall(text)] + _LATER.findall(text):
            if _beside(name, used) not in made:
                add(_beside(name, used))
        exported = ", ".join(exported for _, exported in _EXPORT.findall(text))
        text = _IMPORT.sub(lambda one: f"const {{{one[1].replace(' as ', ': ')}}} = {_made(name, one[2])};", text)
        text = _LATER.sub(lambda one: _made(name, one[1]), text)
        text = _EXPORT.sub(r"\1 \2", text)
        made[name] = text if name == entry else f'made["{name}"] = (() => {{\n{text}return {{ {exported} }};\n}})();\n'

    add(entry)
    return "".join(["const made = {};\n", *made.values()])


def _beside(name: str, used: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), used))


def _made(name: str, used: str) -> str:
    return f'made["{_beside(name, used)}"]'


@cache
def bundled_sheets(*names: str) -> str:
    """Style sheets with their pictures."""

    def with_pictures(name: str) -> str:
        def picture(found: re.Match[str]) -> str:
            content = base64.b64encode(page_file(_beside(name, found[1])).encode()).decode()
            return f'url("data:image/svg+xml;base64,{content}")'

        return _PICTURE.sub(picture, page_file(name))

    return "".join(map(with_pictures, names))
