"""The source in an annotated page, with costs beside it, and code that has no source."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from emu.timing.page_parts import Column, FileLine, escaped, head_rows, share_cell
from emu.timing.profile_report import ProfiledFile, ProfiledInstruction
from emu.timing.profile_words import NO_SYMBOL, place_words, share_words
from emu.timing.profiling import SourceTexts

_HOT, _WARM = 0.4, 0.1  # parts of what the hottest line has
_FOLDED = 20  # lines without code that are put away
_NEAR = 6  # lines about code that are not

READING = (
    "In the source: executed is how often that instruction of a line was executed that was so most "
    "often, wherever the compiler has moved it; 0 is code that never was, and nothing stands "
    "beside a line without code. Instructions are all that were executed of the line. The longest "
    "bar of a column is that of its hottest line. A line opens to its machine instructions."
)


def source_table(
    index: int, file: ProfiledFile, columns: Sequence[Column], texts: SourceTexts
) -> Iterator[str]:
    """One source file with the costs of its lines.

    Args:
        index: the file's number in the report, for links.
        file: its part of the report.
        columns: the programs.
        texts: the text of the sources.
    """
    name = file.name
    yield f"<h2>{escaped(name)}</h2>\n"
    if name not in texts.lines:
        yield (
            f'<p class="warning">There is no text of {escaped(name)}: '
            f"{escaped(texts.missing[name])}. Its code is listed by function, below.</p>\n"
        )
        return
    yield '<table class="source">\n'
    heads = ("executed", "instr.", "cycles", "share")
    yield head_rows(columns, heads, left=("",), right=("source",))
    yield "<tbody>\n"
    lines = texts.lines[name]
    for first, last in _stretches(name, len(lines), columns):
        if last - first < _FOLDED:
            for number in range(first, last + 1):
                yield _source_line(index, (name, number), lines[number - 1], columns)
        else:
            yield _folded(first, lines[first - 1 : last], len(heads) * len(columns))
    yield "</tbody>\n</table>\n"


def _stretches(name: str, count: int, columns: Sequence[Column]) -> Iterator[tuple[int, int]]:
    """First and last lines of the parts of a file, in order.

    A line with code or near some is a part of its own; lines in between are one together.
    """
    places = {place for column in columns for place in (*column.lines, *column.never)}
    shown = {
        near
        for file, line in places
        if file == name and line is not None
        for near in range(line - _NEAR, line + _NEAR + 1)
    }
    first = 1
    for number in range(1, count + 1):
        if number in shown:
            if first < number:
                yield first, number - 1
            yield number, number
            first = number + 1
    if first <= count:
        yield first, count


def _folded(first: int, lines: Sequence[str], width: int) -> str:
    """A row that opens to lines without code."""
    last = first + len(lines) - 1
    text = "\n".join(f"{number:>6}  {escaped(line)}" for number, line in enumerate(lines, first))
    summary = f"lines {first} to {last}: no code in the program"
    return (
        f'<tr class="folded"><td></td><td class="first" colspan="{width}"></td>'
        f'<td class="text code"><details><summary>{summary}</summary>'
        f"<pre>{text.rstrip()}</pre></details></td></tr>\n"
    )


def _source_line(index: int, place: FileLine, text: str, columns: Sequence[Column]) -> str:
    cells = []
    heat = 0.0
    for column in columns:
        cost = column.lines.get(place)
        if cost is not None:
            heat = max(heat, cost.share / column.most if column.most else 0.0)
            cells.append(
                f'<td class="n first">{cost.executed:,.1f}</td>'
                f'<td class="n">{cost.instructions:,.1f}</td>'
                f'<td class="n">{cost.cycles:,.1f}</td>'
                f"{share_cell(cost.share, column.most)}"
            )
        else:
            never = "0" if place in column.never else ""
            cells.append(
                f'<td class="n first quiet">{never}</td><td></td><td></td><td class="share"></td>'
            )
    kind = ' class="hot"' if heat >= _HOT else ' class="warm"' if heat >= _WARM else ""
    shown = escaped(text) or " "
    lists = "".join(
        _instructions(column, column.code[place], column.label)
        for column in columns
        if place in column.code
    )
    body = (
        f"<details><summary>{shown}</summary>\n{lists}</details>"
        if lists
        else f"<pre>{shown}</pre>"
    )
    return (
        f'<tr id="f{index}-{place[1]}"{kind}><td class="code number">{place[1]}</td>'
        f'{"".join(cells)}<td class="text code">{body}</td></tr>\n'
    )


def _instructions(
    column: Column, items: Sequence[ProfiledInstruction], caption: str, *, with_lines: bool = False
) -> str:
    """The machine instructions of a line or a function, with what prices each."""
    line_head = "<th>line</th>" if with_lines else ""
    parts = [
        f"<table><caption>{escaped(caption)}</caption>\n<thead><tr><th>address</th><th>in</th>"
        f'<th>instruction</th><th class="n">executed</th><th class="n">cycles</th>'
        f'<th class="n">each</th><th>table cell</th><th>rests on</th>{line_head}</tr></thead>\n'
        "<tbody>\n"
    ]
    for item in items:
        within = NO_SYMBOL
        if item.function:
            within = f"{escaped(item.function)}+{item.offset:#x}"
        source = column.program.sources[item.source]
        number = column.first_source + item.source
        each = item.cycles / item.executed
        line_cell = f"<td>{escaped(place_words(item))}</td>" if with_lines else ""
        parts.append(
            f"<tr><td>{item.address:08x}</td><td>{within}</td><td>{escaped(item.text)}</td>"
            f'<td class="n">{item.executed:,.1f}</td><td class="n">{item.cycles:,.1f}</td>'
            f'<td class="n">{each:.2f}</td><td>{escaped(item.cell)}</td>'
            f'<td>{source.kind} <a href="#s{number}">[{number}]</a></td>{line_cell}</tr>\n'
        )
    parts.append("</tbody></table>\n")
    return "".join(parts)


def code_without_text(columns: Sequence[Column], texts: SourceTexts) -> Iterator[str]:
    """Instructions that stand under no line above, by program and function."""
    is_begun = False
    for column in columns:
        functions: defaultdict[str, list[ProfiledInstruction]] = defaultdict(list)
        for item in column.program.code:
            if item.file not in texts.lines:
                functions[item.function or NO_SYMBOL].append(item)
        if not functions:
            continue
        if not is_begun:
            yield "<h2>Code without source text</h2>\n"
            is_begun = True
        cycles = sum(item.cycles for items in functions.values() for item in items)
        part = share_words(cycles / column.program.cycles) if cycles else share_words(0.0)
        yield (
            f"<p>{escaped(column.label)}: {cycles:,.1f} cycles of a call, {part} of all, by "
            "function:</p>\n"
        )
        costs = {name: sum(i.cycles for i in items) for name, items in functions.items()}
        for name, items in sorted(functions.items(), key=lambda each: -costs[each[0]]):
            is_open = "" if column.program.has_lines else " open"
            summary = f"<code>{escaped(name)}</code>: {costs[name]:,.1f} cycles"
            yield f"<details{is_open}><summary>{summary}</summary>\n"
            yield _instructions(column, items, column.label, with_lines=True)
            yield "</details>\n"
