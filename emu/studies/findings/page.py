"""Pages of evidence: one in Markdown for each finding, with pictures, and one that lists them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from emu.base.errors import UsageError
from emu.base.files import write_whole
from emu.base.printable import printable
from emu.evidence.picture import save_png
from emu.studies.findings.model import Finding, Side
from emu.studies.findings.picture import draw_step
from emu.studies.findings.result import FindingResult, Seen, StepResult
from emu.studies.findings.words import command, seen_words, totals

_INDEX = "README.md"
_HEADING = "# Findings"


def possible_files(findings: Sequence[Finding], folder: Path) -> list[Path]:
    """Every file that `write_pages` may write for findings."""
    files = [folder / _INDEX]
    for finding in findings:
        files.append(folder / f"{finding.id}.md")
        files += [
            _picture(folder, finding, number, form)
            for number in range(len(finding.steps))
            for form in ("described", "corrected")
        ]
    return files


def check_folder(folder: Path) -> None:
    """See that the list of pages would not replace a README.md of something else.

    Raises:
        UsageError: it would.
    """
    index = folder / _INDEX
    try:
        with index.open("rb") as file:
            is_ours = file.read(len(_HEADING) + 1) == f"{_HEADING}\n".encode()
    except (OSError, ValueError):  # there is none, or whoever writes it says what is wrong
        return
    if not is_ours:
        raise UsageError(
            f"{index} is no list of findings, and would be replaced by one. Name another folder"
        )


def write_pages(results: Sequence[FindingResult], folder: Path) -> list[Path]:
    """Write a page for each finding into a folder, and its pictures; all files written.

    Raises:
        UsageError: the folder cannot be made.
        InputError: a file cannot be written there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: it cannot be made: {error.strerror}") from error
    written = []
    for result in results:
        pictures = {}
        for number, step in enumerate(result.steps):
            drawn = draw_step(step)
            if drawn is None:
                continue
            names = []
            for form, pixels in (("described", drawn.described), ("corrected", drawn.corrected)):
                if pixels is None:
                    continue
                path = _picture(folder, result.finding, number, form)
                title = f"{result.finding.id}: {result.finding.title} ({form}, {drawn.cpu})"
                save_png(pixels, path, {"Title": title, "Software": "macproof"})
                written.append(path)
                names.append((f"{form}, {drawn.cpu}", path.name))
            pictures[number] = names
        page = folder / f"{result.finding.id}.md"
        write_whole(page, printable(_page(result, pictures)).encode())
        written.append(page)
    index = folder / _INDEX
    write_whole(index, _index(results).encode())
    return [*written, index]


def _picture(folder: Path, finding: Finding, number: int, form: str) -> Path:
    return folder / f"{finding.id}-{number + 1}-{form}.png"


def _index(results: Sequence[FindingResult]) -> str:
    lines = [_HEADING, "", totals(results)]
    post = ""
    for result in results:
        finding = result.finding
        if finding.post != post:
            post = finding.post
            lines += ["", f"## {post[0].upper()}{post[1:]}", ""]
            lines += ["| | finding | processors | status |", "|---|---|---|---|"]
        cpus = ", ".join(result.cpus) or "-"
        lines.append(
            f"| [{finding.id}]({finding.id}.md) | {_cell(finding.title)} | {cpus} "
            f"| {result.status} |"
        )
    return "\n".join(lines) + "\n"


def _page(result: FindingResult, pictures: Mapping[int, Sequence[tuple[str, str]]]) -> str:
    finding = result.finding
    lines = [f"# {finding.id}: {finding.title}", "", f"Published in: {finding.post}.", ""]
    lines += [f"Status: **{result.status}**.", "", finding.says, ""]
    if finding.corrected:
        lines += [f"Corrected: {finding.corrected}", ""]
    if result.why_not_run:
        lines += [f"Not run: {result.why_not_run}", ""]
        return "\n".join(lines)
    lines += [f"{problem}." for problem in result.problems]
    for number, step in enumerate(result.steps):
        lines += _step(step, pictures.get(number, ()))
    lines += [
        f"{result.calls:,} calls; {result.facts:,} facts held against what should be seen; "
        f"{result.comparisons:,} values compared with references.",
        "",
        "To see it again:",
        "",
        f"    {command(result)} --verbose",
        "",
    ]
    return "\n".join(lines)


def _step(result: StepResult, pictures: Sequence[tuple[str, str]]) -> Iterator[str]:
    step = result.step
    yield f"## {step.name[0].upper()}{step.name[1:]}" if step.name else "## What was run"
    yield ""
    if result.skipped:
        yield f"Not run: {result.skipped}."
        yield ""
        return
    yield f"Input: `{step.input}`"
    yield ""
    yield f"As described: {_side(step.described)}."
    if step.corrected is not None:
        yield f"Corrected: {_side(step.corrected)}."
    if step.claimed:
        claimed = ", ".join(f"{name} = {value}" for name, value in step.claimed.items())
        yield f"The post would have: {claimed}."
    yield ""
    yield "| processor | as described | corrected |"
    yield "|---|---|---|"
    for cpu, seen in result.described.items():
        right = _cell(_seen(result.corrected[cpu])) if cpu in result.corrected else "-"
        yield f"| {cpu} | {_cell(_seen(seen))} | {right} |"
    yield ""
    for words, name in pictures:
        yield f"![{words}]({name})"
        yield ""
    if pictures:
        yield (
            "Outlines are objects in a collision, grey ones are in none; framed in red are those "
            "about which the two forms differ. The line is the border of the screen."
        )
        yield ""


def _side(side: Side) -> str:
    what = f"case `{side.case.name}`"
    if side.hosted:
        what = f"program `{side.hosted}`"
    elif side.setup.entry:
        what += f", routine `{side.setup.entry}`"
    if side.setup.defines:
        what += f", compiled with {', '.join(f'`{word}`' for word in side.setup.defines)}"
    for pointer, place in side.setup.point.items():
        what += f", `{pointer}` pointing at {place}"
    return what


def _seen(seen: Seen) -> str:
    checked = [o for o in seen.outcomes if o.agrees is not None]
    words = seen_words(seen)
    if checked and all(o.agrees for o in checked) and len(checked) == len(seen.outcomes):
        words += "; memory as the reference has it"
    return words


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
