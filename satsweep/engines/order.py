"""In which order to eliminate groups: this decides everything about the cost."""

from __future__ import annotations

from satsweep.components import Component


def elimination_order(component: Component) -> tuple[int, ...]:
    """Every group once, such that few constraints are open at a time.

    Constraints are closed one after the other; the next is the one that opens the fewest others.
    """
    scopes = [constraint.groups for constraint in component.constraints]
    speakers: list[list[int]] = [[] for _ in component.sizes]
    for number, scope in enumerate(scopes):
        for group in scope:
            speakers[group].append(number)
    order: list[int] = []
    placed = [False] * len(component.sizes)
    open_: set[int] = set()
    left = set(range(len(scopes)))
    while left:

        def cost(number):
            new = {o for group in scopes[number] if not placed[group] for o in speakers[group]} - open_
            return len(new), sum(not placed[g] for g in scopes[number])

        number = min(open_ or left, key=cost)
        groups = [g for g in scopes[number] if not placed[g]]
        groups.sort(key=lambda g: len(set(speakers[g]) - open_))
        for g in groups:
            placed[g] = True
            order.append(g)
            open_.update(speakers[g])
        done = [c for c in open_ if all(placed[g] for g in scopes[c])]
        open_.difference_update(done)
        left.difference_update(done)
    order.extend(group for group in range(len(placed)) if not placed[group])
    return tuple(order)
