"""Facts: named values that tell what a call of a routine did.

======================= ==========================================================================
name                    what it is
======================= ==========================================================================
``compiles``            whether the sources compile
``fault``               why the call did not return: access, exception, budget, engine or crash;
                        "none" if it returned
``stored PLACE``        whether the routine stored into a place, see `posts.trials.locations`
``strays PLACE``        whether a pointer to an element of the case's arrays was stored there, or
                        the call ended in the attempt
``prints``              the lines that a hosted program writes
``pointer PLACE``       what the word there points at, such as "gObjects[0]", "null" or "nothing"
``gReports.self[0]``    an observed or filled-in value; without an index the whole array, of which
                        a list in a findings file gives the beginning
any other word          a value that the step's judge computes from the observations
======================= ==========================================================================

With several scenes a fact has one value a scene. A findings file then gives a list with one item
a scene, or a single value that must be that of every scene.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.functions import call
from macproof import UsageError
from posts.findings.model import Facts, StepSide
from posts.trials.locations import check_location
from posts.trials.trial import Setup, TrialOutcome

COMPILES, FAULT, PRINTS = "compiles", "fault", "prints"
STORED, POINTER, STRAYS = "stored ", "pointer ", "strays "
_VARIABLE = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)((?:\[[0-9]+\])*)")


def check_fact_name(name: str) -> None:
    """Check the form of a fact's name.

    Raises:
        UsageError: it names a place, and the place is malformed.
    """
    for kind in (STORED, POINTER, STRAYS):
        if name.startswith(kind):
            check_location(name.removeprefix(kind))


def wanted_of(setup: Setup, *several: Facts, variables: bool = True) -> Setup:
    """Add to a setup everything that must be observed for its facts.

    ``variables`` says whether that includes variables that the case does not observe.
    """
    names = list(dict.fromkeys(name for facts in several for name in facts))
    matches = [match for match in map(_VARIABLE.fullmatch, names) if match]
    return dataclasses.replace(
        setup,
        watch=tuple(name.removeprefix(STORED) for name in names if name.startswith(STORED)),
        read=tuple(n.partition(" ")[2] for n in names if n.startswith((POINTER, STRAYS))),
        also=tuple(match[1] for match in matches if variables and "." not in match[1]),
    )


def gather(
    side: StepSide, facts: Facts, outcomes: Sequence[TrialOutcome], judges: Judges
) -> dict[str, Any]:
    """Look up the values of facts in what calls left behind.

    Where a fact gives a list that is shorter than the array, only that beginning is looked up.

    Raises:
        UsageError: there is no value of such a name, or the judge refuses the observations.
    """
    judged = judges.judge(side, outcomes)
    gathered = {}
    for name, wanted in facts.items():
        if name in judged:
            gathered[name] = _plain(judged[name])
        elif name == COMPILES:
            gathered[name] = True
        elif len(outcomes) == 1:
            gathered[name] = _one(name, wanted, outcomes[0])
        else:
            each = wanted if isinstance(wanted, list) else [wanted] * len(outcomes)
            if len(each) != len(outcomes):
                raise UsageError(f"{name} has {len(each)} values for {len(outcomes)} scenes")
            values = [_one(name, w, o) for w, o in zip(each, outcomes, strict=True)]
            same = not isinstance(wanted, list) and all(v == values[0] for v in values)
            gathered[name] = values[0] if same else values
    return gathered


def _one(name: str, wanted: Any, outcome: TrialOutcome) -> Any:
    if name == FAULT:
        return "crash" if outcome.crash else outcome.fault.kind if outcome.fault else "none"
    if name.startswith(STORED):
        return outcome.stored.get(name.removeprefix(STORED))
    if name.startswith(POINTER):
        return outcome.pointers.get(name.removeprefix(POINTER))
    if name.startswith(STRAYS):
        target = outcome.pointers.get(name.removeprefix(STRAYS), "")
        return "[" in target or target == FAULT
    match = _VARIABLE.fullmatch(name)
    if match is None or (match[1] not in outcome.values and not outcome.crash):
        names = ", ".join(outcome.values)
        raise UsageError(f"no value is called {name}; there are {names}")
    if outcome.crash:
        return None
    value = np.asarray(outcome.values[match[1]])
    for index in re.findall(r"[0-9]+", match[2]):
        if value.ndim == 0 or int(index) >= len(value):
            raise UsageError(f"{name} is beyond the end of {match[1]}")
        value = value[int(index)]
    return _plain(_beginning(value, wanted))


def _beginning(value: NDArray[Any], wanted: Any) -> NDArray[Any]:
    """The beginning of an array that is as long as a list, in each dimension."""
    if not isinstance(wanted, list):
        return value
    part = value[: len(wanted)]
    if wanted and isinstance(wanted[0], list) and part.ndim > 1:
        part = part[:, : len(wanted[0])]
    return np.asarray(part)


class Judges:
    """Calls the judges of findings files, each only once on the same observations."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, bytes], Mapping[str, Any]] = {}

    def judge(self, side: StepSide, outcomes: Sequence[TrialOutcome]) -> Mapping[str, Any]:
        """The facts that a side's judge computes from what was observed; none if a call failed.

        Raises:
            UsageError: the judge refuses, or the array it is to be given was not observed.
        """
        if not side.judge or any(outcome.crash or outcome.fault for outcome in outcomes):
            return {}
        if not side.of:
            return self._call(side, list(side.scenes), [dict(o.values) for o in outcomes])
        names = outcomes[0].values
        if side.of not in names:
            raise UsageError(
                f"there is no {side.of} to give to the judge; there are {', '.join(names)}"
            )
        joined = np.concatenate([outcome.values[side.of] for outcome in outcomes])
        # Processors on which the routine did the same left equal observations: judge those once.
        digest = hashlib.sha256(np.ascontiguousarray(joined).tobytes()).digest()
        key = (side.judge, str(joined.shape), digest)
        if key not in self._known:
            self._known[key] = self._call(side, joined)
        return self._known[key]

    def _call(self, side: StepSide, *arguments: Any) -> Mapping[str, Any]:
        judged = call(side.judge, None, *arguments)
        if dataclasses.is_dataclass(judged) and not isinstance(judged, type):
            return {f.name: getattr(judged, f.name) for f in dataclasses.fields(judged)}
        if not isinstance(judged, Mapping):
            raise UsageError(f"{side.judge} gives {type(judged).__name__}, not facts by name")
        return judged


def _plain(value: Any) -> Any:
    """A value as plain Python: numbers, strings, booleans, and lists of them."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, tuple | list | frozenset | set):
        items = sorted(value) if isinstance(value, frozenset | set) else value
        return [_plain(item) for item in items]
    return value
