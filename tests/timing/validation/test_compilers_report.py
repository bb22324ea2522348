"""The report of measured compilers: what comes along, and what a single pair does not tell."""

from __future__ import annotations

from emu.cycles.validation.compiler_pairs import (
    CompilerPair,
    CompilerPairs,
    PairedFunction,
    compiler_pairs,
)
from emu.timing.validation.compilers_report import compilers_document, compilers_report


def pairs(*programs: str) -> CompilerPairs:
    functions = (PairedFunction("a", 2, 100, 50), PairedFunction("b", 3, 100, 200))
    made = tuple(
        CompilerPair(name, "a compiler", "68040", "a disc", functions) for name in programs
    )
    return CompilerPairs("all", ("much",), "2026-11-28", "1", made)


def test_what_comes_along_is_told_with_what_is_missing() -> None:
    report = compilers_report(compiler_pairs())
    document = compilers_document(report)
    titles = [section.title for section in document.sections]
    assert {"Old cycles over those of period", "By processor", "What is missing"} <= set(titles)
    assert f"functions {sum(len(one.pair.functions) for one in report.pairs)}" in document.title


def test_a_single_pair_tells_nothing_of_others() -> None:
    (alone,) = compilers_report(pairs("one")).factors
    assert (alone.between, alone.interval) == (None, None)
    text = str(compilers_document(compilers_report(pairs("one"))).sections)
    assert "'1.00', '-', 'x/÷ 2.67', '-'" in text
    two = compilers_report(pairs("one", "other"))
    assert two.factors[0].between == 1
    assert two.pairs[0].calls == 5
