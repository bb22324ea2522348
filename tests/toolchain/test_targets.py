"""Targets: processors, and whose code each executes."""

from __future__ import annotations

import pytest

import macproof
from emu.base.errors import UsageError
from emu.toolchain.builds import labelled, targets_of, unlabelled


def names(*found):
    return [target.name for target in targets_of(*found)]


def test_a_processor_has_code_of_its_own():
    assert names(["68040", "601"]) == ["68040", "601"]


def test_a_68040_executes_code_for_a_68000_too():
    assert names(["68040"], ["68040", "68000"]) == ["68040", "68040, 68000 code"]
    assert names(["68000", "68040"], ["68000"]) == ["68000", "68040, 68000 code"]
    assert names(["68000", "68040"], ["68040", "68000", "68000"]) == [
        "68000",
        "68040",
        "68040, 68000 code",
    ]


def test_the_code_decides_on_flags_and_the_processor_on_the_name():
    (target,) = targets_of(["68040"], ["68000"])
    assert (target.cpu, target.code, target.needs_arithmetic) == ("68040", "68000", True)
    assert "-mcpu=68000" in target.flags
    assert target.label("O2") == "O2, 68000 code"


def test_labels():
    assert labelled("O2", "") == "O2"
    assert unlabelled(labelled("O2-macros", "68000")) == "O2-macros"
    assert unlabelled("O2, mine") == "O2, mine"


@pytest.mark.parametrize(
    ("cpus", "codes", "what"),
    [
        (["68000"], ["68040"], "CPU 68000: it does not execute code for a 68040"),
        (["68040", "601"], ["68000"], "CPU 601: it does not execute code for a 68000"),
        (["68000"], ["68040", "601"], "code for a 68040 or a 601"),
        (["68040"], ["6800"], "no code for a processor 6800; did you mean 68040"),
    ],
)
def test_what_cannot_be_executed_is_refused(cpus, codes, what):
    with pytest.raises(UsageError, match=what):
        targets_of(cpus, codes)


def test_processors_that_nobody_named_are_left_out_with_the_reason():
    found = macproof.programs_of("four-shifts", builds=["O2"], use="prebuilt", codes=["68000"])
    assert [program.name for program in found] == ["68000 O2", "68040 O2, 68000 code"]
    assert ("CPU 601", "it does not execute code for a 68000") in [
        (left.what, left.why) for left in found.not_run
    ]
    with pytest.raises(UsageError, match="CPU 601"):
        macproof.programs_of("four-shifts", cpus=["601"], builds=["O2"], codes=["68000"])


def test_code_for_a_68000_is_verified_on_a_68040():
    found = macproof.programs_of(
        "four-shifts", cpus=["68040"], builds=["O2"], use="prebuilt", codes=["68000"]
    )
    report = macproof.verify("four-shifts", found, scenes=10)
    (result,) = report.report.results
    assert (result.cpu, result.build) == ("68040", "O2, 68000 code")
    assert result.verdict == "verified"
