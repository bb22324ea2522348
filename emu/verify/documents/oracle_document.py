"""Shows how oracles agree: a table with a row and a column for each, and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from emu.report.document import Points, Section, Table, Tone
from emu.verify.runs.oracle_matrix import OracleMatrix


def oracle_section(
    matrix: OracleMatrix, title: str = "Oracles", further: Sequence[str] = ()
) -> Section:
    """A section that shows how oracles agree; what differs is in red.

    Args:
        matrix: how they agree.
        title: the heading.
        further: sentences to add.
    """
    counts = {pair.oracles: (pair.both, pair.alike) for pair in matrix.pairs}
    above = "Scenes answered alike, in all builds"
    table = agreement_table(matrix.oracles, counts, above, is_red=True)
    return Section(title, (table, Points((*_sentences(matrix), *further))))


def _sentences(matrix: OracleMatrix) -> Iterator[str]:
    for pair in matrix.pairs:
        if pair.first is not None:
            yield f"{pair}."
    reference = matrix.oracles[-1]
    if matrix.inexact:
        yield (
            f"{', '.join(matrix.inexact)}: the case allows a tolerance. Answers that are that near "
            f"to {reference}'s count as alike there, and may be twice as far from each other."
        )
    else:
        yield (
            "All that the case observes is compared exactly, so answers that are the same as "
            f"{reference}'s are the same as each other."
        )


def agreement_table(
    names: Sequence[str],
    counts: Mapping[tuple[str, str], tuple[int, int]],
    title: str,
    *,
    is_red: bool = False,
) -> Table:
    """A row and a column for each name; the columns have the numbers of the rows.

    Args:
        names: who is compared.
        counts: for each pair of them, how much was compared, and how much of it was alike.
        title: what stands above the table.
        is_red: whether what is not alike is shown as something bad.
    """
    cells = {}
    tones = {}
    for (first, second), (both, alike) in counts.items():
        cells[first, second] = cells[second, first] = cell = f"{alike:,} of {both:,}"
        if is_red and alike != both:
            tones[cell] = Tone.BAD
    numbers = [str(number) for number, _ in enumerate(names, 1)]
    rows = tuple(
        (f"{number} {row}", *(cells.get((row, column), "-") for column in names))
        for number, row in zip(numbers, names, strict=True)
    )
    return Table(("", *numbers), rows, tones=tones, title=title)
