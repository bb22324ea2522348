"""The JSON schemas that come with macproof. Run as a module, this writes them anew."""

from __future__ import annotations

from pathlib import Path

from emu.calibration import report as calibration
from emu.campaign import report as campaign
from emu.cases.overview import report as cases
from emu.doctor import report as doctor
from emu.domain import report as domain
from emu.fuzz import report as fuzz
from emu.report import json_form, write
from emu.report.schema import schema_text
from emu.results import report as results
from emu.runner import report as run
from emu.selfcheck import report as selfcheck
from emu.studies.audit import report as audit
from emu.studies.comparison import report as comparison
from emu.studies.findings import report as findings
from emu.studies.habits import model as habits
from emu.studies.habits import price_report as habit_prices
from emu.timing import profile_report
from emu.timing import report as timing
from emu.verify import explanation_document, finding, scene_document
from emu.verify import report as verify

ROOT = Path(__file__).parents[2]

SHIPPED = {
    "emu/calibration/calibration.schema.json": (calibration.CalibrationReport, calibration.SCHEMA),
    "emu/campaign/campaign.schema.json": (campaign.CampaignReport, campaign.SCHEMA),
    "emu/cases/overview/cases.schema.json": (cases.CasesReport, cases.SCHEMA),
    "emu/doctor/doctor.schema.json": (doctor.DoctorReport, doctor.SCHEMA),
    "emu/domain/domain.schema.json": (domain.DomainReport, domain.SCHEMA),
    "emu/fuzz/fuzz.schema.json": (fuzz.FuzzReport, fuzz.SCHEMA),
    "emu/fuzz/scene.schema.json": (fuzz.CorpusScene, fuzz.SCENE_SCHEMA),
    "emu/report/reports.schema.json": (write.Reports, json_form.MANY),
    "emu/selfcheck/selfcheck.schema.json": (selfcheck.SelfcheckReport, selfcheck.SCHEMA),
    "emu/studies/audit/audit.schema.json": (audit.AuditReport, audit.SCHEMA),
    "emu/studies/comparison/systems_report.schema.json": (
        comparison.ComparisonReport,
        comparison.SCHEMA,
    ),
    "emu/studies/findings/findings_report.schema.json": (findings.FindingsReport, findings.SCHEMA),
    "emu/studies/habits/habits.schema.json": (habits.HabitsReport, habits.SCHEMA),
    "emu/studies/habits/prices.schema.json": (
        habit_prices.HabitPricesReport,
        habit_prices.SCHEMA,
    ),
    "emu/results/results.schema.json": (results.ResultsReport, results.SCHEMA),
    "emu/timing/profile.schema.json": (profile_report.ProfileReport, profile_report.SCHEMA),
    "emu/timing/timing.schema.json": (timing.TimingReport, timing.SCHEMA),
    "emu/verify/explanation.schema.json": (
        explanation_document.ExplanationReport,
        explanation_document.SCHEMA,
    ),
    "emu/verify/finding.schema.json": (finding.Finding, finding.SCHEMA),
    "emu/verify/report.schema.json": (verify.VerifyReport, verify.SCHEMA),
    "emu/verify/scene.schema.json": (scene_document.SceneReport, scene_document.SCHEMA),
    "emu/runner/run.schema.json": (run.RunReport, run.SCHEMA),
}
"""By a schema's file: the dataclass that it is of, and the name of the schema."""

GROWING = {"emu/results/results.schema.json", "emu/verify/report.schema.json"}
"""The schemas of what is read again, where reports of later and earlier versions are read too."""


def made(file: str) -> str:
    """The schema of a file, as its dataclass says it now."""
    kind, schema = SHIPPED[file]
    return schema_text(kind, schema, grows=file in GROWING)


if __name__ == "__main__":
    for file in SHIPPED:
        (ROOT / file).write_text(made(file))
