"""Reference pages of the manual: exported names, commands, formats and schemas.

MkDocs calls ``on_config`` and ``on_files`` when it builds the manual; what they make is not kept. Exported names are
grouped by the headings of the stub, their text is their docstring (``mkdocstrings``). Commands and formats describe
themselves.
"""

import ast
import inspect
import json
import os
import re
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from notebooks import page_of

from satsweep.cli import COMMANDS, GROUPS, command_named

COPIED = {
    "benchmarks/README.md": "benchmarks.md",
    "examples/README.md": "examples.md",
    "CONTRIBUTING.md": "contributing.md",
    ".github/SECURITY.md": "security.md",
    ".github/SUPPORT.md": "support.md",
    ".github/CODE_OF_CONDUCT.md": "conduct.md",
    "CHANGELOG.md": "changelog.md",
    "docs/ladder/README.md": "guides/ladder.md",
}
"""Documents of the repository that are pages of the manual, too."""
SOURCES = {
    "satsweep/__init__.pyi": "reference/library/index.md",
    "satsweep/cli": "reference/commands/index.md",
    "satsweep/formats/registry.py": "reference/formats.md",
    "satsweep/formats/schemas": "reference/schemas.md",
}
"""Pages made from sources.

Links to the sources hold in a checkout, and lead to these pages in the manual.
"""
ROOT = Path(__file__).resolve().parent.parent


def pages() -> Iterator[tuple[str, str]]:
    """Names and texts of all pages."""
    yield "reference/library/index.md", _library_index()
    for topic in topics():
        yield topic.page, _library_page(topic)
    yield "reference/commands/index.md", _command_index()
    for name in COMMANDS:
        yield f"reference/commands/{name}.md", command_page(name)
    yield "reference/formats.md", _formats()
    yield "reference/schemas.md", _schemas()
    yield "reference/page-protocol.md", _page_protocol()
    for file, page in COPIED.items():
        yield page, _copied(file)
    for notebook in sorted(ROOT.glob("docs/notebooks/*.ipynb")):
        yield f"notebooks/{notebook.stem}.md", page_of(notebook)


_shown: dict[str, str] = {}
"""Files outside of docs that pages show, by their places in the manual."""


def _copied(file: str) -> str:
    """A document of the repository as a page."""
    return _linked(file, (ROOT / file).read_text(encoding="utf-8"))


def _linked(file: str, document: str) -> str:
    """A document with links that hold in the manual; sources are named only."""
    folder = (ROOT / file).parent
    depth = len(Path(COPIED.get(file, file.removeprefix("docs/"))).parts) - 1

    def link(found: re.Match[str]) -> str:
        text = found[1]
        place, _, anchor = found[2].partition("#")
        if re.match("[a-z]+:|$", place):
            return found[0]
        target = os.path.relpath((folder / place).resolve(), ROOT).replace(os.sep, "/")
        page = {**COPIED, **SOURCES}.get(target)
        if page is None and target.startswith("docs/"):
            page = re.sub(r"\.ipynb$", ".md", target.removeprefix("docs/"))
        elif target.startswith("benchmarks/results/") or target.endswith(".png"):
            page = target.removeprefix("benchmarks/")
            _shown[page] = target
        return f"[{text}]({'../' * depth}{page}{'#' * bool(anchor)}{anchor})" if page else text

    return re.sub(r"\[([^\]]*)\]\(([^)\s]*)\)", link, document)


class Topic(NamedTuple):
    """Page of the library, with the full names of all that it documents.

    They are exported under a heading of the stub, or returned, or else names of the folders of that heading.
    """

    title: str
    exported: list[str]
    returned: list[str]

    @property
    def page(self) -> str:
        return f"reference/library/{re.sub('[^a-z]+', '-', self.title.lower())}.md"


def topics() -> list[Topic]:
    """Pages of the library, as the stub of the package groups its names."""
    stub = files("satsweep").joinpath("__init__.pyi").read_text(encoding="utf-8")
    found: list[Topic] = []
    for title, folders, imports in re.findall(r"^# ([^:\n]+)(?:: (.+))?\n((?:.+\n)+)", stub, re.MULTILINE):
        if exported := _full_names("satsweep", imports):
            told = {*exported, *(name for topic in found for name in topic.returned)}
            returned = [name for folder in folders.split(", ") if folder for name in _names_of_folder(folder)]
            found.append(Topic(title, exported, [name for name in returned if name not in told]))
    return found


def _full_names(package: str, imports: str) -> list[str]:
    nodes = [node for node in ast.parse(imports).body if isinstance(node, ast.ImportFrom) and node.module]
    return [f"{package}.{node.module}.{alias.name}" for node in nodes for alias in node.names]


def _names_of_folder(folder: str) -> list[str]:
    """Names of a folder: those of its stub, or those that it imports."""
    root = files("satsweep").joinpath(folder)
    stub = root.joinpath("__init__.pyi")
    if stub.is_file():
        return _full_names(f"satsweep.{folder}", stub.read_text(encoding="utf-8"))
    package = import_module(f"satsweep.{folder}")
    return [f"{getattr(package, name).__module__}.{name}" for name in package.__all__]


def _library_index() -> str:
    rows = [
        f"| [{topic.title}]({Path(topic.page).name}) | {', '.join(f'`{_last(name)}`' for name in topic.exported)} |"
        for topic in topics()
    ]
    head = "Everything that `import satsweep` offers. Each name is imported when it is first used."
    return "\n".join(["# Library", "", head, "", "| page | names |", "|---|---|", *rows, ""])


def _library_page(topic: Topic) -> str:
    lines = [f"# {topic.title}", "", *(f"::: {name}\n" for name in topic.exported)]
    if topic.returned:
        lines += ["---", "", "What these return, and more that their folders have:", ""]
        lines += [f"::: {name}\n    options: {{ show_root_full_path: true }}\n" for name in topic.returned]
    return "\n".join(lines)


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _command_index() -> str:
    lines = ["# Commands", "", "`satsweep COMMAND --help` prints these pages, too."]
    for title, commands in GROUPS.items():
        lines += ["", f"## {title}", "", "| command | what it does |", "|---|---|"]
        lines += [f"| [`{name}`]({name}.md) | {_cell(line)} |" for name, (_, line) in commands.items()]
    return "\n".join([*lines, ""])


def command_page(name: str) -> str:
    """Page of a command: its help, arguments and options."""
    command = command_named(name)
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option" and not one.hidden]
    usage = " ".join(["satsweep", name, "[OPTIONS]", *(_metavar(one) for one in arguments)])
    lines = [f"# satsweep {name}", "", f"    {usage}", "", str(command.help)]
    if arguments:
        lines += ["", "| argument | meaning |", "|---|---|"]
        lines += [f"| `{_metavar(one)}` | {_cell(one.help)} |" for one in arguments]
    panels: dict[str, list[Any]] = {}
    for option in options:
        panels.setdefault(getattr(option, "rich_help_panel", None) or "Options", []).append(option)
    for panel, own in panels.items():
        lines += ["", f"## {panel}", "", "| option | meaning |", "|---|---|"]
        lines += [f"| {_option(one)} | {_cell(one.help)} |" for one in own]
    return "\n".join([*lines, ""])


def _metavar(parameter: Any) -> str:
    name = parameter.metavar or parameter.name.upper()
    return name if parameter.required else f"[{name.strip('[]')}]"


def _option(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    if option.is_flag:
        return names
    choices = getattr(option.type, "choices", None)
    value = option.metavar or ("|".join(map(str, choices)) if choices else option.type.name.upper())
    return f"{names} `{value.strip('<>')}`"


def _cell(text: str | None) -> str:
    """Text as a cell of a table: a stroke in code separates no cells."""
    parts = " ".join((text or "").split()).split("`")
    return "`".join(part if place % 2 else part.replace("|", "\\|") for place, part in enumerate(parts))


def _formats() -> str:
    from satsweep.formats import BINARY_FORMATS, FORMATS

    every: dict[str, Any] = {**FORMATS, **BINARY_FORMATS}
    lines = [
        "# File formats",
        "",
        "Every command that reads a file finds its format by itself; `--input-format` names one. `satsweep convert` "
        "writes any of them from any other that has the same contents.",
        "",
        "| name | format |",
        "|---|---|",
        *(f"| `{name}` | {_cell(form.summary)} |" for name, form in every.items()),
        "",
    ]
    return "\n".join(lines)


def _schemas() -> str:
    lines = ["# Schemas", "", "JSON Schemas of what satsweep writes; `satsweep schema NAME` prints one.", ""]
    for file in sorted(files("satsweep.formats").joinpath("schemas").iterdir(), key=lambda one: one.name):
        name = file.name.partition(".")[0]
        schema = json.loads(file.read_text(encoding="utf-8"))
        title = re.sub(r"\s+", " ", schema.get("title", name))
        lines += [f"## {name}", "", f"{title}. {schema.get('description', '')}", ""]
        lines += [
            '??? note "The schema"\n\n    ```json',
            *(f"    {line}" for line in json.dumps(schema, indent=2).split("\n")),
        ]
        lines += ["    ```", ""]
    return "\n".join(lines)


def _page_protocol() -> str:
    """The WebSocket protocol of the page: its messages and questions."""
    from satsweep.page import answers, questions

    text = (questions.__doc__ or "").partition("\n")[2].strip()
    lines = ["# The protocol of the page", "", "`satsweep serve` speaks it on the WebSocket `/ws`.", "", text]
    for name, (answer, ways) in answers.ANSWERS.items():
        lines += ["", f"## {name}", "", inspect.cleandoc(answer.__doc__ or "").replace("``", "`")]
        for number, way in enumerate(ways):
            kinds = (("required", way.needed), ("optional", way.optional))
            told = [f"{kind}: {', '.join(f'`{field}`' for field in fields)}" for kind, fields in kinds if fields]
            if told:
                lines += ["", f"{'Or fields' if number else 'Fields'}, {'; '.join(told)}."]
    return "\n".join([*lines, ""])


def on_config(config: Any) -> Any:
    """Add the pages of the library and of each command to the navigation."""
    reference = next(part["Reference"] for part in config.nav if "Reference" in part)
    made = {
        "Library": {topic.title: topic.page for topic in topics()},
        "Commands": {name: f"reference/commands/{name}.md" for name in COMMANDS},
    }
    for title, pages in made.items():
        part = next(part for part in reference if title in part)
        part[title] = [f"reference/{title.lower()}/index.md", *({name: page} for name, page in pages.items())]
    return config


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The text of a page, with the strokes in the code of its tables as they are."""
    rows = (line if line[:1] != "|" else re.sub("`[^`]*`", _unescaped, line) for line in markdown.split("\n"))
    return "\n".join(rows)


def _unescaped(code: re.Match[str]) -> str:
    return code[0].replace("\\|", "|")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages to those in docs, and the files outside of docs that pages show."""
    from mkdocs.structure.files import File

    made = dict(pages())
    for page in ROOT.glob("docs/**/*.md"):
        place = page.relative_to(ROOT / "docs").as_posix()
        if f"docs/{place}" not in COPIED:
            made[place] = _linked(f"docs/{place}", page.read_text(encoding="utf-8"))
    for place, text in made.items():
        if (old := files.get_file_from_path(place)) is not None:
            files.remove(old)
        files.append(File.generated(config, place, content=text))
    for place, source in sorted(_shown.items()):
        files.append(File.generated(config, place, abs_src_path=str(ROOT / source)))
    return files
