"""The examples, each with a broken twin: a small mistake that somebody could make in its source."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

RETURNED = "The routine returned it."
NOBODY = "The routine did not write it."
EXAMPLES = Path(__file__).parents[2] / "examples"


@dataclass(frozen=True, slots=True)
class Twin:
    """An example, the mistake in it, and how that is explained.

    Attributes:
        case: the case file, below ``examples``.
        source: the source with the mistake.
        changes: what is replaced there, and by what.
        difference: a pattern of the first difference of the smallest scene.
        origins: where the wrong value comes from: a line of the source, or a sentence if no line
            wrote it. Processors may differ.
        objects: the number of objects of the smallest scene.
    """

    case: str
    source: str
    changes: tuple[tuple[str, str], ...]
    difference: str
    origins: tuple[str, ...]
    objects: int

    @property
    def path(self) -> Path:
        """The case file."""
        return EXAMPLES / self.case

    def broken(self) -> str:
        """The source with the mistake."""
        text = (self.path.parent / self.source).read_text()
        for old, new in self.changes:
            assert text.count(old) == 1, f"{self.source} has {old!r} {text.count(old)} times"
            text = text.replace(old, new)
        return text


TWINS = {
    "unpack-bytes": Twin(
        "packbits/case.yaml",
        "packbits.c",
        # The count -128 is that of a run.
        (("} else if (count != -128) {", "} else {"),),
        r"\(\*target\)\[0\] is 255, expected 0 \(it was 0 before\)",
        ("*to++ = *from;",),
        1,
    ),
    "pack-bytes": Twin(
        "packbits/pack.case.yaml",
        "packbits.c",
        (("run < 128", "run < 129"),),
        r"\(\*target\)\[0\] is 128, expected 129",
        ("*to++ = 1 - run;",),
        1,
    ),
    "lzss": Twin(
        "lzss/case.yaml",
        "lzss.c",
        (("kShortest = 3", "kShortest = 2"),),
        r"target\[\d+\] is unset, expected \d+",
        (NOBODY,),
        2,
    ),
    "fixed-matrix": Twin(
        "fixed_matrix/case.yaml",
        "fixed_matrix.c",
        ((" + 0x8000)", ")"),),
        r"points\[0\]\.y is -2, expected -1",
        ("points->y = Times(matrix->b, x) + Times(matrix->d, points->y) + matrix->ty;",),
        1,
    ),
    "append-string": Twin(
        "pascal_strings/case.yaml",
        "pascal_strings.c",
        (("while (length-- > 0)", "while (--length > 0)"),),
        r"text\[\d+\] is unset, expected \d+",
        (NOBODY,),
        1,
    ),
    "quicksort": Twin(
        "quicksort/case.yaml",
        "quicksort.c",
        # Two keys may lie further apart than a short can tell.
        (("return one->key < other->key ? -1 : 1;", "return one->key - other->key;"),),
        r"first\[0\]\.key is \d+, expected (-\d+) \(it was \1 before\)",
        ("*low++ = *high;",),
        2,
    ),
    "blit-or": Twin(
        "blitter/case.yaml",
        "blitter.c",
        (("width - x < 8", "width - x < 7"),),
        r"target\[\d+\] is \d+, expected \d+",
        ("target[(x >> 3) + 1] |= pixels;",),
        1,
    ),
    "shuffle": Twin(
        "shuffle/case.yaml",
        "shuffle.c",
        (("2836", "2386"),),
        r"\*seed is \d+, expected \d+",
        ("*seed = kMultiplier * low - kRemainder * high;",),
        2,
    ),
    "pinned": Twin(
        "pinned/case.yaml",
        "pinned.c",
        (("where.h >= bounds.right", "where.h > bounds.right"),),
        r"return\.h is 0, expected -1",
        # On a 68K in a register; on a 601 in memory of its caller.
        (RETURNED, "return where;"),
        1,
    ),
    "shapes": Twin(
        "shapes/case.yaml",
        "shapes.cpp",
        # Without const it is another method than that of Shape.
        (("Sides() const { return 3; }", "Sides() { return 3; }"),),
        r"return is \d+, expected \d+",
        (RETURNED,),
        2,
    ),
    "life": Twin(
        "life/case.yaml",
        "life.c",
        (("neighbours == 2 || neighbours == 3", "neighbours == 2"),),
        r"gCells\[\d+\]\[\d+\] is 0, expected 1 \(it was 1 before\)",
        ("gCells[row][column] = next[row][column];",),
        4,
    ),
    "variance": Twin(
        "variance/case.yaml",
        "variance.c",
        (("squares / count", "squares / (count - 1)"),),
        r"return is nan, expected 0\.0",
        (RETURNED,),
        1,
    ),
    "checksum": Twin(
        "checksum/case.yaml",
        "checksum.S",
        (("bcc.s   2f", "bra.s   2f"), ("add     5,5,6           #", "nop                     #")),
        r"return is \d+, expected \d+",
        (RETURNED,),
        2,
    ),
    "stopwatch": Twin(
        "stopwatch/case.yaml",
        "stopwatch.c",
        (("behind * sizeof(long)", "behind"),),
        r"gBest\[1\] is 0, expected \d+ \(it began as rubbish.*",
        (NOBODY,),
        2,
    ),
    "queue": Twin(
        "queue/case.yaml",
        "queue.c",
        # The ring has one place less than the index can count to.
        (("gFirst + 1 < kRoom ? gFirst + 1 : 0;\n    --gCount", "gFirst + 1 & 7;\n    --gCount"),),
        r"call\[\d+\]\.Pop\.return is -?\d+, expected \d+ \(call 12 of 12\)",
        (RETURNED,),
        12,
    ),
    "tree-insert": Twin(
        "tree_insert/case.yaml",
        "tree.c",
        # A key that is there already goes to its right once more.
        (("if (key == (*link)->key)", "if (key == (*link)->key && (*link)->right)"),),
        r"gRoot\.count is 1, expected 2",
        (NOBODY,),
        1,
    ),
    "old-and-new": Twin(
        "old-and-new/case.yaml",
        "mix.c",
        # The int of the old compiler had 16 bits.
        (("int16_t product = (int16_t)", "int product ="),),
        r"return is 27159, expected 0",
        (RETURNED,),
        1,
    ),
    "old-application": Twin(
        "old-application/case.yaml",
        "checksum.c",
        (("gBytes += count", "gBytes = count"),),
        r"gBytes is 0, expected \d+.*",
        ("gBytes = count;",),
        0,
    ),
}
