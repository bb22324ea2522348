"""What compilers of the time made of a source, beside the build `period` of the same source.

A *pair* is a program of 1993 to 1995 whose binary and source lie beside each other. Recorded calls
of its functions were made again on the old function and on the new one; `macproof port verify
--build period --cycles` counts and prices both. The file ``compiler_pairs.yaml`` has the figures of
each function and no code. The rule by which programs and functions were chosen stands in it.
"""

from __future__ import annotations

import functools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emu.base.yaml_document import YamlDocument, check_against_schema
from emu.cycles.models import MODELS
from emu.cycles.validation.decimals import DATE, DECIMAL, TEXT, decimal_at

PAIRS_FILE = Path(__file__).parents[1] / "data" / "compiler_pairs.yaml"

_COUNT = {"type": "integer", "minimum": 1}


def _strict(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(properties),
        "additionalProperties": False,
        "properties": properties,
    }


_FUNCTION = _strict({"calls": _COUNT, "old": DECIMAL, "new": DECIMAL})
_PAIR = _strict(
    {
        "program": TEXT,
        "compiler": TEXT,
        "cpu": {"enum": list(MODELS)},
        "source": TEXT,
        "functions": {"type": "object", "minProperties": 2, "additionalProperties": _FUNCTION},
    }
)
_SCHEMA = _strict(
    {
        "title": TEXT,
        "rule": TEXT,
        "missing": {"type": "array", "items": TEXT},
        "measured": DATE,
        "version": TEXT,
        "pairs": {"type": "array", "minItems": 1, "items": _PAIR},
    }
)


@dataclass(frozen=True, slots=True)
class PairedFunction:
    """A function as two compilers made it.

    Attributes:
        name: its name.
        calls: how many recorded calls were counted.
        old: cycles of a call as the old compiler made it, on average.
        new: cycles of a call of the build `period`.
    """

    name: str
    calls: int
    old: float
    new: float

    @property
    def ratio(self) -> float:
        """Cycles of the old function over those of `period`; above 1, the old one is slower."""
        return self.old / self.new


@dataclass(frozen=True, slots=True)
class CompilerPair:
    """A program and what its compiler made of its functions.

    Attributes:
        program: its name and version.
        compiler: the compiler that made it.
        cpu: the processor by whose model both are priced.
        source: where program and source were published.
        functions: its functions.
    """

    program: str
    compiler: str
    cpu: str
    source: str
    functions: tuple[PairedFunction, ...]

    @property
    def ratio(self) -> float:
        """The geometric mean of the ratios of its functions."""
        return statistics.geometric_mean(one.ratio for one in self.functions)

    @property
    def spread(self) -> float:
        """By what factor functions lie around the mean: the standard deviation of logarithms."""
        return math.exp(statistics.stdev(math.log(one.ratio) for one in self.functions))

    @property
    def per_call(self) -> tuple[float, float]:
        """The line ``old = slope * new + each`` that fits the functions best: slope, each.

        ``each`` are cycles for each call. The fit is one of least squares of relative errors, so
        that long functions do not decide alone.
        """
        # Divided by old: 1 = slope * (new / old) + each / old, two columns and a constant side.
        rows = [(one.new / one.old, 1 / one.old) for one in self.functions]
        aa = sum(a * a for a, _ in rows)
        ab = sum(a * b for a, b in rows)
        bb = sum(b * b for _, b in rows)
        a, b = sum(a for a, _ in rows), sum(b for _, b in rows)
        determinant = aa * bb - ab * ab
        if determinant <= 1e-12 * aa * bb:  # all functions are equally long
            return self.ratio, 0.0
        return (a * bb - b * ab) / determinant, (aa * b - ab * a) / determinant


@dataclass(frozen=True, slots=True)
class CompilerPairs:
    """The pairs that were measured.

    Attributes:
        rule: how programs and functions are chosen.
        missing: what the rule asks for and is not measured, a sentence each.
        measured: the day.
        version: the version of macproof that measured them.
        pairs: the pairs.
    """

    rule: str
    missing: tuple[str, ...]
    measured: str
    version: str
    pairs: tuple[CompilerPair, ...]


@dataclass(frozen=True, slots=True)
class CompilerFactor:
    """How much slower code of the time is than the build `period`.

    Attributes:
        cpu: the processor.
        programs: how many programs it rests on.
        functions: how many functions.
        mean: the geometric mean of the programs' ratios.
        between: by what factor programs lie around it; None if a single one tells nothing of that.
        within: by what factor functions lie around the mean of their program.
    """

    cpu: str
    programs: int
    functions: int
    mean: float
    between: float | None
    within: float

    @property
    def interval(self) -> float | None:
        """By what factor one routine lies around the mean, with two deviations of each kind.

        None if that is not known.
        """
        if self.between is None:
            return None
        both = math.hypot(math.log(self.between), math.log(self.within))
        return math.exp(2 * both)


def factor_of(pairs: Sequence[CompilerPair], cpu: str) -> CompilerFactor | None:
    """What pairs of one processor say together; None if there are none."""
    own = [pair for pair in pairs if pair.cpu == cpu]
    if not own:
        return None
    ratios = [math.log(pair.ratio) for pair in own]
    deviations = [
        math.log(one.ratio) - math.log(pair.ratio) for pair in own for one in pair.functions
    ]
    free = len(deviations) - len(own)
    return CompilerFactor(
        cpu,
        len(own),
        len(deviations),
        math.exp(statistics.fmean(ratios)),
        math.exp(statistics.stdev(ratios)) if len(ratios) > 1 else None,
        math.exp(math.sqrt(sum(d * d for d in deviations) / free)),
    )


@functools.cache
def compiler_pairs() -> CompilerPairs:
    """The pairs that come with macproof."""
    return load_pairs(PAIRS_FILE)


def load_pairs(path: Path) -> CompilerPairs:
    """Read a file of pairs.

    Raises:
        CaseError: it cannot be read, or something in it is wrong, with the line.
    """
    document = YamlDocument(path, "a file of compilers that were measured")
    check_against_schema(document, _SCHEMA)
    data = document.data
    pairs: list[CompilerPair] = []
    for index, entry in enumerate(data["pairs"]):
        place = ("pairs", index)
        key = (entry["program"], entry["compiler"], entry["cpu"])
        if key in [(one.program, one.compiler, one.cpu) for one in pairs]:
            raise document.error(place, f"there are two pairs {', '.join(key)}")
        functions = tuple(
            PairedFunction(
                name,
                function["calls"],
                decimal_at(document, (*place, "functions", name, "old")),
                decimal_at(document, (*place, "functions", name, "new")),
            )
            for name, function in entry["functions"].items()
        )
        pairs.append(CompilerPair(*key, entry["source"], functions))
    missing = tuple(data["missing"])
    return CompilerPairs(data["rule"], missing, data["measured"], data["version"], tuple(pairs))
