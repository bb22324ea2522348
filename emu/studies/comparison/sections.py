"""The report for readers: a conclusion in words, tables, who was wrong, what was not run."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence

from emu.studies.comparison.report import Report
from emu.timing.section import Grid, Section, percent, significant

_ABSENT = "-"
_STANDS_IN = "+"
_FEWEST = "*"


def heading(report: Report) -> str:
    """What the report is about, without a full stop."""
    scenes = report["scenes"]
    kinds = " and ".join(scenes["generators"])
    sizes = scenes["objects"]
    count = len(report["systems"])
    number = f"{sizes[0]:,} to {sizes[-1]:,}" if len(sizes) > 1 else f"{sizes[0]:,}"
    return (
        f"{count} collision system{'s' if count != 1 else ''} on the same objects: {number} of "
        f"{scenes['object_size']} x {scenes['object_size']} pixels, {kinds}, build "
        f"{report['build']}"
    )


def sections(report: Report) -> Iterator[Section]:
    """All sections; those with details are marked so."""
    yield from _problems(report)
    yield Section("Which to use", after=tuple(_conclusion(report)))
    for generator in report["scenes"]["generators"]:
        yield _tests(report, generator)
        for cpu in report["processors"]:
            yield _speeds(report, cpu, generator)
    yield _most(report)
    yield _who(report)
    for what, title in (("instructions", "Instructions of a call"), ("cycles", "Cycles of a call")):
        for generator in report["scenes"]["generators"]:
            for cpu in report["processors"]:
                words = functools.partial(_number, cpu=cpu, what=what)
                grid = _grid(report, _cells(report, generator), words)
                yield Section(f"{title}, {cpu}, {generator}", grid, is_detail=True)
    yield Section("What was run", after=tuple(_basis(report)))
    if report["not_run"]:
        rows = tuple((one["what"], one["why"]) for one in report["not_run"])
        yield Section("Not run", Grid(("what", "why"), rows, words=2))


# -- words -----------------------------------------------------------------------------------


def _problems(report: Report) -> Iterator[Section]:
    wrong = [
        (title, cpu, f"{cell['generator']}, {cell['objects']:,} objects", run["problem"])
        for cell in report["cells"]
        for title in [_title(report, cell["system"])]
        for cpu, run in cell["runs"].items()
        if run["problem"]
    ]
    if wrong:
        columns = ("system", "processor", "scenes", "what happened")
        yield Section("Programs that fail", Grid(columns, tuple(wrong), words=4))


def _conclusion(report: Report) -> Iterator[str]:
    choice = report["choice"]
    if not choice["eligible"]:
        yield "Nothing: no system told who collides and was right about it."
        return
    for cpu, found in choice["by_processor"].items():
        clock = report["processors"][cpu]["megahertz"]
        for generator, best in found["best"].items():
            if best:
                words = _spans(report, best, found["crossovers"][generator])
                yield f"{cpu} at {clock:g} MHz, {generator}, fewest cycles: {words}."
        overall = found["all_round"]
        if overall is not None:
            title = _title(report, overall["system"])
            worst = (
                "it takes the fewest cycles everywhere"
                if overall["ratio"] == 1
                else f"it never takes more than {overall['ratio']:.2f} times the fewest cycles "
                f"({overall['generator']}, {overall['objects']:,} objects)"
            )
            yield f"{cpu}, one system for everything: {title}; {worst}."
    out = [one["title"] for one in report["systems"] if not one["can_be_chosen"]]
    if out:
        yield (
            "Not to be chosen, since they do not tell who collides, were wrong, or have a known "
            f"defect: {'; '.join(out)}."
        )
    own = [one for one in report["systems"] if one["can_be_chosen"] and one["own_rule"]]
    for one in own:
        yield f"{one['title']} answers another question than the others: {one['rule']}."


def _spans(report: Report, best: Sequence[Report], changes: Sequence[Report]) -> str:
    """Which system takes the fewest cycles, from where to where."""
    spans: list[list[Report]] = []
    for one in best:
        if spans and spans[-1][0]["system"] == one["system"]:
            spans[-1].append(one)
        else:
            spans.append([one])
    words = []
    part = percent(report["choice"]["close"]).replace(".0", "")
    for number, span in enumerate(spans):
        first, last = span[0]["objects"], span[-1]["objects"]
        sizes = f"{first:,}" if first == last else f"{first:,} to {last:,}"
        text = f"{_title(report, span[0]['system'])} with {sizes} objects"
        if number:
            at = changes[number - 1]["at"]
            text = f"from about {at:,.0f} on, {text}" if at is not None else f"then {text}"
        close = [
            f"{_title(report, other)}{f' at {one_size}' if len(span) > 1 else ''}"
            for one in span
            for one_size in [f"{one['objects']:,}"]
            for other in one["close"]
        ]
        words.append(text + (f" (within {part} of it: {'; '.join(close)})" if close else ""))
    return "; ".join(words)


# -- tables ----------------------------------------------------------------------------------


def _tests(report: Report, generator: str) -> Section:
    after = ["k: thousands, M: millions."]
    own = [one["title"] for one in report["systems"] if not one["counts_tests"]]
    if own:
        after.append(
            "By the references, whose results the programs' are equal to: "
            f"{'; '.join(own)}. All others count their tests themselves, and the counts are equal."
        )
    cells = _cells(report, generator)
    after += _stand_ins(report, cells)
    return Section(
        f"Tests of two objects in a call, {generator}",
        _grid(report, cells, lambda cell: _short(cell["tests"])),
        after=tuple(after),
    )


def _speeds(report: Report, cpu: str, generator: str) -> Section:
    clock = report["processors"][cpu]["megahertz"]
    best = report["choice"]["by_processor"][cpu]["best"][generator]
    fewest = {(one["system"], one["objects"]) for one in best}

    def words(cell: Report) -> str:
        star = _FEWEST if (cell["system"], cell["objects"]) in fewest else ""
        return _number(cell, cpu, "per_second") + star

    foreign = [
        f"{one['title']}: the program for the {program['compiled_for']}."
        for one in report["systems"]
        for program in [one["forms"][0]["programs"].get(cpu)]
        if program is not None and program["compiled_for"] != cpu
    ]
    return Section(
        f"Calls in a second, {cpu} at {clock:g} MHz, {generator}",
        _grid(report, _cells(report, generator), words),
        after=(f"{_FEWEST} The fewest cycles of those to be chosen from.", *foreign),
    )


def _most(report: Report) -> Section:
    choice = report["choice"]
    columns = [(cpu, g) for cpu in report["processors"] for g in report["scenes"]["generators"]]
    rows = []
    for one in report["systems"]:
        row = [one["title"]]
        for cpu, generator in columns:
            found = choice["by_processor"][cpu]["most_objects"][generator].get(one["name"])
            row.append(_ABSENT if found is None else _how_many(found))
        rows.append(tuple(row))
    titles = ("system", *(f"{cpu}, {generator}" for cpu, generator in columns))
    return Section(
        f"Most objects at {choice['rate']} calls in a second",
        Grid(titles, tuple(rows)),
    )


def _how_many(found: Report) -> str:
    sign = {"at": "", "more than": "> ", "fewer than": "< "}[found["how"]]
    number = found["objects"]
    return f"{sign}{number:,}" if sign else f"{number:,.0f}"


def _who(report: Report) -> Section:
    rows, after = [], []
    for one in report["systems"]:
        if one["blind"]:
            after.append(f"{one['title']} is not asked who collides: {one['blind']}.")
            numbers = ("not asked", *(_ABSENT,) * 4)
        else:
            right = not (one["missed"] or one["invented"])
            known = "wrong, as is known" if one["defect"] else "wrong"
            numbers = (
                ("right" if right else known) if one["judged"] else "not asked",
                f"{one['judged']:,}",
                f"{one['colliding']:,}",
                f"{one['missed']:,}",
                f"{one['invented']:,}",
            )
        rows.append((one["title"], *numbers))
        if one["own_rule"]:
            after.append(f"{one['title']}: two objects collide if {one['rule']}.")
        if one["defect"]:
            after.append(f"{one['title']}, known: {one['defect']}.")
    after.append(
        f"By comparing each object with each. Two collide if {report['scenes']['rule']}, where "
        "nothing else is said; those that only touch do not. Right is to name exactly the objects "
        "that are in a collision; how often a pair is reported does not matter here."
    )
    crowded = max((one["judged_where_all_collide"] for one in report["systems"]), default=0)
    if crowded:
        after.append(
            f"Up to {crowded:,} of the objects are in scenes where every object collides; there, "
            "to find too much would not be seen."
        )
    beyond = [one["title"] for one in report["systems"] if not (one["tells_who"] or one["blind"])]
    if beyond:
        after.append(
            f"{'; '.join(beyond)}: who collides is the reference's answer. The program's own "
            "memory holds it only as far as the reports it keeps, which are equal, as is their "
            "number."
        )
    columns = ("system", "answer", "objects", "colliding", "missed", "invented")
    return Section("Who collides", Grid(columns, tuple(rows), words=2), after=tuple(after))


def _basis(report: Report) -> Iterator[str]:
    scenes = report["scenes"]
    counts = ", ".join(f"{number} with {int(n):,}" for n, number in scenes["count"].items())
    width, height = scenes["area"]
    size = scenes["object_size"]
    yield (
        f"Scenes of each kind: {counts} objects; by {scenes['make']}, seeds from "
        f"{scenes['seed']}; corners in {width} x {height} pixels, so that whole objects are on "
        f"a screen of {width + size} x {height + size}. Figures are means."
    )
    compared = sum(run["comparisons"] for cell in report["cells"] for run in cell["runs"].values())
    yield (
        f"Every call's data memory was compared with what the case's reference demands: "
        f"{compared:,} bytes in all."
    )
    for processor in report["processors"].values():
        yield f"{processor['model']}, at {processor['megahertz']:g} MHz."
    yield from (f"{one['title']}: {one['note']}." for one in report["systems"] if one["note"])
    taken = [one["title"] for one in report["systems"] if one["has_setup"]]
    if taken:
        yield f"What it takes to set up is taken off: {'; '.join(taken)}."
    yield from _bookkeeping(report)


def _bookkeeping(report: Report) -> Iterator[str]:
    """Whose figures are of the method alone, and whose have counts and reports in them."""
    bare = [one for one in report["systems"] if one["timed"] is not None]
    if bare:
        names = "; ".join(f"{one['title']} ({one['timed']['case']})" for one in bare)
        yield (
            "Instructions, cycles and speeds are those of a program of the same source that counts "
            "no tests, keeps no reports and clears no more flags than there are objects, and whose "
            "results were compared on the same scenes; tests are those of the program that counts "
            f"them: {names}."
        )
    full = [one for one in report["systems"] if one["timed"] is None]
    counting = [one["title"] for one in full if one["counts_tests"]]
    if counting:
        yield (
            "Counting tests, keeping reports and clearing tables are in the figures, and may be "
            f"much of them: {'; '.join(counting)}."
        )
    other = [one["title"] for one in full if not one["counts_tests"]]
    if other:
        yield (
            "No count of tests is in the program, but whatever else it does beside looking for "
            f"collisions is in the figures: {'; '.join(other)}."
        )


def _stand_ins(report: Report, cells: Mapping[tuple[str, int], Report]) -> Iterator[str]:
    names = {cell["stand_in"]: cell["system"] for cell in cells.values() if cell["stand_in"]}
    for case, system in names.items():
        yield f"{_STANDS_IN} {_title(report, system)} by the case {case}, which has more room."


def _cells(report: Report, generator: str) -> dict[tuple[str, int], Report]:
    """Cells of one kind of scenes by system and number of objects, without those refused."""
    return {
        (cell["system"], cell["objects"]): cell
        for cell in report["cells"]
        if cell["generator"] == generator and not cell["refused"]
    }


def _grid(
    report: Report,
    cells: Mapping[tuple[str, int], Report],
    words: Callable[[Report], str],
) -> Grid:
    """A row for each system, a column for each number of objects."""
    sizes = report["scenes"]["objects"]
    rows = []
    for one in report["systems"]:
        row = [one["title"]]
        for objects in sizes:
            cell = cells.get((one["name"], objects))
            mark = _STANDS_IN if cell is not None and cell["stand_in"] else ""
            row.append(_ABSENT if cell is None else words(cell) + mark)
        rows.append(tuple(row))
    return Grid(("objects", *(f"{n:,}" for n in sizes)), tuple(rows))


def _number(cell: Report, cpu: str, what: str) -> str:
    run = cell["runs"].get(cpu)
    return _ABSENT if run is None or run["problem"] else _short(run[what])


def _short(number: float) -> str:
    """A number of three digits that count, with a letter for thousands or millions."""
    if number >= 999_500:
        return significant(number / 1e6) + "M"
    return significant(number / 1e3) + "k" if number >= 9_995 else significant(number)


def _title(report: Report, name: str) -> str:
    return next(str(one["title"]) for one in report["systems"] if one["name"] == name)
