"""Writes a profile as an HTML page: the source text with the cost of each line beside it.

The page is one file. It has no script and loads nothing, and its content security policy forbids
both. All text from programs and sources is escaped.
"""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib import resources

from emu.timing.annotated_source import READING, code_without_text, source_table
from emu.timing.page_parts import Column, FileLine, columns_of, escaped, head_rows, share_cell
from emu.timing.profile_report import ProfiledProgram, ProfileReport, SourcePlace
from emu.timing.profile_words import (
    NO_LINE,
    NO_SYMBOL,
    given_words,
    objects_words,
    place_words,
)
from emu.timing.profiling import SourceTexts

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_HOTTEST = 12


def annotated_page(report: ProfileReport, texts: SourceTexts) -> str:
    """Write the page.

    Args:
        report: the profile, from `make_profile_report`.
        texts: the text of the sources.

    Returns:
        The HTML text.
    """
    return "".join(_page(report, texts))


def _page(report: ProfileReport, texts: SourceTexts) -> Iterator[str]:
    columns = list(columns_of(report))
    heading = f"{escaped(report.title)}: where the cycles of a call go"
    style = resources.files("emu.timing").joinpath("annotated_page.css").read_text("utf-8")
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<title>{heading}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
    yield f"<h1>{heading}</h1>\n"
    credit = f" after {escaped(report.credit)}" if report.credit else ""
    yield (
        f"<p>Case <code>{escaped(report.case)}</code>{credit}, routine "
        f"<code>{escaped(report.routine)}</code>. {escaped(report.note)} All numbers are "
        f"means per call over {escaped(objects_words(report))}. All results were equal to those of "
        f"<code>{escaped(report.reference)}</code>.</p>\n"
    )
    yield from _facts(columns)
    yield from _functions(columns)
    if any(column.program.has_lines for column in columns):
        yield from _hottest(report, columns, texts)
        yield f'<p class="note">{READING}</p>\n'
    for index, file in enumerate(report.files):
        yield from source_table(index, file, columns, texts)
    yield from code_without_text(columns, texts)
    yield from _sources(columns)
    yield from _assumptions(columns)
    if report.not_profiled:
        yield "<h2>Not profiled</h2>\n<ul>\n"
        for item in report.not_profiled:
            yield f"<li>{escaped(item.what)}: {escaped(item.why)}</li>\n"
        yield "</ul>\n"
    yield "<h2>Command that makes this page</h2>\n"
    yield f'<pre class="again">{escaped(shlex.join(report.command))}</pre>\n'
    yield "</body>\n</html>\n"


# -- tables above the source -----------------------------------------------------------------


def _facts(columns: Sequence[Column]) -> Iterator[str]:
    """The facts about the profiled programs, one column for each."""
    programs = [column.program for column in columns]
    rows = {
        "cycles of a call": [f"<b>{p.cycles:,.1f}</b>" for p in programs],
        "time of a call": [
            f"{p.cycles / p.megahertz:,.1f} µs at {p.megahertz:g} MHz" for p in programs
        ],
        "instructions": [f"{p.instructions:,.1f}" for p in programs],
        "calls counted": [f"{p.calls:,}" for p in programs],
        "cycle model": [escaped(p.model) for p in programs],
        "made from": [escaped(p.source) for p in programs],
        "compiler": [escaped(p.compiler) for p in programs],
        "flags": [_flags(p) for p in programs],
        "SHA-256": [f"<code>{p.sha256}</code> ({escaped(p.origin)})" for p in programs],
    }
    heads = "".join(f"<th>{escaped(column.label)}</th>" for column in columns)
    yield f'<table class="facts">\n<thead><tr><td></td>{heads}</tr></thead>\n<tbody>\n'
    for what, cells in rows.items():
        yield f"<tr><th>{what}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>\n"
    yield "</tbody>\n</table>\n"
    for column in columns:
        if column.program.origin == "given":
            yield f'<p class="warning">{escaped(given_words(column.program))}</p>\n'
        if not column.program.has_lines:
            yield (
                f'<p class="warning">{escaped(column.label)} has no line information, so '
                "its instructions are listed by function. Compile it with <code>-g</code> to see "
                "the cost of each line.</p>\n"
            )


def _flags(program: ProfiledProgram) -> str:
    if program.origin == "given":
        return "unknown"
    return f"<code>{escaped(shlex.join(program.flags))}</code>"


def _functions(columns: Sequence[Column]) -> Iterator[str]:
    yield "<h2>Functions</h2>\n"
    yield (
        '<p class="note">The cost of a function does not include the functions that it calls. The '
        "code of an inlined function counts for the function that it was inlined into.</p>\n"
    )
    costs = [{cost.name: cost for cost in c.program.functions} for c in columns]
    names = dict.fromkeys(name for found in costs for name in found)
    shares = {name: max(f[name].share for f in costs if name in f) for name in names}
    order = sorted(names, key=lambda name: -shares[name])
    yield "<table>\n"
    yield head_rows(columns, ("calls", "cycles each", "cycles", "share"), left=("function",))
    yield "<tbody>\n"
    for name in order:
        cells = []
        for found in costs:
            cost = found.get(name)
            if cost is None:
                cells.append('<td class="first"></td><td></td><td></td><td></td>')
                continue
            each = "" if cost.cycles_each is None else f"{cost.cycles_each:,.1f}"
            calls = f"{cost.calls:,.1f}" if cost.calls else ""
            cells.append(
                f'<td class="n first">{calls}</td><td class="n">{each}</td>'
                f'<td class="n">{cost.cycles:,.1f}</td>{share_cell(cost.share, 1.0)}'
            )
        shown = f"<code>{escaped(name)}</code>" if name else NO_SYMBOL
        yield f"<tr><td>{shown}</td>{''.join(cells)}</tr>\n"
    yield "</tbody>\n</table>\n"


def _hottest(report: ProfileReport, columns: Sequence[Column], texts: SourceTexts) -> Iterator[str]:
    """The most expensive source lines, each with a link to its row in the source."""
    shares: defaultdict[FileLine, float] = defaultdict(float)
    for column in columns:
        for place, cost in column.lines.items():
            shares[place] = max(shares[place], cost.share)
    places = sorted(shares, key=lambda place: (-shares[place], place[0] or "", place[1] or 0))
    numbers = {file.name: index for index, file in enumerate(report.files)}
    yield "<h2>Most expensive lines</h2>\n<table>\n"
    yield head_rows(columns, ("cycles", "share"), left=("line", ""))
    yield "<tbody>\n"
    for file, line in places[:_HOTTEST]:
        where, text = NO_LINE, ""
        if file and line:
            where = escaped(place_words(SourcePlace(file, line)))
            text = escaped(texts.line(file, line).strip())
            if file in texts.lines:
                where = f'<a href="#f{numbers[file]}-{line}">{where}</a>'
        cells = []
        for column in columns:
            found = column.lines.get((file, line))
            if found is None:
                cells.append('<td class="first"></td><td></td>')
            else:
                cells.append(
                    f'<td class="n first">{found.cycles:,.1f}</td>'
                    f"{share_cell(found.share, column.most)}"
                )
        yield f"<tr><td>{where}</td><td><code>{text}</code></td>{''.join(cells)}</tr>\n"
    yield "</tbody>\n</table>\n"


# -- tables below it -------------------------------------------------------------------------


def _sources(columns: Sequence[Column]) -> Iterator[str]:
    yield "<h2>Sources of the cycles</h2>\n"
    yield (
        '<p class="note">If the price of an instruction has several sources, its cycles count '
        "for the weakest one.</p>\n"
        "<table>\n<thead><tr><th></th><th>program</th><th>kind</th><th>source</th>"
        '<th class="share-head">share</th></tr></thead>\n<tbody>\n'
    )
    for column in columns:
        for number, source in enumerate(column.program.sources, column.first_source):
            yield (
                f'<tr id="s{number}"><td class="n">[{number}]</td><td>{escaped(column.label)}</td>'
                f"<td>{escaped(source.kind)}</td><td>{escaped(source.title)}</td>"
                f"{share_cell(source.share, 1.0)}</tr>\n"
            )
    yield "</tbody>\n</table>\n"


def _assumptions(columns: Sequence[Column]) -> Iterator[str]:
    yield "<h2>Assumptions of the models</h2>\n"
    models = {c.program.cpu: c.program for c in columns}
    for program in models.values():
        yield f"<p>{escaped(program.model)}</p>\n<ul>\n"
        for sentence in program.assumptions:
            yield f"<li>{escaped(sentence)}</li>\n"
        yield "</ul>\n"
