"""Loops timed on real processors: the arithmetic, the file, and models that are made wrong."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from emu.base.errors import CaseError, MacproofError, UsageError
from emu.cycles.base.model import MEASUREMENT, Code, CycleModel, Instruction, Source
from emu.cycles.micro_loops import LoopCheck, check, load, micro_loops
from emu.cycles.models import MODELS, model_for

SOURCE = "sources: {me: {kind: measurement, title: my own clock}}\n"
LOOP = """
  - name: empty
    cpu: "601"
    megahertz: 80
    text: "l: bdnz l"
    code: "42000000"
    published: {published}
    source: me
"""


def write(folder: Path, *loops: str) -> Path:
    path = folder / "loops.yaml"
    path.write_text(f"title: some\n{SOURCE}loops:{''.join(loops)}")
    return path


def with_published(what: str) -> str:
    return LOOP.replace("{published}", what)


def by_name() -> Mapping[str, LoopCheck]:
    return {one.loop.name: one for one in check()}


def test_what_is_measured_is_converted_as_it_says() -> None:
    clocks = {one.name: one.clocks for one in micro_loops()}
    # By hand: 472 / 709379 Hz = 665.37 us; x 25 MHz / 4096 = 4.061 clocks.
    assert clocks["dbra"] == pytest.approx(4.061, abs=0.001)
    assert clocks["mulu and dbra"] == pytest.approx(14.02, abs=0.005)
    # 3496 / 709379 Hz / 1024 = 4.81 us; x 25 = 120.3.
    assert clocks["movem of eleven registers"] == pytest.approx(120.3, abs=0.05)
    # One BogoMIPS is 500,000 iterations a second.
    assert clocks["delay loop of Linux on the 68K"] == pytest.approx(2.985, abs=0.001)
    assert clocks["delay loop of Linux on PowerPC"] == pytest.approx(2.381, abs=0.001)
    assert all(f"= {one.clocks:.2f} clocks" in one.arithmetic for one in micro_loops())


def test_every_loop_branches_to_its_beginning() -> None:
    """The text and the code say the same, and the last instruction leads to the first."""
    for loop in micro_loops():
        instructions = model_for(loop.cpu).decode(loop.code, 0x1000)
        assert len(instructions) == loop.text.removeprefix("l: ").count(";") + 1
        words = [step.split()[0].split(".")[0] for step in loop.text[3:].split("; ")]
        for word, instruction in zip(words, instructions, strict=True):
            assert instruction.text.split()[0].split(".")[0] in (word, {"dbra": "dbf"}.get(word))
        assert "0x1000" in instructions[-1].text or "$1000" in instructions[-1].text


def test_all_rest_on_measurements() -> None:
    assert {loop.source.kind for loop in micro_loops()} == {MEASUREMENT}
    assert {loop.cpu for loop in micro_loops()} <= set(MODELS)


def test_what_the_models_say_of_them() -> None:
    """Not one number of the models may be changed without this being looked at again."""
    checks = by_name()
    assert checks["delay loop of Linux on PowerPC"].predicted == 2
    assert checks["delay loop of Linux on PowerPC"].ratio == pytest.approx(0.84)
    assert "assumption" in checks["delay loop of Linux on PowerPC"].loop.unexplained
    for name in ("move and dbra", "delay loop of Linux on the 68K"):
        assert checks[name].loop.checks and not checks[name].loop.unexplained
        assert checks[name].ratio == pytest.approx(1, abs=0.1)


def test_what_was_calibrated_or_waits_for_memory_checks_nothing() -> None:
    checks = by_name()
    assert not checks["movem of eleven registers"].loop.checks
    assert checks["movem of eleven registers"].ratio < 0.5  # a model with copyback says so
    for name in ("dbra", "mulu and dbra"):
        assert checks[name].loop.calibrated
        assert not checks[name].loop.checks
    assert sum(one.loop.checks for one in checks.values()) == 11


class Twice(CycleModel):
    """A model with every price doubled."""

    def __init__(self, right: CycleModel) -> None:
        self.right = right

    def decode(self, code: bytes, address: int) -> Code:
        return self.right.decode(code, address)

    def price(self, before: Code, block: Code) -> tuple[float, ...]:
        return tuple(2 * each for each in self.right.price(before, block))

    def source(self, instruction: Instruction) -> Source:
        return self.right.source(instruction)

    def sensitivities(self) -> Mapping[str, CycleModel]:
        return {}

    def assumptions(self) -> tuple[str, ...]:
        return ()


def test_a_broken_model_is_seen() -> None:
    right = [one for one in check() if one.loop.checks]
    wrong = [one for one in check(model=lambda cpu: Twice(model_for(cpu))) if one.loop.checks]
    assert all(0.8 < one.ratio < 1.2 for one in right)
    assert all(not 0.8 < one.ratio < 1.2 for one in wrong)
    assert [one.predicted for one in wrong] == [2 * one.predicted for one in right]


def test_changing_a_cell_moves_a_loop() -> None:
    loops = tuple(loop for loop in micro_loops() if loop.cpu == "601")
    late = model_for("601").sensitivities()["targets of taken branches 3 clocks after them"]
    (one,) = check(loops, model=lambda _: late)
    assert one.predicted == 3


@pytest.mark.parametrize(
    ("published", "message"),
    [
        ("{ticks: 1, iterations: 2}", "line 9: it gives neither ticks"),
        (
            "{ticks: 1, timer_hertz: 2, iterations: many}",
            "iterations is 'many', not a number above 0",
        ),
        ("{bogomips_per_megahertz: x0.5}", "not a number"),
        ("{bogomips_per_megahertz: 0.0}", "not a number above 0"),
        ("{bogomips: 1}", "the key bogomips is not known; there are ticks"),
        ("{}", "it gives neither ticks"),
    ],
)
def test_wrong_figures_are_refused(tmp_path: Path, published: str, message: str) -> None:
    with pytest.raises(CaseError, match=message):
        load(write(tmp_path, with_published(published)))


def test_wrong_files_are_refused(tmp_path: Path) -> None:
    right = with_published("{bogomips_per_megahertz: 0.5}")
    (loop,) = load(write(tmp_path, right))
    assert loop.clocks == 4
    with pytest.raises(CaseError, match="there are two loops empty"):
        load(write(tmp_path, right, right))
    with pytest.raises(CaseError, match="line 10: the source you is not known; there are me"):
        load(write(tmp_path, right.replace("source: me", "source: you")))
    with pytest.raises(CaseError, match="code"):
        load(write(tmp_path, right.replace('"42000000"', '"4200000"')))
    with pytest.raises(CaseError, match="cannot be read"):
        load(tmp_path / "absent.yaml")


def test_a_loop_no_model_can_take(tmp_path: Path) -> None:
    right = with_published("{bogomips_per_megahertz: 0.5}")
    with pytest.raises(UsageError, match="no cycle model of the processor mips"):
        check(load(write(tmp_path, right.replace('"601"', "mips"))))
    with pytest.raises(MacproofError, match="no PowerPC instruction"):
        check(load(write(tmp_path, right.replace('"42000000"', '"00000000"'))))
