"""Runs one shard of a campaign. Worker processes do this."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.campaign.plan import CampaignPlan
from emu.cases.case import Case, KnownCase
from emu.cases.known_case import case_as_known
from emu.cases.programs.subject import Subject
from emu.verify.batches.benches import bench_for
from emu.verify.runs.odd_addresses import how_many_watched
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.program_runs import run_programs
from emu.verify.runs.verdicts import Result
from emu.verify.scenes.sample import USUAL, Sample
from emu.verify.scenes.scene_plan import chunks

# So many scenes of a campaign, reference and bulk reference are both asked about. What that shows
# follows from `USUAL`. As each is chosen by its hash alone, 76 more are meant: of 46,000 campaigns,
# fewer than `USUAL` come in one. A thousand took 5 of the 12 s of a campaign of 100,000 scenes.
_SAMPLE = USUAL + 76
# A chunk costs 2 ms around its scenes: with 500, and shards of 2,000 scenes, a scene took 76 us in
# place of 70 (four-shifts, two programs).
_CALLS_AT_ONCE = 1000
_KINDS = {"f": np.dtype(">f8"), "b": np.dtype(">i8"), "i": np.dtype(">i8"), "u": np.dtype(">u8")}
_BYTES_AT_ONCE = 16 << 20  # of the images that calls begin with; several times that is in use


@dataclass(frozen=True, slots=True)
class Shard:
    """What was found on the scenes of a shard.

    Attributes:
        number: its number, from 0.
        inputs: the digests of its scenes' input in guest memory, 8 bytes each, in ascending order;
            equal inputs have one digest.
        answers: the SHA-256 of what the reference says of its scenes, in their order.
        results: one result for each program, in the order of the programs. Their ``inputs`` are
            empty: they are kept once, here. Their ``answers`` are empty, and so are the digests
            of answers: there would be too many.
    """

    number: int
    inputs: bytes
    answers: bytes
    results: tuple[Result, ...]


def run_shard(
    plan: CampaignPlan, number: int, subjects: Sequence[Subject], call: int | None = None
) -> Shard:
    """Run programs on the scenes of a shard, each up to its first call that does not return.

    Args:
        plan: the plan.
        number: the number of the shard.
        subjects: the programs.
        call: the index of the only call that is made, to find out which one crashes. Without such a
            call, the shard has no inputs.

    Raises:
        CaseError: a file of the case was changed since the campaign began; or its scenes or its
            reference are not the same each time.
    """
    case = case_as_known(KnownCase(Path(plan.case), tuple(sorted(plan.files.items()))))
    totals = {subject: Result(subject) for subject in subjects}
    inputs: set[bytes] = set()
    answers: dict[int, list[bytes]] = {}
    specs, sample = plan.specs_of(case, number), Sample.about(_SAMPLE, plan.scenes)
    watched = Sample.about(how_many_watched(plan.scenes), plan.scenes)
    if call is not None:
        specs = specs[call : call + 1]
    most = _calls_at_once(case, subjects)
    for index, chunk in enumerate(chunks(specs, most, is_first=not number)):
        is_first = number == 0 and index == 0 and not call
        scenes = Scenes.make(case, chunk, sample=sample, is_first=is_first)
        inputs.update(scenes.inputs)
        answers.setdefault(chunk[0].objects, []).extend(answers_of(case, scenes))
        going_on = [
            subject for subject, total in totals.items() if not (total.fault or total.crash)
        ]
        for result in run_programs(
            case, going_on, scenes, is_first=is_first, watched=watched, run=number
        ):
            totals[result.subject] += replace(
                result,
                inputs=frozenset(),
                answers=(),
                notes_of_answers=result.notes_of_answers.without_digests(),
            )
    ordered = {size: iter(digests) for size, digests in answers.items()}  # as `chunks` keeps it
    said = hashlib.sha256(b"".join(next(ordered[spec.objects]) for spec in specs))
    return Shard(number, b"".join(sorted(inputs)), said.digest(), tuple(totals.values()))


def _calls_at_once(case: Case, subjects: Sequence[Subject]) -> int:
    """How many calls are prepared together: many, unless programs have much memory."""
    benches = [bench_for(case, subject) for subject in subjects]
    largest = max((len(bench.machine.pristine) for bench in benches), default=1)
    return min(_CALLS_AT_ONCE, max(1, _BYTES_AT_ONCE // largest))


def answers_of(case: Case, scenes: Scenes) -> Iterator[bytes]:
    """A digest of the values that the reference gives for each scene, whatever their dtypes."""
    names = list(dict.fromkeys(observed.attribute for observed in case.observed))
    together = [scenes.references.stacked(name) for name in names]
    stacked = [_canonical_rows(values) for values in together if values is not None]
    if len(stacked) == len(names):
        yield from (hashlib.sha256(row).digest() for row in np.concatenate(stacked, axis=1))
        return
    for answer in scenes.references:
        values = [_canonical(getattr(answer, name, None)) for name in names]
        yield hashlib.sha256(b"".join(values)).digest()


def _canonical(value: Any) -> bytes:
    if value is None or isinstance(value, (str, bytes, bytearray)):
        return repr(value).encode()
    if isinstance(value, np.ma.MaskedArray):
        array = np.asarray(value.filled(0))
        return _canonical_rows(array[np.newaxis], np.ma.getmaskarray(value)).tobytes()
    array = np.asarray(value)  # the same bytes, in a seventh of the time
    laid = array.astype(_KINDS[array.dtype.kind])
    return repr(array.shape).encode() + laid.tobytes() + bytes(array.size)


def _canonical_rows(
    values: NDArray[Any], mask: NDArray[np.bool_] | bool = False
) -> NDArray[np.uint8]:
    """The shape, the numbers and the mask of each row of an array; uint8 of shape (rows, bytes)."""
    rows = values.reshape(len(values), -1)
    shape = np.frombuffer(repr(values.shape[1:]).encode(), np.uint8)
    laid = rows.astype(_KINDS[values.dtype.kind]).view(np.uint8)
    masked = np.broadcast_to(np.ravel(mask), rows.shape).astype(np.uint8)
    return np.concatenate([np.broadcast_to(shape, (len(rows), len(shape))), laid, masked], axis=1)
