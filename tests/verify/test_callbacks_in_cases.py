"""Cases whose routine is given a Python function: verified, explained, and its mistakes told."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from tests.rows import slow_but

EXAMPLE = Path(__file__).parents[2] / "examples" / "quicksort"
CPUS = ("68000", "68040", "601", "mips")
COMPARE = """

def compare(one, other):
    return int(one["key"]) - int(other["key"]) or int(one["number"]) - int(other["number"])
"""
on_each = pytest.mark.parametrize("cpu", slow_but(["68000", "601"], CPUS))


@pytest.fixture
def folder(tmp_path: Path, compilers: Callable[..., None]) -> Path:
    """The example whose routine is given the function above in place of CompareRecords."""
    compilers(*CPUS)
    folder = tmp_path / "quicksort"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    case = folder / "case.yaml"
    text = case.read_text().replace("{address_of: CompareRecords}", '{python: "sorting:compare"}')
    text = text.replace("objects: [1, 2, 3, 100]", "objects: [1, 2, 30]")
    # A wide result: the keys are as far apart as 65,535.
    source = folder / "quicksort.c"
    source.write_text(source.read_text().replace("typedef short (*", "typedef long (*"))
    case.write_text(f'{text}cpus: ["68000", "68040", "601", mips]\n')
    with (folder / "sorting.py").open("a") as file:
        file.write(COMPARE)
    return folder


def change(file: Path, before: str, after: str) -> None:
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))


def verify(folder: Path, cpu: str) -> macproof.Verification:
    case = macproof.load_case(folder)
    programs = macproof.programs_of(case, cpus=[cpu], builds=["O2"])
    return macproof.verify(case, programs, scenes=40, jobs=1)


@pytest.mark.slow
@on_each
def test_a_routine_is_verified_that_calls_python(folder: Path, cpu: str) -> None:
    report = verify(folder, cpu)
    assert report.verdict == "verified"
    assert "sorting.py" in report.to_json()


@pytest.mark.slow
@pytest.mark.parametrize("cpu", CPUS)
def test_a_wrong_one_is_explained(folder: Path, cpu: str) -> None:
    change(folder / "quicksort.c", "compare(high, &middle) > 0", "compare(high, &middle) > 1")
    report = verify(folder, cpu)
    assert report.verdict == "refuted"
    found = macproof.explain(report)
    assert found is not None and found.explanation.divergence is not None
    assert found.explanation.divergence.place.startswith("first[")
    assert found.explanation.writer is not None
    assert found.explanation.writer.symbol == "QuickSort"
    assert len(found.explanation.kept) <= 4


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('int(one["key"])', 'int(one["kye"])', "in Python fails: ValueError: no field of name kye"),
        ("return int", "return 0.5 * int", "which needs a whole number"),
        ("(one, other)", "(one)", "TypeError: compare() takes 1 positional argument"),
    ],
)
def test_an_exception_names_the_line_and_the_function(
    folder: Path, before: str, after: str, words: str
) -> None:
    change(
        folder / "sorting.py",
        f"def compare{before}" if before[0] == "(" else before,
        f"def compare{after}" if before[0] == "(" else after,
    )
    with pytest.raises(macproof.CaseError) as caught:
        verify(folder, "68040")
    assert words in str(caught.value)
    assert "line 10" in str(caught.value)
    assert "sorting:compare: " in str(caught.value)
    assert "long compare(const record *, const record *) in Python" in str(caught.value)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (
            'compare: {python: "sorting:compare"}',
            'compare: {python: "sorting:comprae"}',
            "line 10: sorting:comprae cannot be imported",
        ),
        (
            "  last: last into *first",
            '  last: {python: "sorting:compare"}',
            "line 9: .*: record \\*last is no pointer to a function",
        ),
        ('"sorting:compare"', "compare", "line 10"),
    ],
)
def test_a_function_that_cannot_be_given(folder: Path, before: str, after: str, words: str) -> None:
    change(folder / "case.yaml", before, after)
    with pytest.raises(macproof.CaseError, match=words):
        verify(folder, "68040")


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_a_routine_that_calls_the_toolbox_too(folder: Path, cpu: str) -> None:
    change(folder / "quicksort.c", "typedef struct {", "#include <Events.h>\ntypedef struct {")
    change(
        folder / "quicksort.c",
        "    while (first < last) {",
        "    if (TickCount() == 7) return;\n    while (first < last) {",
    )
    change(folder / "case.yaml", "observe:", "toolbox: {TickCount: objects}\nobserve:")
    report = verify(folder, cpu)
    assert report.verdict == "verified", report.to_json()[:3000]
