"""The words of the page with their meanings, from the glossary.

python scripts/terms.py           write satsweep/page/static/words/terms.js
python scripts/terms.py --check   fail if it is not what the glossary says
"""

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
GLOSSARY = ROOT / "docs" / "glossary.md"
MODULE = ROOT / "satsweep" / "page" / "static" / "words" / "terms.js"
HEADING = "## Words on the page"
WIDTH = 120


def terms(glossary: str) -> dict[str, str]:
    """Words and meanings of the section about the page."""
    section = glossary.split(HEADING, 1)[1].split("\n## ", 1)[0]
    rows = [[part.strip() for part in line.strip("|").split("|")] for line in section.splitlines() if "|" in line]
    return {word: meaning for word, meaning, *_ in rows[2:]}


def module(found: dict[str, str]) -> str:
    """A module that exports the words, formatted as Biome formats it."""
    lines = ["// Words of the page and their meanings. Made by scripts/terms.py from docs/glossary.md; edit that.", ""]
    lines.append("export const TERMS = {")
    for word, meaning in found.items():
        key = word if re.fullmatch(r"[A-Za-z]\w*", word) else json.dumps(word)
        value = json.dumps(meaning, ensure_ascii=False)
        line = f"  {key}: {value},"
        lines += [line] if len(line) <= WIDTH else [f"  {key}:", f"    {value},"]
    return "\n".join([*lines, "};", ""])


def main() -> None:
    """Write the module, or compare it with the glossary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the module is out of date")
    arguments = parser.parse_args()
    made = module(terms(GLOSSARY.read_text(encoding="utf-8")))
    if not arguments.check:
        MODULE.write_text(made, encoding="utf-8")
    elif MODULE.read_text(encoding="utf-8") != made:
        sys.exit(f"{MODULE.relative_to(ROOT)} is not what the glossary says; run python scripts/terms.py")


if __name__ == "__main__":
    main()
