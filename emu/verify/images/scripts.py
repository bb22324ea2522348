"""The calls of a scene that calls several routines: its script, and the results of the calls.

For example, with ``calls: [Clear, Push, Pop]`` a scene's script ["Clear", "Push", "Push"] becomes
[0, 1, 1], and an answer's ``return`` has one value for each of these three calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.yaml_document import did_you_mean
from emu.cases.case import Case
from emu.cases.keys.parts import Scene
from emu.verify.calls.call_sequence import NO_CALL, Routines
from emu.verify.images.attributes import attribute_of
from emu.verify.scenes.columns import ColumnItem


def script_of(case: Case, scene: Scene) -> NDArray[np.int64]:
    """The routines that a scene calls, as indices into the case's ``calls``, int64 of (calls,).

    Raises:
        CaseError: the scene has no script, or the script names a routine that is not in ``calls``.
    """
    who = f"a scene of {case.make} has"
    attribute = attribute_of(ColumnItem(scene), case.script, who, case.path)
    names = [call.routine for call in case.calls]
    calls = list(attribute) if isinstance(attribute, (Sequence, np.ndarray)) else [attribute]
    places = []
    for step, name in enumerate(calls):
        is_name = isinstance(name, str)
        is_place = isinstance(name, (int, np.integer)) and 0 <= name < len(names)
        if not (is_place or (is_name and name in names)):
            hint = did_you_mean(name, names) if is_name else ""
            what = f"{who} {case.script} with {str(name)!r} as call {step + 1}"
            problem = f"{what}, which is none of {', '.join(names)}{hint}"
            raise case.error("script:", problem)
        places.append(names.index(name) if is_name else int(name))
    return np.array(places, np.int64)


def results_of(
    results: Any,
    routine: int,
    plan: NDArray[np.int64],
    routines: Routines,
    case: Case,
) -> np.ma.MaskedArray:
    """The values that the calls of one routine should return, of an answer's values for all calls.

    Args:
        results: the attribute of the answer: one value for each call, None for a call that returns
            nothing.
        routine: the routine's index.
        plan: (calls,) the index of the routine of each call, from `CallSequence.plan`.
        routines: the routines.
        case: the case, for messages.

    Returns:
        An array with one value for each call, in which the calls of other routines are masked.

    Raises:
        CaseError: there are more or fewer values than calls; a call that returns something has
            None, or the other way round; or a value is no number.
    """
    numbers = plan[plan != NO_CALL]
    is_array = isinstance(results, (Sequence, np.ndarray)) and not isinstance(results, (str, bytes))
    values = list(results) if is_array else [results]
    who = f"{case.reference} gives"
    if len(values) != len(numbers):
        raise case.error("return", f"{who} {len(values)} results of {len(numbers)} calls")
    for step, (value, number) in enumerate(zip(values, numbers.tolist(), strict=True)):
        is_missing = value is None or value is np.ma.masked
        is_returned = routines.sites[number].result is not None
        if is_missing == is_returned:
            words = "no result" if is_missing else f"{value!r}"
            does = "returns something" if is_returned else "returns nothing"
            problem = f"{who} {words} of call {step + 1}, and {routines.names[number]} {does}"
            raise case.error("return", problem)
    own = numbers == routine
    data = np.array([value for value, is_own in zip(values, own, strict=True) if is_own] or [0])
    result = routines.sites[routine].result
    is_wide = result is not None and result.type.wide is not None
    if data.dtype.kind not in ("biufO" if is_wide else "biuf"):
        raise case.error(
            "return", f"{who} results of {routines.names[routine]} that are no numbers"
        )
    whole = np.zeros((len(numbers), *data.shape[1:]), data.dtype)
    whole[own] = data[: int(own.sum())]
    mask = np.ones(whole.shape, np.bool_)
    mask[own] = False
    return np.ma.MaskedArray(whole, mask)
