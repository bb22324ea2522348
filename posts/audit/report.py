"""The data of the JSON form ``macproof.audit/1`` of ``macproof audit``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from emu.cycles.models import MODELS
from emu.machine.provenance import Provenance
from posts.audit.claims import ClaimRun
from posts.audit.rules import VERDICTS, WITH_CONDITION
from posts.audit.run import Audit, ClaimVerdict, PlotSeries
from posts.power_law import exponent

SCHEMA = "macproof.audit/1"
NOTE = (
    "Counts are facts: the references and the emulator count them. Figures marked (model) are "
    "predictions of cycle models."
)


@dataclass(frozen=True, slots=True)
class AuditedPost:
    """A post with claims.

    Attributes:
        post: its number.
        title: its subject.
        by: its author, or "" if that is not known.
    """

    post: str
    title: str
    by: str


@dataclass(frozen=True, slots=True)
class AuditedClaim:
    """A claim and its verdict.

    Attributes:
        post: the number of its post.
        id: its name.
        says: what is claimed.
        number: the number that is claimed, or "".
        verdict: holds, holds with a condition, does not hold, cannot be measured, or not run.
        found: the result in a sentence; for a claim that was not measured, the reason.
        condition: the condition under which it holds, if that is the verdict, or "".
        figures: the measured figures, by name.
        rule: how the verdict follows from the figures; "" if the claim cannot be measured.
        rule_rests_on: why the rule's limits are what they are, or "".
        model: whether the figures are predictions of a cycle model.
        measure: the Python function that returned figures, or "".
        run: how compiled code was measured, or null.
        reproduce: the command that measures it again; "" if the claim cannot be measured.
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
    run: ClaimRun | None
    reproduce: str

    @property
    def found_words(self) -> str:
        """The sentence `found`, with the condition if there is one."""
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
        x: the label of the horizontal axis.
        y: the label of the vertical axis.
        note: a remark about the series, or "".
        series: by the series' names, its values by x, which is a whole number.
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
class AuditModel:
    """A cycle model.

    Attributes:
        title: the processor and the memory that the model stands for.
        megahertz: the clock of the processor.
    """

    title: str
    megahertz: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReceipt(Provenance):
    """How to make the report again.

    Attributes:
        programs: where compiled programs came from: auto, compiled or prebuilt.
        models: the cycle model of each processor, by the processor's name.
    """

    programs: str
    models: Mapping[str, AuditModel]


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The claims of posts and their verdicts.

    Attributes:
        note: a sentence that tells which figures are counted and which are predicted.
        posts: the posts.
        verdicts: how many claims have each verdict.
        claims: the claims, in the order of the posts.
        plots: the series of plots.
        receipt: how to make the report again.
    """

    note: str
    posts: Sequence[AuditedPost]
    verdicts: Mapping[str, int]
    claims: Sequence[AuditedClaim]
    plots: Sequence[AuditedPlot]
    receipt: AuditReceipt

    @property
    def tally(self) -> str:
        """How many claims have each verdict, in words."""
        return ", ".join(f"{count} {verdict}" for verdict, count in self.verdicts.items() if count)


def make_report(
    audit: Audit, *, command: Sequence[str], programs: str, seconds: float
) -> AuditReport:
    """Make the report.

    Args:
        audit: the measured claims.
        command: the command line.
        programs: where compiled programs came from: auto, compiled or prebuilt.
        seconds: how long the audit took.
    """
    counts = [answer.verdict for answer in audit.answers]
    return AuditReport(
        note=NOTE,
        posts=[AuditedPost(post.number, post.title, post.by) for post in audit.posts],
        verdicts={verdict: counts.count(verdict) for verdict in VERDICTS},
        claims=[_claim(answer) for answer in audit.answers],
        plots=[_plot(drawn) for drawn in audit.drawn],
        receipt=AuditReceipt(
            command=command,
            seconds=round(seconds, 3),
            programs=programs,
            models={cpu: AuditModel(model.title, model.megahertz) for cpu, model in MODELS.items()},
        ),
    )


def _claim(answer: ClaimVerdict) -> AuditedClaim:
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
        run=claim.run,
        reproduce="" if claim.rule is None else f"macproof audit {claim.id}",
    )


def growth(values: Mapping[int, float]) -> float | None:
    """The k for which values grow as n to the power of k; None if they have none.

    Args:
        values: by n.
    """
    try:
        return exponent(values)
    except ValueError:
        return None


def _plot(drawn: PlotSeries) -> AuditedPlot:
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
