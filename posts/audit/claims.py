"""Claim files: what a post says, how that is measured, and by which rule it is judged."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emu.base.yaml_document import YamlDocument, YamlPath, did_you_mean
from macproof import UsageError
from posts.audit.rules import Rule

_CLAIMS = Path(__file__).parents[1] / "claims"


@dataclass(frozen=True, slots=True)
class ClaimRun:
    """A measurement with compiled code.

    Attributes:
        with_: the dotted name of a Python function ``(workbench, scenes) -> figures``.
        scenes: the dotted name of a Python function that returns scenes by the names of cases.
    """

    with_: str
    scenes: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim.

    Attributes:
        post: the post's number.
        id: its name, unique among all claims.
        says: what is claimed, in our words.
        number: the number that is claimed, or "".
        measure: the dotted name of a Python function that returns figures, or "".
        run: a measurement with compiled code, or None. A claim may have both measurements, one
            or neither.
        found: the sentence that tells the result, with the names of figures in braces, such as
            "{missed} pairs are missed".
        rule: how the verdict follows from the figures; None if the claim cannot be measured.
        condition: in words, the condition under which the claim holds, for the verdict that it
            holds with a condition.
        rule_rests_on: why the rule's limits are what they are, or "".
        is_model: whether the figures are predictions of a cycle model.
        cannot: why the claim cannot be measured, or "".
    """

    post: str
    id: str
    says: str
    number: str = ""
    measure: str = ""
    run: ClaimRun | None = None
    found: str = ""
    rule: Rule | None = None
    condition: str = ""
    rule_rests_on: str = ""
    is_model: bool = False
    cannot: str = ""

    def tell(self, figures: Mapping[str, float]) -> str:
        """The sentence `found` with the figures put in.

        Raises:
            UsageError: the sentence names a figure that was not measured, or is malformed.
        """
        whole = {name: _whole(value) for name, value in figures.items()}
        try:
            return self.found.format_map(whole)
        except (KeyError, ValueError, IndexError, AttributeError) as error:
            raise UsageError(
                f"claim {self.id}: {self.found!r} does not fit the figures "
                f"{', '.join(figures)}: {error!r}"
            ) from error


@dataclass(frozen=True, slots=True)
class ClaimPlot:
    """A plot of measured series.

    Attributes:
        id: its file's name without suffix.
        title: its heading.
        kind: "log-log" or "bars".
        data: the dotted names of Python functions that return series (lines or groups of bars) by
            name.
        x: the label of the horizontal axis.
        y: the label of the vertical axis.
        note: a remark about the series, or "".
    """

    id: str
    title: str
    kind: str
    data: tuple[str, ...]
    x: str
    y: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Post:
    """A post and its claims."""

    path: Path
    number: str
    title: str
    by: str
    claims: tuple[Claim, ...]
    plots: tuple[ClaimPlot, ...]


def find_posts(folder: Path | None = None) -> Iterator[Path]:
    """The claim files of a folder, of ``posts/claims`` if none is given."""
    return iter(sorted((folder or _CLAIMS).glob("*.yaml")))


def load_posts(numbers: Sequence[str] = (), folder: Path | None = None) -> list[Post]:
    """Posts by their numbers, all of them if none is given.

    Raises:
        CaseError: a file is wrong.
        UsageError: there is no such post, or two claims or plots have one name.
    """
    posts = [read_post(path) for path in find_posts(folder)]
    post_numbers = [post.number for post in posts]
    for number in numbers:
        if number not in post_numbers:
            raise UsageError(f"there is no post {number}{did_you_mean(number, post_numbers)}")
    for names in (
        post_numbers,
        [claim.id for post in posts for claim in post.claims],
        [plot.id for post in posts for plot in post.plots],
    ):
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise UsageError(f"{twice[0]} is the name of two claims or plots")
    return [post for post in posts if not numbers or post.number in numbers]


def read_post(path: Path) -> Post:
    """Read and check a file of claims.

    Raises:
        CaseError: with the line, and a suggestion where a word is misspelled.
    """
    document = YamlDocument(path, "a file of claims")
    document.check_by_file("posts.audit:claims.schema.json")
    data = document.data
    return Post(
        path=path.resolve(),
        number=data["post"],
        title=data["title"],
        by=data["by"],
        claims=tuple(
            _claim(document, ("claims", index), data["post"], claim)
            for index, claim in enumerate(data["claims"])
        ),
        plots=tuple(
            ClaimPlot(**{**plot, "data": tuple(plot["data"])}) for plot in data.get("plots", [])
        ),
    )


def _claim(document: YamlDocument, place: YamlPath, post: str, data: Mapping[str, Any]) -> Claim:
    is_measured = "measure" in data or "run" in data
    if is_measured == ("cannot_be_measured" in data):
        raise document.error(
            place, "a claim needs measure, run or both; or cannot_be_measured with the reason"
        )
    if is_measured and not ("found" in data and {"holds", "with_condition"} & data.keys()):
        raise document.error(place, "a measured claim needs found, and holds or with_condition")
    if ("with_condition" in data) != ("condition" in data):
        raise document.error(place, "with_condition and condition must be given together")
    try:
        list(string.Formatter().parse(data.get("found", "")))
        rule = (
            Rule.parse(data.get("holds", ()), data.get("with_condition", ()))
            if is_measured
            else None
        )
    except (UsageError, ValueError) as error:
        raise document.error(place, str(error)) from error
    run = data.get("run")
    return Claim(
        post=post,
        id=data["id"],
        says=_one_line(data["says"]),
        number=data.get("number", ""),
        measure=data.get("measure", ""),
        run=ClaimRun(run["with"], run["scenes"]) if run else None,
        found=_one_line(data.get("found", "")),
        rule=rule,
        condition=_one_line(data.get("condition", "")),
        rule_rests_on=_one_line(data.get("rule_rests_on", "")),
        is_model=data.get("model", False),
        cannot=_one_line(data.get("cannot_be_measured", "")),
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _whole(value: float) -> float:
    """A number as an int if it is whole, so that it is printed without a decimal point."""
    return int(value) if float(value).is_integer() else value
