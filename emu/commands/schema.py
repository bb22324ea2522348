"""``macproof schema``: print the JSON Schema of a report, or of a file that people write."""

from __future__ import annotations

import argparse
import importlib
import json
from collections.abc import Mapping
from importlib import resources

from rich.console import Console

from emu.base.errors import UsageError
from emu.base.printable import one_line
from emu.base.yaml_document import did_you_mean
from emu.commands.interface.packages import package_schemas
from emu.report.forms.terminal import say
from emu.report.schema import schema_of

WRITTEN: Mapping[str, tuple[str, str]] = {
    "macproof.bundle/1": (
        "emu.port.status.bundle:Bundle",
        "bundle.json in what macproof port bundle writes",
    ),
    "macproof.calibration/1": (
        "emu.verify.documents.calibration_document:CalibrationReport",
        "macproof calibrate --json",
    ),
    "macproof.campaign/1": ("emu.campaign.report:CampaignReport", "macproof campaign --json"),
    "macproof.cases/1": ("emu.cases.overview.report:CasesReport", "macproof cases --json"),
    "macproof.conformity/1": (
        "emu.engines.conformity.document:ConformityReport",
        "macproof conform --json",
    ),
    "macproof.doctor/1": ("emu.doctor.report:DoctorReport", "macproof doctor --json"),
    "macproof.domain/2": ("emu.search.domain.report:DomainReport", "macproof domain --json"),
    "macproof.explanation/1": (
        "emu.verify.explain.explanation_document:ExplanationReport",
        "macproof explain --json",
    ),
    "macproof.finding/1": (
        "emu.verify.explain.finding:SceneFinding",
        "each finding of macproof fuzz",
    ),
    "macproof.fuzz-scene/1": (
        "emu.verify.explain.finding:StoredScene",
        "each scene in the corpus of macproof fuzz",
    ),
    "macproof.fuzz/2": ("emu.search.fuzz.report:FuzzReport", "macproof fuzz --json"),
    "macproof.inspect/2": (
        "emu.commands.programs.program_facts:InspectReport",
        "macproof inspect --json",
    ),
    "macproof.proof/1": ("emu.prove.report:ProofReport", "macproof prove --json"),
    "macproof.measured-compilers/1": (
        "emu.timing.validation.compilers_report:CompilersReport",
        "macproof timing --measured-compilers --json",
    ),
    "macproof.published-times/1": (
        "emu.timing.validation.published_report:PublishedTimesReport",
        "macproof timing --published --json",
    ),
    "macproof.port-export/1": (
        "emu.port.carry.documents:ExportReport",
        "macproof port export --json",
    ),
    "macproof.port-function/1": (
        "emu.port.server.tools:FunctionPage",
        "the tool show_function of macproof port mcp",
    ),
    "macproof.port-record/1": (
        "emu.port.verify.documents:RecordReport",
        "macproof port record --json",
    ),
    "macproof.port-verify/1": (
        "emu.port.verify.documents:PortVerifyReport",
        "macproof port verify --json",
    ),
    "macproof.port-explanation/1": (
        "emu.port.explain.explanation:PortExplanation",
        "macproof port explain --json",
    ),
    "macproof.port-match/1": (
        "emu.port.match.answer:MatchReport",
        "macproof port match --json",
    ),
    "macproof.port-run/1": (
        "emu.port.hybrid.hybrid:HybridReport",
        "macproof port run --json",
    ),
    "macproof.port-status/1": (
        "emu.port.status.table:PortStatus",
        "macproof port functions --json, macproof port status --json",
    ),
    "macproof.profile/1": (
        "emu.timing.profile_report:ProfileReport",
        "macproof timing --profile --json",
    ),
    "macproof.replay/1": (
        "emu.port.status.bundle_replay:BundleReport",
        "macproof replay --json",
    ),
    "macproof.report/1": ("emu.verify.report.report:VerifyReport", "macproof verify --json"),
    "macproof.reports/1": ("emu.report.forms.write:Reports", "several reports in one file"),
    "macproof.results/1": ("emu.results.report:ResultsReport", "macproof results --json"),
    "macproof.run/2": ("emu.runner.report:RunReport", "macproof run --json"),
    "macproof.scene/1": ("emu.verify.views.scene_document:SceneReport", "macproof show --json"),
    "macproof.selfcheck/2": (
        "emu.search.selfcheck.report:SelfcheckReport",
        "macproof selfcheck --json",
    ),
    "macproof.verdicts/1": (
        "emu.port.status.verdicts:Verdicts",
        "verdicts.json, which macproof port verify writes",
    ),
}
"""What commands write as JSON, by the names of schemas: the dataclass, and what it is of."""

READ: Mapping[str, tuple[str, str]] = {
    "macproof.application/1": ("emu.toolchain:application.schema.json", "application.yaml"),
    "macproof.case/1": ("emu.cases:case.schema.json", "case files"),
    "macproof.equivalent-mutants/1": (
        "emu.search.selfcheck:equivalent.schema.json",
        "equivalent mutants",
    ),
    "macproof.port/1": ("emu.port.project:port.schema.json", "port.yaml"),
    "macproof.script/1": ("emu.toolbox:script.schema.json", "scripts of macproof run"),
    "macproof.events/1": ("emu.toolbox:events.schema.json", "exact recordings of inputs"),
}
"""What people write, by the names of schemas: the package with the file, and what it is of."""


def all_schemas() -> dict[str, tuple[str, str]]:
    """All schemas, by their names: those of macproof, then those of other packages.

    Raises:
        ToolMissingError: a package cannot be imported.
    """
    return {**WRITTEN, **READ, **package_schemas()}


def schema_text(name: str) -> str:
    """A schema as the text of a file.

    Args:
        name: its name, "macproof.report/1", or the word in it, "report".

    Raises:
        UsageError: there is no such schema.
    """
    schemas = all_schemas()
    words = {_word(known_name): known_name for known_name in schemas}
    whole = name if name in schemas else words.get(name, "")
    if not whole:
        raise UsageError(f"there is no schema {one_line(name)}{did_you_mean(name, words)}")
    return text_of(whole, schemas[whole][0])


def text_of(name: str, home: str) -> str:
    """A schema as the text of a file.

    Args:
        name: its name.
        home: where it is: a package and a file in it, or a module and a dataclass in it.
    """
    place, _, inside = home.partition(":")
    if inside.endswith(".json"):
        return resources.files(place).joinpath(inside).read_text("utf-8")
    kind = getattr(importlib.import_module(place), inside)
    return json.dumps(schema_of(kind, name), indent=1, ensure_ascii=False) + "\n"


def file_name(name: str) -> str:
    """The file of a schema in a release: "report.schema.json" for "macproof.report/1"."""
    return f"{_word(name)}.schema.json"


def _word(name: str) -> str:
    """The word in the name of a schema: "report" of "macproof.report/1"."""
    return name.removeprefix("macproof.").partition("/")[0]


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="the schema to be printed (default: list all)"
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print a schema, or the list of all."""
    if arguments.name is not None:
        print(schema_text(arguments.name), end="")
        return 0
    for name, (_, what) in all_schemas().items():
        say(console, f"{name:30} {what}")
    return 0
