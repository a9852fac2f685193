"""Templates of the sentences of arguments, for Python and JavaScript.

``page/static/engine/templates.js`` has the same ones; ``pytest --update tests/why/test_templates.py`` writes it.
Words that both languages choose alike stand in braces: names of cells and numbers, amounts, verbs.
"""

from string import Formatter

from satsweep.sentence import Sentence

AMOUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
"""Words for small numbers."""

TEMPLATES = {
    # One number.
    "too many": "{number}{now} has {allowed}, at {places}.",
    "too few": "{number} {needs} and has {rest}.",
    "touches none": "{number} touches no mine, so {result}.",
    "has all": "{number} has {mines} already, at {places}, so {result}.",
    "needs all": "{number} {needs} and has only {cells} for {them}, so {result}.",
    # Two numbers.
    "inside": "{one} {has} among {shared}. {other} touches {these} too and {needs}, so {result}.",
    "shares few": "{other} {has}. It shares {shared} with {one}, which {only}, so {result}.",
    "shares many": (
        "{other} {has}, and it has only {cells} that {one} does not touch. So at least {mines} {are} among the cells "
        "they share, {shared}, which is all that {again} {wants}: {result}."
    ),
    # Numbers inside another one.
    "group": "{numbers} share no covered cell, and {outer} touches all that they have, {cells}. {end}",
    "group holds": "They hold {held} there, and {outer} {has}, so {result}.",
    "group holds too few": "They hold {held} there, and {outer} {has}, but has only {cells}.",
    "group needs": "They need {held} there, which is all that {outer} {wants}, so {result}.",
    "group needs too many": "They need {held} there, but {outer} {only}.",
    # Three or four in a line.
    "line": (
        "{line} show {rule}{reduced}. {two} {has}, and only one of them can be where {one} touches its cells: {mine} "
        "is a mine. That is all that {last} {wants}, so {result}."
    ),
    # The mine total.
    "total": "There {are} {mines} in all",
    "total left": "There {are} {mines} in all, and {left} {remain} left to find",
    "total passed": "{total}, but that would be {found}, at {places}.",
    "total too many": "{total}, but {rest} for {them}.",
    "total found": "{total}{found}, so {result}.",
    "total fills": "{total}{room}, so {result}.",
    "numbers need": "{total}. {need}, so outside of {their} cells there is no mine: {result}.",
    "numbers need too many": "{total}. {need}, which is too many.",
    "numbers hold": "{total}. The cells of {numbers} hold {held} of them, {others}{so}",
    "numbers leave": "{total}. So {safe} {are} safe. At most {most} of them are cells of {numbers}, {others}{so}",
    # Several numbers, and what they say together.
    "single points": "One after the other, single numbers say that {result}.",
    "clue set": "{clues} leave no other possibility: {result}.",
    "conflict": "{clues} cannot {be}.",
    # A change that makes a board possible.
    "other total": "a mine total of {instead} instead of {shown}",
    "other number": "{number} at {place} instead of the {shown}",
    "no mine": "no {mine} at {place}",
    "open mine": "a mine at {place} instead of {number}",
}
"""Sentences by their names."""
_PIECES = {name: [(text, key) for text, key, _, _ in Formatter().parse(form)] for name, form in TEMPLATES.items()}
"""Their texts, each with the key of the words after it; None after the last."""


def said(name: str, **words: str) -> Sentence:
    """The sentence of a template with its words.

    >>> said("touches none", number="The 0 at row 0, column 1", result="row 0, column 0 is safe")
    'The 0 at row 0, column 1 touches no mine, so row 0, column 0 is safe.'
    """
    return Sentence(*(piece for text, key in _PIECES[name] for piece in (text, words[key] if key else "")))
