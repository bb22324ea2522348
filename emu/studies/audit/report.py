"""The audit as a report: the values of JSON schema ``macproof.audit/1``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from emu.cycles.models import MODELS
from emu.machine.provenance import Provenance
from emu.studies.audit.claims import Run
from emu.studies.audit.rules import VERDICTS, WITH_CONDITION
from emu.studies.audit.run import Answer, Audit, Drawn

SCHEMA = "macproof.audit/1"
NOTE = (
    "Counts are facts of the references and of emulation. What is marked (model) rests on cycle "
    "models and is a prediction."
)


@dataclass(frozen=True, slots=True)
class AuditedPost:
    """A post with claims.

    Attributes:
        post: its number.
        title: what it is.
        by: who wrote it, as far as is known.
    """

    post: str
    title: str
    by: str


@dataclass(frozen=True, slots=True)
class Measurement:
    """What measured compiled code.

    Attributes:
        with_: the Python function that gave figures, package.module:name.
        scenes: the one that gave scenes.
    """

    with_: str
    scenes: str


@dataclass(frozen=True, slots=True)
class AuditedClaim:
    """A claim and what came of it.

    Attributes:
        post: the number of its post.
        id: its name.
        says: what is claimed.
        number: the number that is claimed, or "".
        verdict: holds, holds with a condition, does not hold, cannot be measured, or not run.
        found: what was measured, in a sentence; for a claim that was not measured, why.
        condition: the condition under which it holds, if that is the verdict, or "".
        figures: what was measured, by name.
        rule: how the verdict follows from the figures, or "" of what cannot be measured.
        rule_rests_on: why the rule's limits are what they are, or "".
        model: whether the figures are predictions of a cycle model.
        measure: the Python function that gave figures, or "".
        run: what measured compiled code, or null.
        reproduce: the command that measures it again, or "" of what cannot be measured.
    """

    post: str
    id: str
    says: str
    number: str
    verdict: str
    found: str
    condition: str
    figures: Mapping[str, float]
    rule: str
    rule_rests_on: str
    model: bool
    measure: str
    run: Measurement | None
    reproduce: str

    @property
    def found_words(self) -> str:
        """What was found, with what goes with it."""
        model = " (model)" if self.model and self.figures else ""
        condition = f". Condition: {self.condition}" if self.condition else ""
        return self.found + model + condition


@dataclass(frozen=True, slots=True)
class AuditedPlot:
    """The series of a plot.

    Attributes:
        id: its name.
        title: its heading.
        kind: "log-log" for lines on logarithmic axes, or "bars".
        x: what is on the horizontal axis.
        y: and on the other.
        note: what is to be known of the series, or "".
        series: values by whole numbers, by the series' names.
        exponents: for lines, the k for which values grow as n to the power of k, or null.
    """

    id: str
    title: str
    kind: str
    x: str
    y: str
    note: str
    series: Mapping[str, Mapping[int, float]]
    exponents: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class ModelClock:
    """A cycle model.

    Attributes:
        title: the processor and what is around it.
        megahertz: its clock.
    """

    title: str
    megahertz: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(Provenance):
    """What the report rests on.

    Attributes:
        programs: where compiled programs came from: auto, compiled or prebuilt.
        models: the cycle model of each processor, by the processor's name.
    """

    programs: str
    models: Mapping[str, ModelClock]


@dataclass(frozen=True, slots=True)
class AuditReport:
    """Claims of posts, measured.

    Attributes:
        note: what is counted, and what is predicted.
        posts: the posts.
        verdicts: how many claims have each verdict.
        claims: the claims, in the order of the posts.
        plots: the series of plots.
        receipt: what the report rests on.
    """

    note: str
    posts: Sequence[AuditedPost]
    verdicts: Mapping[str, int]
    claims: Sequence[AuditedClaim]
    plots: Sequence[AuditedPlot]
    receipt: Receipt

    @property
    def tally(self) -> str:
        """How many claims have each verdict, in words."""
        return ", ".join(f"{count} {verdict}" for verdict, count in self.verdicts.items() if count)


def make_report(
    audit: Audit, *, command: Sequence[str], programs: str, seconds: float
) -> AuditReport:
    """The report.

    Args:
        audit: what was measured.
        command: the command line.
        programs: where compiled programs came from: auto, compiled or prebuilt.
        seconds: how long it took.
    """
    counts = [answer.verdict for answer in audit.answers]
    return AuditReport(
        note=NOTE,
        posts=[AuditedPost(post.number, post.title, post.by) for post in audit.posts],
        verdicts={verdict: counts.count(verdict) for verdict in VERDICTS},
        claims=[_claim(answer) for answer in audit.answers],
        plots=[_plot(drawn) for drawn in audit.drawn],
        receipt=Receipt(
            command=command,
            seconds=round(seconds, 3),
            programs=programs,
            models={cpu: ModelClock(one.title, one.megahertz) for cpu, one in MODELS.items()},
        ),
    )


def _claim(answer: Answer) -> AuditedClaim:
    claim = answer.claim
    return AuditedClaim(
        post=claim.post,
        id=claim.id,
        says=claim.says,
        number=claim.number,
        verdict=answer.verdict,
        found=answer.found,
        condition=claim.condition if answer.verdict == WITH_CONDITION else "",
        figures=answer.figures,
        rule="" if claim.rule is None else str(claim.rule),
        rule_rests_on=claim.rule_rests_on,
        model=claim.is_model,
        measure=claim.measure,
        run=_measurement(claim.run),
        reproduce="" if claim.rule is None else f"macproof audit {claim.id}",
    )


def _measurement(run: Run | None) -> Measurement | None:
    return None if run is None else Measurement(run.measure, run.scenes)


def growth(values: Mapping[int, float]) -> float | None:
    """The k for which values grow as n to the power of k, by least squares of logarithms.

    None where there is no such thing: of fewer than two values, or of one that is not above 0.
    """
    sizes, heights = np.array(list(values)), np.array(list(values.values()))
    if len(values) < 2 or (sizes <= 0).any() or (heights <= 0).any():
        return None
    return float(np.polyfit(np.log(sizes), np.log(heights), 1)[0])


def _plot(drawn: Drawn) -> AuditedPlot:
    plot = drawn.plot
    is_growth = plot.kind == "log-log"
    return AuditedPlot(
        id=plot.id,
        title=plot.title,
        kind=plot.kind,
        x=plot.x,
        y=plot.y,
        note=plot.note,
        series=drawn.series,
        exponents={name: growth(values) for name, values in drawn.series.items() if is_growth},
    )
