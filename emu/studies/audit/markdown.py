"""The audit as Markdown, with every rule and every figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from emu.base.printable import printable
from emu.studies.audit.report import Report, claims_of, found_words, tally


def to_markdown(report: Report, pictures: Mapping[str, str] | None = None) -> str:
    """All of the report.

    Args:
        report: the report.
        pictures: where the plots lie, seen from the Markdown's own folder, by their ids.
    """
    lines = ["# What the posts claim, measured", "", tally(report) + ".", "", report["note"]]
    for post in report["posts"]:
        claims = claims_of(report, post["post"])
        if claims:
            lines += ["", f"## {_text(post['post'])}: {_text(post['title'])} ({_text(post['by'])})"]
            lines += ["", *_summary(claims)]
    for plot in report["plots"]:
        lines += ["", *_plot(plot, (pictures or {}).get(plot["id"], ""))]
    lines += ["", "## Rules and figures"]
    for claim in report["claims"]:
        lines += ["", *_details(claim)]
    receipt = report["receipt"]
    lines += [
        "",
        "## Receipt",
        "",
        f"* Command: `{' '.join(receipt['command'])}`",
        f"* macproof {receipt['macproof']}, Python {receipt['python']}, NumPy {receipt['numpy']}",
        f"* Engine: {_text(_words(receipt['engine']))}; programs: {receipt['programs']}",
        *(
            f"* Model of the {cpu}: {_text(model['title'])}, at {model['megahertz']:g} MHz"
            for cpu, model in receipt["models"].items()
        ),
        f"* {receipt['seconds']:.1f} s",
    ]
    return printable("\n".join(lines)) + "\n"


def _summary(claims: list[Report]) -> Iterator[str]:
    yield "| Claim | Number | Measured | Verdict | Again |"
    yield "| --- | --- | --- | --- | --- |"
    for claim in claims:
        cells = [claim["says"], claim["number"], found_words(claim), claim["verdict"]]
        again = f"`{claim['reproduce']}`" if claim["reproduce"] else ""
        yield f"| {' | '.join(map(_text, cells))} | {again} |"


def _plot(plot: Report, picture: str) -> Iterator[str]:
    yield f"## {_text(plot['title'])}"
    yield ""
    if picture:
        yield f"![{_text(plot['title'])}]({picture})"
        yield ""
    columns = list(dict.fromkeys(x for values in plot["series"].values() for x in values))
    heads = [*columns, *(["grows as n to the"] if plot["exponents"] else [])]
    yield f"| {_text(plot['y'])}, by {_text(plot['x'])} | {' | '.join(heads)} |"
    yield "| --- |" + " --: |" * len(heads)
    for name, values in plot["series"].items():
        cells = [f"{values[x]:,.6g}" if x in values else "" for x in columns]
        if plot["exponents"]:
            power = plot["exponents"][name]
            cells.append("" if power is None else f"{power:.2f}")
        yield f"| {_text(name)} | {' | '.join(cells)} |"
    yield from _note(plot)


def _note(plot: Report) -> Iterator[str]:
    if plot["note"]:
        yield ""
        yield _text(plot["note"])


def _details(claim: Report) -> Iterator[str]:
    yield f"### {claim['id']}"
    yield ""
    yield f"Post {claim['post']}. {_text(claim['says'])} **{claim['verdict']}**"
    if not claim["rule"]:
        yield f"because: {_text(claim['found'])}"
        return
    yield ""
    yield f"* Rule: {_text(claim['rule'])}."
    if claim["rule_rests_on"]:
        yield f"* Its limits: {_text(claim['rule_rests_on'])}"
    if claim["measure"]:
        yield f"* Measured by `{claim['measure']}`."
    if claim["run"]:
        yield f"* Compiled code by `{claim['run']['with']}` on `{claim['run']['scenes']}`."
    if claim["figures"]:
        yield "* Figures: " + _text(
            ", ".join(f"{name} = {value:.10g}" for name, value in claim["figures"].items())
        ).replace("_", "\\_")
    else:
        yield f"* Not run: {_text(claim['found'])}"


def _words(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {one}" for key, one in value.items())
    return str(value)


def _text(text: str) -> str:
    """Words as they are: what Markdown would take for its own is escaped."""
    for character in "\\*|<`":
        text = text.replace(character, f"\\{character}")
    return text.replace("\n", " ")
