"""The table of the page's keys, in Node."""

import re

import pytest

from tests.page.node import node


def test_keys_have_one_table() -> None:
    """No key has two meanings in a view, and letters can be switched off."""
    acts, on, off = node("""
        globalThis.localStorage = { kept: {}, getItem(name) { return this.kept[name] ?? null; } };
        const { KEYS, actOf } = await import("./basics/keys.js");
        const all = KEYS.flatMap(({ views = [], acts = {} }) =>
            views.flatMap((view) => Object.keys(acts).map((key) => [view, key])));
        const found = () => all.map(([view, key]) => actOf(view, { key: key.toUpperCase() }));
        const on = found();
        localStorage.kept["satsweep-settings-letters"] = "no";
        console.log(JSON.stringify([all, on, found()]));
    """)
    assert len(acts) == len({tuple(one) for one in acts}) and None not in on
    letters = [re.fullmatch("[a-z]", key) is not None for _, key in acts]
    assert sum(letters) == 5 and [act is None for act in off] == letters


@pytest.mark.parametrize("held", ["ctrlKey", "altKey", "metaKey"])
def test_keys_of_the_browser_are_left_to_it(held: str) -> None:
    code = 'const { actOf } = await import("./basics/keys.js"); const key = "h";'
    acts = f'[actOf("play", {{ key }}), actOf("play", {{ key, {held}: true }})]'
    assert node(f"{code} console.log(JSON.stringify({acts}))") == ["hint", None]
