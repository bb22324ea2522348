"""The parts of the annotated page with source text, and with code that has no source text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from emu.timing.page_parts import Column, FileLine, escaped, head_rows, share_cell
from emu.timing.profile_report import ProfiledFile, ProfiledInstruction
from emu.timing.profile_words import NO_SYMBOL, place_words, share_words
from emu.timing.profiling import SourceTexts

_HOT, _WARM = 0.4, 0.1  # relative to the share of the most expensive line
_FOLDED = 20  # as many lines without code, or more, are folded into one row
_NEAR = 6  # lines this near to a line with code are never folded

READING = (
    "The columns beside the source: executed is how often the most frequent instruction of the "
    "line was executed, wherever the compiler moved it. It is 0 if the line has code that was not "
    "executed, and empty if the line has no code. Instr. is the number of instructions of the line "
    "that were executed. The most expensive line of a column has the longest bar. Open a line to "
    "see its machine instructions."
)


def source_table(
    index: int, file: ProfiledFile, columns: Sequence[Column], texts: SourceTexts
) -> Iterator[str]:
    """Write one source file with the costs of its lines.

    Args:
        index: the index of the file in the report, for links.
        file: the file.
        columns: the programs.
        texts: the text of the sources.
    """
    name = file.name
    yield f"<h2>{escaped(name)}</h2>\n"
    if name not in texts.lines:
        yield (
            f'<p class="warning">There is no text of {escaped(name)}: '
            f"{escaped(texts.missing[name])}. Its code is listed by function below.</p>\n"
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
    """Divide a file into ranges of lines that are shown or folded together.

    A line with code, or near one, is a range of its own. The lines between two such lines are one
    range.

    Yields:
        The numbers of the first and the last line of each range, in order.
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
    """One row for several lines without code. It opens to their text."""
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
    """A table of the machine instructions of a line or function, with the source of each price."""
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
    """The instructions that belong to no line of a shown source, by program and function."""
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
