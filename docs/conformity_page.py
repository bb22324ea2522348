"""The page of what came of public test vectors, from the figures that are committed.

    macproof conform VECTORS --json report.json
    python docs/conformity_page.py report.json

The second line keeps the figures of reports; `python docs/generate.py` makes the page of them.
"""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from emu.engines.conformity.figures import FIGURES, figures_digest

_PAGE = """# Is each instruction executed as a real processor does?

Engines with one origin agree in their mistakes, so [their agreement](calibration.md) proves little.
Others have published test vectors: the state of a processor, one instruction, and the state that a
real processor or a gate-level model has after it. `macproof conform` executes them in the same
engine, with the same mends, as `macproof verify` executes a routine:

    macproof conform m68000/v1 dingusppc/cpu/ppc/test --json report.json

| vectors | processor | files |
|---|---|---|
| [SingleStepTests/m68000](https://github.com/SingleStepTests/m68000) | 68000 | `v1/*.json.bin` |
| [DingusPPC](https://github.com/dingusdev/dingusppc) | PowerPC 601 | `cpu/ppc/test/ppc*tests.csv` |

Of the 68020 to 68040 there are none to be had: WinUAE's cputest makes its vectors on the user's
computer, and no repository that we know holds them.

macproof brings none of these files: you need a copy of them. A vector is *passed* if all registers,
flags and bytes of memory are as they must be; *reported* if the processor takes an exception and
`verify` would report this exception; *not executed* if the run ends because the engine cannot
execute the instruction, which makes a verdict inconclusive; and *wrong* otherwise. A vector whose
next instruction lies in its own words is skipped. Flags that the processor's manual leaves
undefined are not compared. Odd addresses of data are told by full checks
(`verify --checks full`), and in a sample of the calls without them.

The command ends with 0 if all is right, 1 if something is wrong, and 4 if something was not
executed and nothing was wrong. With `--verbose` it names the first vectors of each instruction that
are not right.

Of the 601's floating point one product is wrong, that of FMULS of 0.25 and 0.35, in five modes,
with and without Rc. By these vectors it is exact, as if the lower bits of 0.35 were not there: 0.35
is no single number. PowerPC Architecture, Book I, leaves the result and the status of a single
operation undefined if an operand is no single number. Of the vectors, 190 have such an operand, and
the other 180 are passed.

Unicorn alone gets 242 of these vectors wrong. It computes rightly while rounding is to nearest and
no exception is enabled. So a program that reads or sets FPSCR, as these vectors do, has its
floating-point instructions executed in exact integers; all others run at full speed, as does a
whole Mac program until it sets another mode. Two faults can be seen without FPSCR and stay in the
others: FCTIWZ of too large a number, and FMADDS and its relatives, which round twice.
[Faults of Unicorn and QEMU](engine-faults.md) has the smallest example of each kind.

What follows was measured on {date} with {engine}. Receipts of verdicts name the digest of these
figures, `{digest}`.
{tables}"""


def conformity_page() -> str:
    """The page."""
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    return _PAGE.format(
        date=figures["date"],
        engine=figures["engine"],
        digest=figures_digest()[:16],
        tables="".join(_tables(each) for each in figures["processors"]),
    )


def _tables(processor: Mapping[str, Any]) -> str:
    columns = ("passed", "reported", "refused", "wrong", "skipped")
    rows = [
        (one["instruction"], *(one[name] for name in columns)) for one in processor["instructions"]
    ]
    total = ("all", *(sum(row[at] for row in rows) for at in range(1, len(columns) + 1)))
    limit = f", at most {processor['most']:,} of each instruction" if processor["most"] else ""
    examples = [
        f"- {one['instruction']}, {example['vector']}: {example['why']}"
        for one in processor["instructions"]
        for example in one["examples"]
    ]
    lines = [
        f"\n## {processor['cpu']}: {processor['source']}\n",
        f"{processor['files']} files, SHA-256 `{processor['digest'][:16]}`{limit}.\n",
        "| instruction | passed | reported | not executed | wrong | skipped |",
        "|---|--:|--:|--:|--:|--:|",
        *("| " + " | ".join(_cell(cell) for cell in row) + " |" for row in (total, *rows)),
    ]
    if examples:
        lines += ["", "The first vector of each instruction that is not right:", "", *examples]
    return "\n".join(lines) + "\n"


def _cell(cell: str | int) -> str:
    return cell if isinstance(cell, str) else f"{cell:,}"


def keep(reports: Sequence[Path]) -> None:
    """Keep the figures of reports, without the command lines and the time they took.

    Those of processors that no report has stay as they are.
    """
    data = [json.loads(report.read_text(encoding="utf-8")) for report in reports]
    kept = json.loads(FIGURES.read_text(encoding="utf-8"))["processors"]
    new = [processor for each in data for processor in each["processors"]]
    figures = {
        "date": datetime.date.today().isoformat(),
        "engine": data[0]["engine"],
        "processors": list({each["cpu"]: each for each in (*kept, *new)}.values()),
    }
    for processor in figures["processors"]:
        for one in processor["instructions"]:
            one["examples"] = one["examples"][:1]
    text = json.dumps(figures).replace('{"instruction"', '\n{"instruction"')
    FIGURES.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    keep([Path(word) for word in sys.argv[1:]])
