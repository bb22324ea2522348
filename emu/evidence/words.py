"""A report's facts as the words and cells that its readable forms share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from emu.evidence.report import Report
from emu.verify.fills import Fill

_FINDINGS_TOLD = 5
_WEIGHTS = {
    "refutes": "it would not run on the real processor",
    "undecided": "undecided",
    "note": "note",
}


def row(result: Report) -> tuple[str, ...]:
    """One result as the cells of a table."""
    measured = result["instructions"]
    count = f"{measured['count']:,}" if measured else "-"
    return (
        result["cpu"],
        result["build"],
        result["verdict"],
        f"{result['distinct_scenes']:,}",
        f"{result['comparisons']:,}",
        count,
    )


def line(report: Report) -> str:
    """One case of many: its name, what it was run on, and how much was compared."""
    receipt, results = report["receipt"], report["results"]
    cpus = dict.fromkeys(result["cpu"] for result in results)
    return (
        f"{receipt['case']['name']:<36} {len(results):>3} programs for {', '.join(cpus)}; "
        f"{receipt['scenes']['distinct']:,} scenes, {receipt['comparisons']:,} values compared "
        f"in {receipt['seconds']:.1f} s"
    )


def summary(reports: Sequence[Report]) -> list[str]:
    """Many cases together, and what was not run, with the cases that have it in common."""
    lines = []
    left: dict[tuple[str, str], list[str]] = {}
    for report in reports:
        for item in report["not_run"]:
            key = (item["what"], item["why"])
            left.setdefault(key, []).append(report["receipt"]["case"]["name"])
    for (what, why), names in left.items():
        lines.append(f"Not run ({_together(names, 'cases')}): {what}: {why}.")
    verdicts = Counter(report["verdict"] for report in reports)
    results = [result for report in reports for result in report["results"]]
    lines += _instructions((f"{r['case']} {r['cpu']} {r['build']}", r) for r in results)
    caveat = _not_watched(results)
    if caveat:
        lines.append(f"{caveat[0].upper()}{caveat[1:]}.")
    calls = sum(result["calls"] for result in results)
    receipts = [report["receipt"] for report in reports]
    lines.append(
        f"Cases: {len(reports)} ({', '.join(f'{n} {word}' for word, n in verdicts.items())}); "
        f"programs: {len(results)}; calls: {calls:,}; "
        f"{sum(r['comparisons'] for r in receipts):,} values and "
        f"{sum(r['bytes_compared'] for r in receipts) / 1e6:,.0f} MB of data memory compared "
        f"in {sum(r['seconds'] for r in receipts):.1f} s."
    )
    return lines


def believe(report: Report) -> str:
    """Why to believe the verdict, in a few sentences of facts."""
    receipt = report["receipt"]
    results = report["results"]
    scenes = receipt["scenes"]
    calls = sum(r["calls"] for r in results)
    text = (
        f"Programs: {len(results)}; scenes: {scenes['count']:,}, {scenes['distinct']:,} of them "
        f"distinct; calls: {calls:,}. "
        f"{receipt['comparisons']:,} values compared with "
        f"{receipt['reference']}, and {receipt['bytes_compared'] / 1e6:,.0f} MB of data memory "
        "compared with what it had to be."
    )
    if scenes["seeds"]:
        text += (
            f" Scenes of {', '.join(map(str, scenes['objects']))} objects, "
            f"{', '.join(scenes['generators'])}, seeds {scenes['seeds'][0]} to "
            f"{scenes['seeds'][1]}."
        )
    text += _memory(report)
    measured = next((r["instructions"] for r in results if r["instructions"]), None)
    if measured:
        text += f" Instructions are those of one call ({scene_words(measured)})."
    violated = sum(r["violated"] for r in results)
    faults = sum(bool(r["fault"]) for r in results)
    if violated or faults:
        return f"{text} Calls that broke the contract: {violated:,}; programs given up: {faults}."
    if not calls:
        return f"{text} Nothing was called, so nothing is known."
    return f"{text} Every call came back with stack and preserved registers restored."


def _memory(report: Report) -> str:
    """How memory was filled before calls, and in how many scenes it changed."""
    fills = [f"{one['words']} (calls: {one['calls']:,})" for one in report["receipt"]["memory"]]
    text = (
        " What a routine was promised nothing about (observed memory, ends of input arrays that "
        "no scene fills, the stack, registers) was before a call "
        f"{', '.join(fills[:-1])} or {fills[-1]}."
    )
    called = [result for result in report["results"] if result["scenes"]]
    if called:
        least = min(called, key=lambda result: result["changed_scenes"] / result["scenes"])
        text += (
            f" Calls changed data memory in {least['changed_scenes']:,} of "
            f"{least['scenes']:,} scenes{' at least' if len(called) > 1 else ''}."
        )
    return text


def caveats(report: Report) -> str:
    """For the verdict's line: scenes that are alike, and what nothing noticed here; or ""."""
    results = report["results"]
    texts = [_not_watched(results)]
    distinct = report["receipt"]["scenes"]["distinct"]
    ran = max((result["scenes"] for result in results), default=0)
    if distinct < ran:
        plural = "" if distinct == 1 else "s"
        texts.insert(0, f"{distinct:,} distinct scene{plural} of {ran:,}")
    return "; ".join(filter(None, texts))


def _not_watched(results: Sequence[Report]) -> str:
    unwatched: dict[str, dict[str, None]] = {}
    for result in results:
        for what in result["not_watched"]:
            unwatched.setdefault(what, {})[result["cpu"]] = None
    texts = [f"{what} were not watched on the {', '.join(c)}" for what, c in unwatched.items()]
    return "; ".join(texts)


def instructions(report: Report) -> list[str]:
    """Instructions that a processor has not or others have not, and programs without this check."""
    return _instructions((f"{one['cpu']} {one['build']}", one) for one in report["results"])


def _instructions(results: Iterable[tuple[str, Report]]) -> list[str]:
    lines: dict[str, list[str]] = {}
    for name, result in results:
        findings = result["isa"]["findings"]
        for finding in findings[:_FINDINGS_TOLD]:
            kind = _WEIGHTS[finding["weight"]]
            text = f"{kind}: {finding['mnemonic']} {finding['why']}; at {finding['place']}"
            lines.setdefault(text, []).append(name)
        if len(findings) > _FINDINGS_TOLD:
            more = len(findings) - _FINDINGS_TOLD
            lines.setdefault(f"{more} more such instructions", []).append(name)
        if not result["isa"]["checked"]:
            text = f"macproof has no table of the instructions of {result['cpu']}; none was checked"
            lines.setdefault(text, []).append(name)
    return [f"{_together(names)}: {text}." for text, names in lines.items()]


def borrowed(report: Report) -> list[str]:
    """What a program's own file does not say, and which file says it."""
    lines = []
    for result in report["results"]:
        name = Path(result["program"]["file"]).name
        symbols, types = result["program"]["symbols"], result["program"]["types"]
        if symbols:
            lines.append(f"Symbols of {name} from {symbols['file']}.")
        if types:
            lines.append(
                f"{name} does not say what {', '.join(types['variables'])} are made of: types "
                f"from the case's own program, build {types['build']} ({types['file']}); "
                "addresses are the application's, sizes agree."
            )
    return lines


def failures(report: Report, *, whole: bool = False) -> list[str]:
    """The first failure of every program, with programs that fail alike named together.

    ``whole`` keeps the details of a fault: registers and the last blocks.
    """
    alike: dict[str, list[str]] = {}
    for result in report["results"]:
        text = result["fault"]
        if result["failures"]:
            first = result["failures"][0]
            text = f"{scene_words(first)}: {first['summary']}"
        if not text and not result["isa"]["findings"]:
            text = result["undecided"]
        if text:
            alike.setdefault(text if whole else text.splitlines()[0], []).append(
                f"{result['cpu']} {result['build']}"
            )
    return [f"{_together(names)}: {text}" for text, names in alike.items()]


def scene_words(scene: Report) -> str:
    """A scene of a report in words."""
    count = scene["objects"]
    plural = "" if count == 1 else "s"
    fill = Fill(scene["fill"])
    memory = "" if fill is Fill.LOADED else f", memory {fill.words}"
    return f"{scene['generator']}, {count} object{plural}, seed {scene['seed']}{memory}"


def _together(names: list[str], kind: str = "programs") -> str:
    if len(names) <= 3:
        return ", ".join(names)
    return f"{names[0]} and {len(names) - 1} other {kind}"
