"""Published speeds predicted by compilers that were measured on other programs."""

from __future__ import annotations

import dataclasses
import math

import pytest

from emu.cases.find import load_case
from emu.cases.keys.parts import Figures
from emu.cycles.validation.compiler_pairs import CompilerPair, PairedFunction, compiler_pairs
from emu.report.document import Table
from posts.timing.comparison import against, chosen_build
from posts.timing.compilers import prediction as by_compilers
from posts.timing.compilers.prediction import CompilerPrediction, predict_by_compilers
from posts.timing.compilers.sections import NOTE, sections
from tests.timing.conftest import make_prediction

FIGURES = {one.cpu: one for one in load_case("four-shifts").timing.figures}
BIAS_68040 = 1.06
"""How much faster the model is than a Quadra 950 (docs/validation.md)."""


def pair(cpu: str, *ratios: float, program: str = "Game") -> CompilerPair:
    functions = (PairedFunction(str(n), 1, 100 * ratio, 100) for n, ratio in enumerate(ratios))
    return CompilerPair(program, "a compiler", cpu, "a disc", tuple(functions))


def predicted(
    monkeypatch: pytest.MonkeyPatch, figures: Figures, *pairs: CompilerPair
) -> CompilerPrediction:
    """What pairs predict if `period` is 1.5 times as fast as was published."""

    known = dataclasses.replace(compiler_pairs(), pairs=pairs)
    monkeypatch.setattr(by_compilers, "compiler_pairs", lambda: known)
    cycles = {
        n: figures.megahertz * 1e6 / rate / 1.5 for n, rate in figures.calls_per_second.items()
    }
    made = make_prediction(cycles, cpu=figures.cpu, build=chosen_build(figures))
    (found,) = predict_by_compilers([(figures, against(made, figures))])
    return found


def test_speeds_are_divided_by_compilers_and_bias(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = pair("68040", 1.0, 1.44), pair("68040", 1.2, 1.2, program="Tool"), pair("601", 9, 9)
    one = predicted(monkeypatch, FIGURES["68040"], *pairs)
    assert one.compilers is not None and (one.compilers.programs, one.compilers.functions) == (2, 4)
    assert one.times == 66
    for ratio in one.ratios.values():
        assert ratio == pytest.approx(1.5 / 1.2 / BIAS_68040, rel=0.01)
    spread = 2 * math.sqrt(2 * math.log(1.2) ** 2 / 2)
    assert one.interval == pytest.approx(math.exp(spread))
    (section,) = sections([one])
    text, table = section.parts
    assert NOTE in str(text) and "came after the older one had missed" in NOTE
    assert isinstance(table, Table) and table.rows[2][0] == "interval"
    assert [row[0] for row in table.rows][-1] == "predicted over published"


def test_one_program_gives_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    one = predicted(monkeypatch, FIGURES["601"], pair("601", 1.0, 1.21))
    assert (one.interval, one.bias, one.times) == (None, 1.0, 0)
    assert one.ratios[0] == pytest.approx(1.5 / 1.1)
    (section,) = sections([one])
    text, table = section.parts
    assert "no published time of such a processor is known" in str(text)
    assert isinstance(table, Table) and "interval" not in [row[0] for row in table.rows]


def test_without_a_pair_nothing_is_predicted(monkeypatch: pytest.MonkeyPatch) -> None:
    one = predicted(monkeypatch, FIGURES["601"], pair("68040", 1.0, 1.21))
    assert one.compilers is None and not one.ratios
    (section,) = sections([one])
    assert section.parts == ("Nothing: no program for this processor was measured.",)
