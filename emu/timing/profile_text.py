"""A profile as lines of text, which no terminal breaks and which can be searched."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from emu.base.printable import one_line
from emu.timing.profiling import SourceTexts
from emu.timing.report import Report

_HOTTEST = 20
_WIDEST_SOURCE = 100
NO_LINE = "(no line information)"
NO_SYMBOL = "(no symbol)"


def label(program: Report, report: Report) -> str:
    """A program's name beside the others: its source only where they differ in it."""
    name = f"{program['cpu']} {program['build']}"
    if len({other["source"] for other in report["programs"]}) > 1:
        name += f" ({one_line(program['source'])})"
    return name


def place_words(item: Report) -> str:
    """File and line of something that has them, or has not."""
    return f"{one_line(item['file'])}:{item['line']}" if item["line"] else NO_LINE


def share_words(part: float) -> str:
    """A share as a percentage; what is there is never shown as nothing."""
    return "<0.1%" if 0 < part < 0.0005 else f"{100 * part:.1f}%"


def objects_words(report: Report) -> str:
    """Which scenes."""
    scenes = report["scenes"]
    plural = "" if scenes["objects"] == 1 else "s"
    many = "1 scene" if scenes["count"] == 1 else f"{scenes['count']} scenes"
    generator = one_line(scenes["generator"])
    return (
        f"{many} of {scenes['objects']} object{plural}, generator {generator}, "
        f"seeds from {scenes['seed']}"
    )


def profile_lines(report: Report, texts: SourceTexts, *, whole: bool = False) -> Iterator[str]:
    """The profile for readers; headings are the lines that end in a colon.

    Args:
        report: the profile.
        texts: the text of the sources.
        whole: whether every line is listed, and not only the hottest.
    """
    credit = f" ({one_line(report['credit'])})" if report["credit"] else ""
    yield f"{one_line(report['title'])}{credit}: where the cycles of a call go. {report['note']}"
    yield f"Means of {objects_words(report)}."
    for program in report["programs"]:
        yield ""
        yield from _program(program, report, texts, whole)
    for file in report["files"]:
        if file["missing"]:
            yield ""
            yield f"No text of {one_line(file['name'])}: {file['missing']}."
    for item in report["not_profiled"]:
        yield f"Left out: {one_line(item['what'])}: {one_line(item['why'])}."
    yield ""
    yield f"Again: {one_line(shlex.join(report['command']))}"


def _program(program: Report, report: Report, texts: SourceTexts, whole: bool) -> Iterator[str]:
    cycles, megahertz = program["cycles"], program["megahertz"]
    yield (
        f"{label(program, report)}: {cycles:,.1f} cycles, {program['instructions']:,.1f} "
        f"instructions, {cycles / megahertz:,.1f} microseconds of a call at {megahertz:g} MHz:"
    )
    if program["origin"] == "given":
        yield given_words(program)
    yield ""
    heads = ("share", "cycles", "calls", "cycles each")
    yield f"{heads[0]:>7}{heads[1]:>14}{heads[2]:>12}{heads[3]:>14}  function"
    for cost in program["functions"]:
        each = "-" if cost["cycles_each"] is None else f"{cost['cycles_each']:,.1f}"
        calls = f"{cost['calls']:,.1f}" if cost["calls"] else "-"
        name = one_line(cost["name"]) if cost["name"] else NO_SYMBOL
        share = share_words(cost["share"])
        yield f"{share:>7}{cost['cycles']:>14,.1f}{calls:>12}{each:>14}  {name}"
    yield ""
    if not program["has_lines"]:
        yield (
            "It has no line information, so nothing can be said of lines. Compiled with -g, it "
            "would have."
        )
        return
    heads = ("share", "cycles", "executed", "instructions")
    shown = program["lines"] if whole else program["lines"][:_HOTTEST]
    width = max(len(place_words(cost)) for cost in shown)
    yield f"{heads[0]:>7}{heads[1]:>14}{heads[2]:>12}{heads[3]:>14}  line"
    for cost in shown:
        text = one_line(texts.line(cost["file"] or "", cost["line"] or 0).strip())
        if len(text) > _WIDEST_SOURCE:
            text = f"{text[: _WIDEST_SOURCE - 3]}..."
        row = (
            f"{share_words(cost['share']):>7}{cost['cycles']:>14,.1f}{cost['executed']:>12,.1f}"
            f"{cost['instructions']:>14,.1f}  {place_words(cost):<{width}}  {text}"
        )
        yield row.rstrip()
    left = program["lines"][len(shown) :]
    if left:
        rest = share_words(sum(cost["share"] for cost in left))
        yield f"{rest:>7}  {len(left)} more lines (--verbose, or --annotate FILE.html)"


def given_words(program: Report) -> str:
    """What is not known of a program that was not compiled here."""
    name = one_line(program["file"])
    if not program["has_lines"]:
        return f"{name} is run as it is."
    return (
        f"{name} is run as it is. Source lines are those of the case, and whether it was compiled "
        "from them is not known."
    )
