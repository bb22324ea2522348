"""Documents in files: one or many, in every form, and nothing half-written."""

from __future__ import annotations

import argparse
import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

from emu.base.errors import InputError
from emu.commands.interface.outputs import add_report_options, report_files, report_places
from emu.report.document import Section
from emu.report.forms.write import ReportFiles, write_documents
from emu.report.plots.plot_files import plot_file
from tests.report.samples import DOCUMENT, SPEEDS


@dataclass(frozen=True, slots=True)
class Data:
    name: str


ONE = dataclasses.replace(
    DOCUMENT,
    sections=(*DOCUMENT.sections, Section("Plots", (SPEEDS,))),
    data=Data("one\udcff"),
    schema="made.up/1",
)
OTHER = dataclasses.replace(DOCUMENT, data=Data("other"), schema="made.up/1")


def all_files(folder: Path) -> ReportFiles:
    return ReportFiles(
        json=folder / "r.json", junit=folder / "r.xml", markdown=folder / "r.md",
        html=folder / "r.html",
    )  # fmt: skip


def test_one_document_has_its_own_json_and_many_have_one_object(tmp_path):
    files = all_files(tmp_path)
    assert files.json is not None
    write_documents([ONE], files)
    assert json.loads(files.json.read_text()) == {"schema": "made.up/1", "name": "one\udcff"}
    write_documents([ONE, OTHER], files)
    assert json.loads(files.json.read_text()) == {
        "schema": "macproof.reports/1",
        "reports": [
            {"schema": "made.up/1", "name": "one\udcff"},
            {"schema": "made.up/1", "name": "other"},
        ],
    }


@pytest.mark.slow
def test_every_form_holds_all_documents(tmp_path):
    files = all_files(tmp_path)
    written = write_documents([ONE, OTHER], files, {"speeds": tmp_path / "plots" / "s.svg"})
    assert sorted(path.name for path in written) == ["r.html", "r.json", "r.md", "r.xml", "s.svg"]
    assert files.junit and files.markdown and files.html
    assert len(ElementTree.parse(files.junit).getroot()) == 2
    assert files.markdown.read_text().count("\n# Unpack") == 2
    assert "![Calls in a second](plots/s.svg)" in files.markdown.read_text()
    assert "2 refuted" in files.html.read_text()
    assert (tmp_path / "plots" / "s.svg").read_bytes() == plot_file(SPEEDS, ".svg")


def test_nothing_is_written_if_one_form_cannot_be_made(tmp_path):
    with pytest.raises(KeyError):
        write_documents([OTHER], all_files(tmp_path), {"speeds": tmp_path / "s.svg"})
    assert list(tmp_path.iterdir()) == []


def test_what_was_not_asked_for_is_not_written(tmp_path):
    assert write_documents([ONE], ReportFiles()) == []
    with pytest.raises(InputError, match="cannot be written"):
        (tmp_path / "file").touch()
        write_documents([ONE], ReportFiles(junit=tmp_path / "file" / "r.xml"))


def test_every_form_is_an_option_that_is_refused_early(tmp_path, capsys):
    parser = argparse.ArgumentParser()
    add_report_options(parser)
    words = [f"--{form}={tmp_path / form}" for form in ("json", "junit", "markdown", "html")]
    arguments = parser.parse_args(words)
    assert report_files(arguments) == ReportFiles(
        tmp_path / "json", tmp_path / "junit", tmp_path / "markdown", tmp_path / "html"
    )
    assert [place.what for place in report_places(arguments)] == [
        "--json", "--junit", "--markdown", "--html"
    ]  # fmt: skip
    assert report_files(parser.parse_args([])) == ReportFiles()
    with pytest.raises(SystemExit):
        parser.parse_args(["--html", str(tmp_path / "nowhere" / "r.html")])
    assert "does not exist; make it first" in capsys.readouterr().err
