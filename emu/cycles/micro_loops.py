"""Short loops timed on real processors, compared with the predictions of the cycle models.

No other figures of single instructions on real chips could be found. The loops check the models
where the manuals say nothing. A number of a model may have been set by one of them; such a loop is
marked as calibrated, and its agreement proves nothing.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emu.base.yaml_document import YamlDocument, check_against_schema, did_you_mean
from emu.cycles.base.model import KINDS, Code, CycleModel, Source
from emu.cycles.models import model_for

_FILE = Path(__file__).parent / "data" / "micro_loops.yaml"
_ADDRESS = 0x1000
_WARM, _MEASURED = 8, 8  # iterations to reach a steady state, and iterations that are averaged
_ITERATIONS_A_BOGOMIPS = 500_000
_DECIMAL = re.compile(r"[0-9]+\.[0-9]+")

_NUMBER = {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]}
_TEXT = {"type": "string", "minLength": 1}
_SCHEMA = {
    "type": "object",
    "required": ["title", "sources", "loops"],
    "additionalProperties": False,
    "properties": {
        "title": _TEXT,
        "sources": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "required": ["kind", "title"],
                "additionalProperties": False,
                "properties": {"kind": {"enum": list(KINDS)}, "title": _TEXT},
            },
        },
        "loops": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["name", "cpu", "megahertz", "text", "code", "published", "source"],
                "additionalProperties": False,
                "properties": {
                    "name": _TEXT,
                    "cpu": _TEXT,
                    "megahertz": _NUMBER,
                    "text": _TEXT,
                    "code": {"type": "string", "pattern": "^([0-9a-f]{4})+$"},
                    "behind": {"enum": [0, 2]},
                    "published": {
                        "type": "object",
                        "additionalProperties": False,
                        "properties": {
                            "ticks": _NUMBER,
                            "timer_hertz": _NUMBER,
                            "iterations": _NUMBER,
                            "bogomips_per_megahertz": _NUMBER,
                        },
                    },
                    "source": _TEXT,
                    "calibrated": _TEXT,
                    "memory": _TEXT,
                    "unexplained": _TEXT,
                },
            },
        },
    },
}


@dataclass(frozen=True, slots=True)
class MicroLoop:
    """A loop that was timed.

    Attributes:
        name: unique.
        cpu: the processor's name in `emu.cycles.models.MODELS`.
        text: the loop in assembly language.
        code: the instructions of one iteration; the last branches to the first.
        behind: how many bytes behind the beginning of a long word the loop lies.
        clocks: measured processor clocks of one iteration.
        arithmetic: how the clocks were calculated from the published figure.
        source: who measured.
        calibrated: which number of the model was set by this loop; "" if none was.
        memory: why the loop times memory and not the processor; "" if it times the processor.
        unexplained: what is not known about a loop that the model misses; "" if nothing is said.
    """

    name: str
    cpu: str
    text: str
    code: bytes
    behind: int
    clocks: float
    arithmetic: str
    source: Source
    calibrated: str
    memory: str
    unexplained: str

    @property
    def checks(self) -> bool:
        """Whether agreement with it says anything about a model whose caches always hit."""
        return not self.calibrated and not self.memory


@dataclass(frozen=True, slots=True)
class LoopCheck:
    """A loop with what a model predicts of it.

    Attributes:
        loop: the loop.
        predicted: clocks of one iteration by the model, in the steady state.
    """

    loop: MicroLoop
    predicted: float

    @property
    def ratio(self) -> float:
        """Predicted clocks divided by measured ones; below 1, the model is too fast."""
        return self.predicted / self.loop.clocks


@functools.cache
def micro_loops() -> tuple[MicroLoop, ...]:
    """The loops that come with macproof, in the order of their file."""
    return load(_FILE)


def check(
    loops: tuple[MicroLoop, ...] | None = None,
    model: Callable[[str], CycleModel] = model_for,
) -> tuple[LoopCheck, ...]:
    """Compare loops with the predictions of the models.

    Args:
        loops: by default `micro_loops`.
        model: gives the model of a processor.

    Raises:
        UsageError: there is no model of a processor.
        MacproofError: a model cannot decode a loop.
    """
    loops = micro_loops() if loops is None else loops
    return tuple(LoopCheck(loop, predict(loop, model(loop.cpu))) for loop in loops)


def predict(loop: MicroLoop, model: CycleModel) -> float:
    """Clocks of one iteration by a model, when the loop has been running for a while."""
    block: Code = model.decode(loop.code, _ADDRESS + loop.behind)
    prices = (sum(model.price(block * before, block)) for before in range(_WARM, _WARM + _MEASURED))
    return sum(prices) / _MEASURED


def load(path: Path) -> tuple[MicroLoop, ...]:
    """Read a file of loops.

    Raises:
        CaseError: it cannot be read, or something in it is wrong, with the line.
    """
    document = YamlDocument(path, "a file of timed loops")
    check_against_schema(document, _SCHEMA)
    sources = {
        key: Source(source["kind"], source["title"])
        for key, source in document.data["sources"].items()
    }
    loops = [_loop(document, index, sources) for index in range(len(document.data["loops"]))]
    for index, loop in enumerate(loops):
        if loop.name in (earlier.name for earlier in loops[:index]):
            raise document.error(("loops", index, "name"), f"there are two loops {loop.name}")
    return tuple(loops)


def _loop(document: YamlDocument, index: int, sources: Mapping[str, Source]) -> MicroLoop:
    entry: dict[str, Any] = document.data["loops"][index]
    if entry["source"] not in sources:
        raise document.error(
            ("loops", index, "source"),
            f"the source {entry['source']} is not known{did_you_mean(entry['source'], sources)}",
        )

    def number(*names: str) -> float:
        value: Any = entry
        for name in names:
            value = value[name]
        if isinstance(value, int) or _DECIMAL.fullmatch(value):
            positive = float(value)
            if positive > 0:
                return positive
        raise document.error(
            ("loops", index, *names), f"{names[-1]} is {value!r}, not a number above 0"
        )

    clocks, arithmetic = _clocks(document, index, number)
    return MicroLoop(
        name=entry["name"],
        cpu=entry["cpu"],
        text=entry["text"],
        code=bytes.fromhex(entry["code"]),
        behind=entry.get("behind", 0),
        clocks=clocks,
        arithmetic=f"{arithmetic} = {clocks:.2f} clocks",
        source=sources[entry["source"]],
        calibrated=entry.get("calibrated", ""),
        memory=entry.get("memory", ""),
        unexplained=entry.get("unexplained", ""),
    )


def _clocks(document: YamlDocument, index: int, number: Callable[..., float]) -> tuple[float, str]:
    """The clocks of an iteration, from what was published, and how they are computed.

    ``number`` reads a value of the loop by its keys.
    """
    published = set(document.data["loops"][index]["published"])
    megahertz = number("megahertz")
    if published == {"ticks", "timer_hertz", "iterations"}:
        ticks, hertz, iterations = (
            number("published", name) for name in ("ticks", "timer_hertz", "iterations")
        )
        clocks = ticks / hertz * megahertz * 1e6 / iterations
        arithmetic = (
            f"{ticks:g} ticks / {hertz:.0f} Hz x {megahertz:g} MHz / {iterations:g} iterations"
        )
    elif published == {"bogomips_per_megahertz"}:
        ratio = number("published", "bogomips_per_megahertz")
        clocks = 1e6 / (_ITERATIONS_A_BOGOMIPS * ratio)
        arithmetic = f"1,000,000 Hz / ({_ITERATIONS_A_BOGOMIPS:,} iterations x {ratio:g})"
    else:
        raise document.error(
            ("loops", index, "published"),
            "it gives neither ticks, timer_hertz and iterations, nor bogomips_per_megahertz",
        )
    return clocks, arithmetic
