"""Reads scripts for the collider from lines of words.

One step a line: ``create 0 wall``, ``create 0 demanding 1`` (with the code it answers),
``add 0 1`` (smartAdd with these arguments), ``add-all 0``, ``delete 0``, ``touch 0 1`` and
``collide``. ``create 0..49 other`` stands for one step for each of these critters.
``join 0..49 wall`` creates each of them, and adds its pairs with all others at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pyref.collider.collider_steps import (
    PRIORITIES,
    Kind,
    Operation,
    Script,
    Step,
    script_from_steps,
)

_KINDS = {kind.name.lower(): kind for kind in Kind}
_OPERATIONS = {
    "add": Operation.SMART_ADD,
    "add-all": Operation.SMART_ADD_ALL,
    "delete": Operation.DELETE,
    "touch": Operation.TOUCH,
    "collide": Operation.COLLIDE_STEP,
}


def script_from_lines(lines: Sequence[str]) -> Script:
    """Make the script of lines of words.

    Raises:
        ValueError: a line is not a step.
    """
    return script_from_steps([step for line in lines for step in _steps(line)])


def _steps(line: str) -> Iterator[Step]:
    word, *rest = line.split()
    if word in ("create", "join") and len(rest) >= 2 and rest[1] in _KINDS:
        kind = _KINDS[rest[1]]
        demand = int(rest[2]) if len(rest) > 2 else 0
        for number in _numbers(rest[0]):
            yield (Operation.CREATE, number, kind, demand, PRIORITIES[kind])
            if word == "join":
                yield (Operation.SMART_ADD_ALL, number, 0, 0, 0)
    elif word in _OPERATIONS and len(rest) <= 2:
        first, second = (*map(int, rest), 0, 0)[:2]
        yield (_OPERATIONS[word], first, second, 0, 0)
    else:
        raise ValueError(f"{line!r} is no step")


def _numbers(text: str) -> range:
    """Read one number, or a range such as "0..49"."""
    first, _, last = text.partition("..")
    return range(int(first), int(last or first) + 1)
