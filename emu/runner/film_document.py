"""The film of a run as a part of its document: a frame for each picture, with what led to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from emu.report.document import Film, FilmFrame, Table
from emu.runner.film import FilmScene

_BEFORE = "The program starts"


def film_of(scenes: Sequence[FilmScene], findings: Sequence[str]) -> Film:
    """The film of a run.

    Args:
        scenes: what was done; those after which the screen had not changed share a frame.
        findings: the findings of the run, as sentences.
    """
    return Film(tuple(_frame(group, findings) for group in _groups(scenes)))


def _groups(scenes: Sequence[FilmScene]) -> Iterator[list[FilmScene]]:
    """Scenes that lead to one picture: each that changed the screen ends a group."""
    group: list[FilmScene] = []
    for scene in scenes:
        group.append(scene)
        if scene.picture:
            yield group
            group = []
    if group:
        yield group


def _frame(group: Sequence[FilmScene], findings: Sequence[str]) -> FilmFrame:
    calls: Counter[str] = Counter()
    for scene in group:
        calls.update(scene.calls)
    rows = tuple(
        (name, f"{times:,}") for name, times in sorted(calls.items(), key=lambda one: -one[1])
    )
    return FilmFrame(
        titles=tuple(map(_title, group)),
        note=f"{group[-1].microseconds / 1e6:.2f} s of its time",
        png=group[-1].picture,
        findings=tuple(findings[number] for scene in group for number in scene.findings),
        summary=f"{calls.total():,} Toolbox calls",
        table=Table(("routine", "calls"), rows),
    )


def _title(scene: FilmScene) -> str:
    if not scene.step:
        return _BEFORE
    return f"{scene.step}. {scene.words}" + ("" if scene.done else " - could not be done")
