"""Plots, figures and documents made up for the tests of this room."""

from __future__ import annotations

from emu.report.document import (
    Check,
    CheckStatus,
    Document,
    Listing,
    ListingLine,
    Literal,
    Outcome,
    Points,
    Section,
    Table,
    Tone,
)
from emu.report.figure import Box, Figure, Shape
from emu.report.plots.plot import (
    Axis,
    BarPanel,
    Emphasis,
    Line,
    LinePanel,
    Plot,
    ReferenceLine,
    Series,
    Stroke,
)

HOSTILE = "a|b <x> *y* `z` _w_ [l](u) $e^2$ \x1b[31m\u202e </script></svg>\"'"

SPEEDS = Plot(
    "speeds",
    "Calls in a second",
    (
        (
            LinePanel(
                "68040 at 25 MHz",
                Axis("objects"),
                Axis("calls in a second", is_logarithmic=True),
                (
                    Line("period", ((0, 611.0), (50, 341.0), (200, 82.0)), Stroke.SOLID,
                         Emphasis.STRONG, has_markers=False),
                    Line("O2 *", ((0, 3800.0), (50, 1420.0), (200, 280.0)), Stroke.DOTTED,
                         Emphasis.QUIET),
                    Line("early", ((0, 9000.0), (50, 20.0)), remark="n^-1.98"),
                    Line("late", ((0, 20.0), (50, 9000.0))),
                    Line("1994", ((0, 600.0), (200, 80.0)), Stroke.NONE, Emphasis.STRONG),
                ),
                (ReferenceLine(30.0, "30 / s"),),
            ),
            LinePanel(
                "Both linear",
                Axis("objects"),
                Axis("tests"),
                (Line("period", ((0, 0.0), (50, 10.0))),),
            ),
        ),
    ),
    note="* and dotted: cannot be what was timed.",
)  # fmt: skip

COSTS = Plot(
    "costs",
    "What each event costs",
    (
        (
            BarPanel(
                "visits",
                ("1994", "O2", "period"),
                (Series("", (102.0, None, 57.5)),),
                Axis("cycles of one"),
                is_horizontal=True,
                emphasis=(Emphasis.STRONG, Emphasis.QUIET, Emphasis.USUAL),
                references=(ReferenceLine(102.0),),
            ),
        ),
    ),
)

REPORTS = Plot(
    "reports",
    "How often a pair is reported",
    (
        (
            BarPanel(
                "",
                ("0", "1", "2"),
                (Series("four shifts", (None, 20.0, 80.0)), Series("other", (0.0, 100.0, 0.25))),
                Axis("percent of pairs", ticks=(0, 50, 100)),
                category_title="reports",
            ),
        ),
    ),
)

CAME = Figure(
    "What came",
    64,
    48,
    (
        Shape(Box(10, 10, 30, 30), "object 0 at (10, 10), hits 1", is_marked=True, partners=(1,)),
        Shape(Box(20, 20, 30, 30), "object 1 at (20, 20)", is_wrong=True, partners=(0,)),
    ),
    grid=(Box(0, 0, 32, 24),),
    caption="Of uniform, seed 7.",
)

LISTING = Listing(
    name="source-0",
    groups=("68040", f"601 {HOSTILE}"),
    columns=("executed", "share"),
    heading="source",
    lines=(
        ListingLine("int f()", (("1.0", "<0.1%"), ())),
        ListingLine(HOSTILE, ((), ("0", ""))),
        ListingLine(
            "    return 1;",
            (("1,000.0", "60.0%"), ("2.0", "5.0%")),
            (1.0, 0.25),
            (
                Table(
                    ("address", "instruction", "cycles"),
                    (("00001000", HOSTILE, "7"), ("00001002", "rts", "12")),
                    words=2,
                    title="68040",
                    links={"rts": "price-1"},
                ),
            ),
        ),
        *(ListingLine("" if n % 2 else f"// {n}") for n in range(4, 44)),
    ),
    quiet="no code",
)
LINKED = Table(("line", "cycles"), (("a.c:3", "7"),), links={"a.c:3": "source-0-3"})
PRICES = Table(("price", "cycles"), (("rts", "6"), ("nop", "1")), names={1: "price-1"})

DOCUMENT = Document(
    title=f"Unpack {HOSTILE}",
    outcome=Outcome("refuted", Tone.BAD, "odd addresses were not watched"),
    lead=("# no heading",),
    sections=(
        Section(
            "Programs",
            (
                "A paragraph.",
                Table(
                    ("CPU", "verdict", "scenes"),
                    (("68040", "refuted", "1,000"), ("601", "verified", "1,000")),
                    words=2,
                    breaks=frozenset({1}),
                    tones={"refuted": Tone.BAD, "verified": Tone.GOOD},
                    title="All of them",
                ),
                Points(("1. first", "second\nline")),
            ),
        ),
        Section("Receipt", (Literal(("macproof verify *",)),), is_detail=True),
    ),
    closing=("That was all.",),
    checks=(
        Check(
            "unpack", "68040 O2", CheckStatus.FAILURE, f"wrong {HOSTILE}\nmore", {"scenes": "1000"}
        ),
        Check("unpack", "601 O2", CheckStatus.PASSED),
    ),
    seconds=1.25,
)
