"""Says in sentences what full checks of memory found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from emu.checks.isa_model import NOTE
from emu.checks.memory import left_together
from emu.report.document import Points, Section
from emu.verify.report.report import ProgramResult

_TOLD, _REASONS_TOLD = 10, 3


def memory_sections(results: Sequence[ProgramResult]) -> Iterator[Section]:
    """A section about accesses to memory, if any were checked."""
    checked = [result for result in results if result.memory is not None]
    points = [f"{name}: {text}." for text, name in _merged(results)]
    if checked:
        points += _extent(checked)
        unchecked = [result.name for result in results if result.memory is None]
        if unchecked:
            points.append(f"Accesses of {', '.join(unchecked)} were not checked.")
    if points:
        yield Section("Memory", (Points(tuple(points)),))


def _extent(checked: Sequence[ProgramResult]) -> Iterator[str]:
    """How much stack was used, and in how many calls every access was checked."""
    deepest = max(checked, key=lambda result: result.memory.stack if result.memory else 0)
    if deepest.memory is not None and deepest.memory.stack:
        yield (
            f"The deepest stack was {deepest.memory.stack:,} bytes, on the {deepest.cpu} in build "
            f"{deepest.build}."
        )
    clause = left_clause(checked)
    if clause:
        left = left_together(one for r in checked if r.memory is not None for one in r.memory.left)
        whys = "; ".join(f"{one.why} ({one.calls:,})" for one in left[:_REASONS_TOLD])
        more = len(left) - _REASONS_TOLD
        whys += f"; and {more} more reasons" if more > 0 else ""
        yield f"{clause[0].upper()}{clause[1:]}, by the usual checks alone in the others: {whys}."


def left_clause(results: Iterable[ProgramResult]) -> str:
    """In how many calls every access was checked, of programs where that was done; "" if in all."""
    checked = [result for result in results if result.memory is not None]
    calls = sum(result.calls for result in checked)
    left = sum(result.memory.left_calls for result in checked if result.memory is not None)
    return (
        f"memory was checked on every access in {calls - left:,} of {calls:,} calls" if left else ""
    )


def _merged(results: Sequence[ProgramResult]) -> Iterator[tuple[str, str]]:
    """Each sentence once, with the programs that it is about."""
    names: dict[str, list[str]] = {}
    for result in results:
        for text in _sentences(result):
            names.setdefault(text, []).append(result.name)
    for text, programs in names.items():
        more = len(programs) - 3
        shown = ", ".join(programs[:3]) + (f" and {more} more" if more > 0 else "")
        yield text, shown


def _sentences(result: ProgramResult) -> Iterator[str]:
    if result.alignment is not None:
        for violation in result.alignment.violations[:_TOLD]:
            yield f"suppressed: {violation}" if violation.suppressed else str(violation)
    memory = result.memory
    if memory is None:
        return
    for violation in memory.violations[:_TOLD]:
        yield f"note: {violation}" if violation.weight == NOTE else str(violation)
    if len(memory.violations) > _TOLD:
        yield f"{len(memory.violations) - _TOLD} more mistakes with memory"
    for violation in memory.suppressed:
        yield f"suppressed: {violation}"
    if not memory.complete:
        yield "there were more mistakes with memory than could be noted"
    if memory.unchecked:
        yield (
            f"{memory.unchecked:,} {'scene' if memory.unchecked == 1 else 'scenes'} took so long "
            "that they were run again without these checks, so of their accesses nothing is known"
        )
    if memory.violations or (memory.left and memory.left_calls == result.calls):
        return
    if result.fault or result.undecided or result.violations:  # which may well be one with memory
        yield "no single access was seen to be a mistake with memory; what failed stands above"
    else:
        yield "no mistake with memory was seen"


def layout_sentences(odd: int, calls: int) -> Iterator[str]:
    """Before how many calls buffers of bytes began at odd addresses."""
    if odd:
        yield f"Buffers of bytes began at odd addresses in {odd:,} of {calls:,} calls."
