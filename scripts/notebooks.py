"""Notebooks as pages of the manual, with the outputs that they were saved with.

A page is Markdown: text as it is, code as code, and of an output its HTML or else its text. Nothing is run, and nothing
is loaded from elsewhere; ``tests/test_manual.py`` runs the notebooks and compares their texts.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def page_of(notebook: Path) -> str:
    """A notebook as Markdown."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    source = f"This page is a notebook, `docs/notebooks/{notebook.name}`: run it and change it."
    parts = [part for cell in cells for part in _parts(cell)]
    return "\n\n".join([parts[0], f"*{source}*", *parts[1:]]) + "\n"


def _parts(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield f"```python\n{source}\n```"
    for output in cell["outputs"]:
        html = "".join(output.get("data", {}).get("text/html", ""))
        if html:
            # A blank line would end the HTML.
            yield '<div class="output">' + re.sub(r"\n\s*\n", "\n", html).strip() + "</div>"
        else:
            text = "".join(output.get("text") or output.get("data", {}).get("text/plain", ""))
            yield f"```text\n{text.rstrip()}\n```"
