"""The HTML file of a review; ``tests/page/review/test_report.py`` shows it in a browser."""

import re

from satsweep.agents import agent_named
from satsweep.assessment.review import review
from satsweep.games.deal import random_layout
from satsweep.games.game import play
from satsweep.page import static_files
from satsweep.render.page_bundle import bundled, lean, page_file
from satsweep.render.review_page import review_page

MOST = 160_000
"""Characters of the file without its game."""


def test_every_import_and_export_is_joined() -> None:
    """Modules keep nothing that only modules have, and no name is imported that the other one lacks."""
    script = bundled("review/report.js")
    assert not re.search(r"^(import|export)\b|\bimport\(", script, re.MULTILINE)
    exported = dict(
        re.findall(r'^made\["([^"]+)"\] = \(\(\) => \{\n(?:.*\n)*?return \{ (.*) \};\n\}\)\(\);$', script, re.MULTILINE)
    )
    imported = re.findall(r'^const \{([^}]*)\} = made\["([^"]+)"\];$', script, re.MULTILINE)
    assert len(exported) > 20 and imported
    for names, module in imported:
        wanted = {name.partition(":")[0].strip() for name in names.split(",")} - {""}
        assert wanted <= set(exported[module].split(", ")), module
    assert page_file("review/view.js") == lean("view.js", static_files()["review/view.js"]).decode()


def test_the_file_is_small() -> None:
    page = review_page(review(play(random_layout(8, 8, 12, seed=1), agent_named("basic"))), "A game")
    assert len(page) - len(re.findall(r'id="game">(.*?)</script>', page, re.DOTALL)[0]) < MOST
