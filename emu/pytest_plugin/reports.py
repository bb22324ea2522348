"""Writes the report of all cases (``--macproof-report``), with those that xdist distributes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from emu.base.errors import MacproofError
from emu.cases.programs.selection import Omission
from emu.pytest_plugin.items import CaseItem
from emu.report.forms.write import ReportFiles, write_documents
from emu.report.json_form import from_plain
from emu.verify.documents.document import document_of
from emu.verify.report.join_reports import together
from emu.verify.report.report import VerifyReport


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of one `CaseItem`. It holds only text, which xdist can send to another process.

    Attributes:
        case: the case's name.
        program: the processor and the build: "68040 O2".
        report: the report in JSON, or "" if there is no verdict.
        why: the reason if there is no verdict.
        is_skipped: whether the test was skipped.
    """

    case: str
    program: str
    report: str
    why: str
    is_skipped: bool


class CaseReports:
    """Collects the results of all `CaseItem` tests, and writes the report when pytest ends."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._finished: list[CaseResult] = []
        self._said: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Iterator[None]:
        """Attach the result to pytest's own report of the test, which xdist sends on."""
        report: pytest.TestReport = yield  # type: ignore[assignment]
        if isinstance(item, CaseItem) and call.when == "call":
            finding = "" if item.found is None else item.found.to_json()
            why = str(call.excinfo.value) if call.excinfo else ""
            name = f"{item.subject.cpu} {item.subject.build}"
            fields = [item.subject.case.name, name, finding, why, report.skipped]
            report.__dict__["macproof"] = fields
        return report  # type: ignore[return-value]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the result of a test. The main process of xdist gets those of all workers."""
        fields = getattr(report, "macproof", None)
        if fields is not None:
            self._finished.append(CaseResult(*fields))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the report. If it cannot be written, pytest ends with exit code 4."""
        if hasattr(self._config, "workerinput"):
            return

        try:
            self._said = list(self._write(self._config.option.macproof_report))
        except MacproofError as error:
            self._said = [f"ERROR: --macproof-report: {error}"]
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print where the report is, or why there is none."""
        for line in self._said:
            terminalreporter.write_line(line)

    def _write(self, place: Path) -> Iterator[str]:

        reports = []
        for name in dict.fromkeys(result.case for result in self._finished):
            finished = [result for result in self._finished if result.case == name]
            if any(result.report for result in finished):
                reports.append(self._together(finished))
            else:
                yield f"macproof: no report of {name}: {finished[0].why.splitlines()[0]}"
        if not reports:
            yield "macproof: no case came to a verdict, so no report is written"
            return
        files = {".html": ReportFiles(html=place), ".json": ReportFiles(json=place)}.get(
            place.suffix, ReportFiles(html=place / "macproof.html", json=place / "macproof.json")
        )
        written = write_documents([document_of(report) for report in reports], files)
        yield f"macproof: the report is in {' and '.join(map(str, written))}"

    def _together(self, finished: Sequence[CaseResult]) -> VerifyReport:
        """Join the results of one case."""
        others = [result for result in finished if not result.report]
        return together(
            [
                from_plain(VerifyReport, json.loads(result.report))
                for result in finished
                if result.report
            ],
            without_verdict=[Omission(o.program, o.why) for o in others if not o.is_skipped],
            not_run=[
                Omission(result.program, result.why) for result in others if result.is_skipped
            ],
            command=["pytest", *self._config.invocation_params.args],
        )
