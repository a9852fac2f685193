"""Reference pages of the manual: exported names, commands, file formats and schemas.

MkDocs runs this script when it builds the manual (plug-in ``gen-files``); nothing that it makes is kept. Exported names
are grouped by ``TOPICS``, their text is their docstring (``mkdocstrings``). Commands and formats describe themselves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

TOPICS = {
    "boards": (
        "Boards and layouts",
        ["Board", "Cell", "Layout", "Topology", "Clues", "random_layout", "game_rng"],
    ),
    "analysis": (
        "Forced cells and risks",
        [
            "analyse",
            "Analysis",
            "risks",
            "find_world",
            "frontier",
            "Frontier",
            "frontier_graph",
            "Budget",
            "solve_statements",
            "Statement",
            "graph_statements",
            "NamedCellsAnalysis",
            "KernelWarning",
        ],
    ),
    "reasons": (
        "Reasons, conflicts and proofs",
        ["explain", "Explanation", "Undecided", "conflict", "Conflict", "Correction", "Certificate", "Trace"],
    ),
    "games": (
        "Games and agents",
        [
            "play",
            "Game",
            "Record",
            "Move",
            "MoveReason",
            "Action",
            "Outcome",
            "GameMeasures",
            "Rules",
            "Goal",
            "FirstClick",
            "STANDARD_RULES",
            "FIND_MINES_RULES",
            "Agent",
            "Deduction",
            "Guess",
            "Inference",
            "AGENTS",
            "agent_named",
            "animated_svg",
        ],
    ),
    "audits": ("Audits of agents", ["audit", "audit_games", "Audit", "Unsound"]),
    "boards-on-request": (
        "Boards on request",
        ["generate_boards", "BoardSpec", "GeneratedBoard", "GenerationMethod", "Difficulty"],
    ),
    "files": ("Files", ["read_board", "read_layout", "read_layouts", "read_record", "write_record", "FORMATS"]),
    "errors": (
        "Errors",
        ["SatsweepError", "BoardError", "Contradiction", "BudgetExceeded", "AgentError", "ImpossibleSpec"],
    ),
}
"""Pages of the library's reference: title and exported names."""


def pages() -> Iterator[tuple[str, str]]:
    """Names and texts of all pages."""
    yield "reference/library/index.md", _library_index()
    for page, (title, names) in TOPICS.items():
        yield f"reference/library/{page}.md", _library_page(title, names)
    yield "reference/commands/index.md", _command_index()
    for name in _commands():
        yield f"reference/commands/{name}.md", command_page(name)
    yield "reference/formats.md", _formats()
    yield "reference/schemas.md", _schemas()


def _homes() -> dict[str, str]:
    """Module of each exported name."""
    import ast

    stub = ast.parse(files("satsweep").joinpath("__init__.pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: f"satsweep.{node.module}" for node in imports for alias in node.names}


def _library_index() -> str:
    rows = [
        f"| [{title}]({page}.md) | {', '.join(f'`{name}`' for name in names)} |" for page, (title, names) in TOPICS.items()
    ]
    head = "Everything that `import satsweep` offers. Each name is imported when it is first used."
    return "\n".join(["# Library", "", head, "", "| page | names |", "|---|---|", *rows, ""])


def _library_page(title: str, names: list[str]) -> str:
    homes = _homes()
    return f"# {title}\n\n" + "\n".join(f"::: {homes[name]}.{name}\n" for name in names)


def _commands() -> dict[str, str]:
    """Group of each command, in the order of the help."""
    from satsweep.cli import GROUPS

    return {name: group for group, commands in GROUPS.items() for name in commands}


def _command(name: str) -> Any:
    import typer
    from typer.main import get_command

    from satsweep.cli import app

    group = get_command(app)
    return group.get_command(typer.Context(group), name)


def _command_index() -> str:
    lines = ["# Commands", "", "`satsweep COMMAND --help` prints these pages, too."]
    for name, group in _commands().items():
        if f"## {group}" not in lines:
            lines += ["", f"## {group}", "", "| command | what it does |", "|---|---|"]
        lines.append(f"| [`{name}`]({name}.md) | {_first_line(_command(name).help)} |")
    return "\n".join([*lines, ""])


def command_page(name: str) -> str:
    """Page of a command: its help, arguments and options."""
    command = _command(name)
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
    return f"{names} `{value}`".replace("|", "\\|")


def _cell(text: str | None) -> str:
    return " ".join((text or "").split()).replace("|", "\\|")


def _first_line(text: str | None) -> str:
    return _cell((text or "").partition("\n")[0])


def _formats() -> str:
    from satsweep.formats import BINARY_FORMATS, FORMATS

    lines = [
        "# File formats",
        "",
        "Every command that reads a file finds its format by itself; `--input-format` names one. `satsweep convert` "
        "writes any of them from any other that has the same contents.",
        "",
        "| name | format |",
        "|---|---|",
        *(f"| `{name}` | {_cell(form.summary)} |" for name, form in (*FORMATS.items(), *BINARY_FORMATS.items())),
        "",
    ]
    return "\n".join(lines)


def _schemas() -> str:
    lines = ["# Schemas", "", "JSON Schemas of what satsweep writes; `satsweep schema NAME` prints one.", ""]
    for file in sorted(files("satsweep").joinpath("schemas").iterdir(), key=lambda one: one.name):
        name = file.name.partition(".")[0]
        schema = json.loads(file.read_text(encoding="utf-8"))
        title = re.sub(r"\s+", " ", schema.get("title", name))
        lines += [f"## {name}", "", f"{title}. {schema.get('description', '')}", ""]
        lines += [f'??? note "The schema"\n\n    ```json', *(f"    {line}" for line in json.dumps(schema, indent=2).split("\n"))]
        lines += ["    ```", ""]
    return "\n".join(lines)


if __name__ == "<run_path>":  # MkDocs runs it by this name
    import mkdocs_gen_files

    for place, text in pages():
        with mkdocs_gen_files.open(place, "w") as page:
            page.write(text)
