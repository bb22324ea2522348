"""Times that were published for exact binaries, and what the cycle models predict of them.

Such a binary prints its own table of times, and its author published the table of a real Macintosh
beside it. So the same table comes from the same binary, on the clock of a cycle model. No number of
a model was set by these times. Two files hold what is known: ``published_programs.yaml`` names the
programs and where their tables lie, and ``published_times.yaml`` holds the figures.
"""

from __future__ import annotations

import functools
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emu.base.yaml_document import YamlDocument, check_against_schema, did_you_mean
from emu.cycles.models import MODELS
from emu.cycles.validation.decimals import DATE, DECIMAL, TEXT, decimal_at

_DATA = Path(__file__).parents[1] / "data"
PROGRAMS_FILE = _DATA / "published_programs.yaml"
TIMES_FILE = _DATA / "published_times.yaml"
NEAR = 0.1
"""How far from 1 a ratio is that counts as near."""

_WORDS = {"type": "array", "minItems": 1, "items": TEXT}
_PROGRAM = {
    "title": TEXT,
    "compiler": TEXT,
    "machine": TEXT,
    "cpu": {"enum": list(MODELS)},
    "megahertz": DECIMAL,
    "source": TEXT,
    "binary": TEXT,
    "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "table": TEXT,
    "prints_into": {"type": "string"},
    "columns": _WORDS,
    "named_by": _WORDS,
    "time": TEXT,
}


def _strict(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(properties),
        "additionalProperties": False,
        "properties": properties,
    }


def _named(values: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "minProperties": 1, "additionalProperties": values}


_PROGRAMS_SCHEMA = _strict({"title": TEXT, "programs": _named(_strict(_PROGRAM))})
_TIME = _strict({"published": DECIMAL, "predicted": DECIMAL})
_TIMES_SCHEMA = _strict(
    {"title": TEXT, "measured": DATE, "version": TEXT, "programs": _named(_named(_TIME))}
)


@dataclass(frozen=True, slots=True)
class PublishedProgram:
    """A binary with a published table of its times, and how both are found in a collection.

    Attributes:
        key: its name in the files of figures.
        title: its name and version.
        compiler: the compiler that made it.
        machine: the Macintosh that the table is of.
        cpu: its processor's name in `emu.cycles.models.MODELS`.
        megahertz: its clock.
        source: where it was published.
        binary: the end of its path in the collection.
        sha256: the digest of its code; see `emu.timing.validation.program_times.code_digest`.
        table: the end of the path of the published table.
        prints_into: the file on its disk that it prints into; "" for its console.
        columns: the columns of the table; a line of the table has as many words.
        named_by: the columns that together name a line.
        time: the column with the time, in seconds.
    """

    key: str
    title: str
    compiler: str
    machine: str
    cpu: str
    megahertz: float
    source: str
    binary: str
    sha256: str
    table: str
    prints_into: str
    columns: tuple[str, ...]
    named_by: tuple[str, ...]
    time: str


@dataclass(frozen=True, slots=True)
class PublishedTime:
    """A published time, and what a model predicts.

    Attributes:
        name: what was timed.
        published: seconds on the real machine.
        predicted: seconds by the cycle model.
    """

    name: str
    published: float
    predicted: float

    @property
    def ratio(self) -> float:
        """Predicted speed over published speed; above 1, the model is too fast."""
        return self.published / self.predicted


@dataclass(frozen=True, slots=True)
class RatioSummary:
    """How far predictions are from what was published.

    Attributes:
        count: how many ratios there are.
        mean: their mean.
        deviation: their standard deviation; 0 for a single one.
        least: the smallest.
        most: the largest.
        near: how many are within `NEAR` of 1.
    """

    count: int
    mean: float
    deviation: float
    least: float
    most: float
    near: int


@dataclass(frozen=True, slots=True)
class PublishedTimes:
    """The times of some programs.

    Attributes:
        measured: the day on which they were predicted.
        version: the version of macproof that predicted them.
        times: those of each program, by its key.
    """

    measured: str
    version: str
    times: Mapping[str, tuple[PublishedTime, ...]]


def summary_of(times: Sequence[PublishedTime]) -> RatioSummary:
    """How far some predictions are from what was published.

    Raises:
        ValueError: there are none.
    """
    ratios = [time.ratio for time in times]
    if not ratios:
        raise ValueError("there are no times")
    return RatioSummary(
        len(ratios),
        statistics.fmean(ratios),
        statistics.stdev(ratios) if len(ratios) > 1 else 0.0,
        min(ratios),
        max(ratios),
        sum(abs(ratio - 1) <= NEAR for ratio in ratios),
    )


@functools.cache
def published_programs() -> Mapping[str, PublishedProgram]:
    """The programs that come with macproof, by their keys."""
    return load_programs(PROGRAMS_FILE)


@functools.cache
def published_times() -> PublishedTimes:
    """The figures that come with macproof."""
    return load_times(TIMES_FILE, published_programs())


def load_programs(path: Path) -> dict[str, PublishedProgram]:
    """Read a file of programs.

    Raises:
        CaseError: it cannot be read, or something in it is wrong, with the line.
    """
    document = YamlDocument(path, "a file of programs with published times")
    check_against_schema(document, _PROGRAMS_SCHEMA)
    programs = {}
    for key, entry in document.data["programs"].items():
        place = ("programs", key)
        for name in (*entry["named_by"], entry["time"]):
            if name not in entry["columns"]:
                close = did_you_mean(name, entry["columns"])
                raise document.error(place, f"{key}: there is no column {name}{close}")
        programs[key] = PublishedProgram(
            **{
                **entry,
                "key": key,
                "megahertz": decimal_at(document, (*place, "megahertz")),
                "columns": tuple(entry["columns"]),
                "named_by": tuple(entry["named_by"]),
            }
        )
    return programs


def load_times(path: Path, programs: Mapping[str, PublishedProgram]) -> PublishedTimes:
    """Read a file of times.

    Args:
        path: the file.
        programs: the programs that it may have times of.

    Raises:
        CaseError: it cannot be read, or something in it is wrong, with the line.
    """
    document = YamlDocument(path, "a file of published times")
    check_against_schema(document, _TIMES_SCHEMA)
    times = {}
    for key, entries in document.data["programs"].items():
        if key not in programs:
            raise document.error(
                ("programs", key), f"there is no program {key}{did_you_mean(key, programs)}"
            )
        times[key] = tuple(
            PublishedTime(
                name,
                decimal_at(document, ("programs", key, name, "published")),
                decimal_at(document, ("programs", key, name, "predicted")),
            )
            for name in entries
        )
    return PublishedTimes(document.data["measured"], document.data["version"], times)


def times_text(times: PublishedTimes) -> str:
    """The text of a file of times, as `load_times` reads it."""
    lines = [
        "# Seconds that were published, and seconds by the cycle models of macproof. Made by",
        "# macproof timing --published DIR --figures FILE; a comment or a number is not edited.",
        "title: Published times of exact binaries",
        f"measured: {times.measured}",
        f"version: {times.version}",
        "programs:",
    ]
    for key, of_program in times.times.items():
        lines.append(f"  {key}:")
        lines += [
            f"    {time.name}: {{published: {time.published:.4g}, predicted: {time.predicted:.4g}}}"
            for time in of_program
        ]
    return "\n".join(lines) + "\n"
