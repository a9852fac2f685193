"""Elements of SVG pictures, and the file of a picture."""

from xml.etree.ElementTree import Element, tostring


def element(tag: str, text: str = "", /, **attributes: object) -> Element:
    """An element of a picture.

    An underscore in the name of an attribute stands for a hyphen, one at its end for nothing; None leaves it out.

    >>> svg_text(element("text", "1 < 2", class_="clue", font_size=12, x=None)).strip()
    '<text class="clue" font-size="12">1 &lt; 2</text>'
    """
    made = Element(tag, {_name(key): str(value) for key, value in attributes.items() if value is not None})
    made.text, made.tail = text or None, "\n"
    return made


def add(parent: Element, tag: str, text: str = "", /, **attributes: object) -> Element:
    made = element(tag, text, **attributes)
    parent.append(made)
    return made


def svg_text(picture: Element) -> str:
    """A picture as text, one line an element."""
    return tostring(picture, "unicode")


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")
