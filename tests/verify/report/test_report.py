"""The JSON form is the truth: what it holds, and what is refused when it is read."""

from __future__ import annotations

import hashlib
import json
import platform
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import unicorn

from emu import __version__
from emu.base.errors import InputError
from emu.base.files import write_whole
from emu.cases.case import Case
from emu.cases.programs.sources import source_tree
from emu.report.forms.write import json_of
from emu.report.json_form import plain
from emu.report.schema import schema_of
from emu.verify.documents.document import document_of
from emu.verify.report.read_report import read_reports
from emu.verify.report.report import (
    SCHEMA,
    VerifyReport,
)


def test_a_report_is_read_as_it_was_written(
    verified: VerifyReport, refuted: VerifyReport, tmp_path: Path
):
    for report in (verified, refuted):
        path = tmp_path / "report.json"
        write_whole(path, report.to_json().encode())
        assert read_reports(path) == [report]
    assert verified.to_json().endswith("}\n")
    assert verified.to_json().isascii()


def test_many_reports_are_read_as_they_were_written(
    verified: VerifyReport, refuted: VerifyReport, tmp_path: Path
):
    path = tmp_path / "reports.json"
    path.write_text(json_of([document_of(verified), document_of(refuted)]))
    data = json.loads(path.read_text())
    assert data["schema"] == "macproof.reports/1"
    assert data["reports"] == [json.loads(one.to_json()) for one in (verified, refuted)]
    assert read_reports(path) == [verified, refuted]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda many: many.pop("reports"), "reports: the report is damaged: it has no list"),
        (lambda many: many.update(reports=7), "the report is damaged: it has no list"),
        (lambda many: many["reports"].append(None), "reports.2 is not a macproof report of schema"),
        (lambda many: many["reports"][1].update(schema="x"), "reports.1 is not a macproof report"),
        (lambda many: many["reports"][1].pop("verdict"), "'verdict' is a required property"),
        (
            lambda many: many["reports"][1]["results"][0].update(build=7),
            "reports.1.results.0.build: the report is damaged: 7 is not of type 'string'",
        ),
    ],
)
def test_damage_of_one_of_many_is_told_with_its_place(
    verified: VerifyReport, tmp_path: Path, change: Callable[[Any], object], words: str
):
    many = json.loads(json_of([document_of(verified), document_of(verified)]))
    change(many)
    path = tmp_path / "reports.json"
    path.write_text(json.dumps(many))
    with pytest.raises(InputError, match=re.escape(words)):
        read_reports(path)


def test_its_shape(verified: VerifyReport):
    data = json.loads(verified.to_json())
    assert list(data) == [
        "schema",
        "verdict",
        "results",
        "not_run",
        "receipt",
        "oracles",
        "ignored",
        "unreached",
    ]
    assert data["schema"] == "macproof.report/1"
    assert data["not_run"] == [{"what": "CPU 601", "why": "not asked for"}]
    wanted = "case cpu build engine abi program scenes comparisons verdict divergence violations"
    for result in plain(verified)["results"]:
        assert set(wanted.split()) | {"instructions", "failures", "fault"} <= result.keys()


def test_verdicts(verified: VerifyReport, refuted: VerifyReport, nothing: VerifyReport):
    assert plain(verified)["verdict"] == "verified"
    assert plain(refuted)["verdict"] == "refuted"
    assert plain(nothing)["verdict"] == "inconclusive"
    assert [r["verdict"] for r in plain(refuted)["results"]] == [
        "verified",
        "refuted",
        "inconclusive",
    ]


def test_what_was_counted(verified: VerifyReport):
    first, second = plain(verified)["results"]
    for result in (first, second):
        assert (result["calls"], result["scenes"], result["comparisons"]) == (120, 30, 75_224)
        assert (result["distinct_scenes"], result["changed_scenes"]) == (27, 30)
        assert result["bytes_compared"] == 120 * 4096
        assert result["padding_bytes"] == 0
        assert result["undecided"] is None
        assert result["divergence"] is result["fault"] is None
        assert result["violations"] == result["failures"] == []
        assert result["abi"] == "m68k-elf"
    assert plain(verified)["receipt"]["comparisons"] == 150_448
    assert plain(verified)["receipt"]["bytes_compared"] == 240 * 4096
    assert second["instructions"] == {
        "count": 41_231,
        "blocks": second["instructions"]["blocks"],
        "generator": "uniform",
        "objects": 200,
        "seed": 1994,
        "fill": "loaded",
    }
    memory = plain(verified)["receipt"]["memory"]
    assert [(one["fill"], one["calls"]) for one in memory] == [
        ("loaded", 60),
        ("poison", 60),
        ("noise", 60),
        ("stale", 60),
    ]
    assert memory[3]["words"] == "as another scene's results had left it"


def test_failures(refuted: VerifyReport):
    good, wrong, down = plain(refuted)["results"]
    assert good["failures"] == []
    assert wrong["divergence"] == {
        "place": "gCollisionArray[7]",
        "expected": "1",
        "found": "0",
        "address": 0x100007,
        "observed": True,
        "differing_bytes": 2,
        "note": "",
    }
    assert wrong["violations"] == ["register d5 was 0x1 and came back as 0x2"]
    assert [f["summary"] for f in wrong["failures"]] == [
        "gCollisionArray[7] is 0, expected 1",
        "register d5 was 0x1 and came back as 0x2",
    ]
    assert wrong["failures"][0]["objects"] == 200
    assert down["fault"] == "the guest code brought the engine's process down"


def test_the_receipt(verified: VerifyReport, case: Case):
    receipt = plain(verified)["receipt"]
    assert receipt["command"] == ["macproof", "verify", "four-shifts", "--json", "a file.json"]
    assert receipt["macproof"] == __version__
    assert receipt["python"] == platform.python_version()
    assert receipt["numpy"] == np.__version__
    assert receipt["engine"] == f"unicorn {unicorn.__version__}"
    assert receipt["models"] == {"68040": 3}
    assert receipt["reference"] == "pyref.sectors.four_shifts:determine_collisions"
    assert receipt["programs"] == "2 prebuilt, of these very sources"
    assert receipt["scenes"] == {
        "count": 30,
        "distinct": 27,
        "generators": sorted(case.generators),
        "objects": [0, 1, 50, 100, 200],
        "seeds": [1994, 1994],
    }
    assert receipt["seconds"] == 1.235
    assert receipt["source"]["replaced_by"] is None
    assert receipt["source"]["sha256"] == source_tree(case).digest()
    assert receipt["source"]["files"] == {
        name: hashlib.sha256((case.path.parent / name).read_bytes()).hexdigest()
        for name in ("four_shifts.cpp", "four_shifts.h")
    }
    assert receipt["case"]["file"] == str(case.path)
    assert receipt["case"]["sha256"] == hashlib.sha256(case.path.read_bytes()).hexdigest()


def test_every_program_can_be_known_again(verified: VerifyReport, case: Case):
    for result in plain(verified)["results"]:
        program = result["program"]
        data = Path(program["file"]).read_bytes()
        assert program["sha256"] == hashlib.sha256(data).hexdigest()
        assert program["origin"] == "prebuilt"
        assert "m68k-linux-gnu-g++" in program["compiler"]
        assert program["flags"][-1:] == list(case.builds[result["build"]].flags)
        assert "-mcpu=68040" in program["flags"]
        assert result["engine"].startswith("unicorn ")


def test_a_run_of_nothing_has_a_receipt_too(nothing: VerifyReport):
    assert plain(nothing)["receipt"]["scenes"] == {
        "count": 0,
        "distinct": 0,
        "generators": [],
        "objects": [],
        "seeds": [],
    }
    assert plain(nothing)["results"][0]["instructions"] is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "it is not JSON"),
        (b"{", "it is not JSON"),
        (b"\x7fELF\x01\x02", "it is not JSON"),
        (b"\xff\xfe{}", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
        (b"7", "not a macproof report of schema"),
        (b"null", "not a macproof report of schema"),
        (b"[]", "not a macproof report of schema"),
        (b"{}", "not a macproof report of schema"),
        (b'{"schema": "macproof.report/2"}', "schema macproof.report/1, but a macproof.report/2$"),
        (b'{"schema": "macproof.report/1"}', "'verdict' is a required property"),
        (b'{"schema": "macproof.report/1", "results": []}', "'verdict' is a required property"),
        (b"9" * 5_000, "it is not JSON"),
    ],
)
def test_what_is_no_report(tmp_path: Path, text: bytes, words: str):
    path = tmp_path / "report.json"
    path.write_bytes(text)
    with pytest.raises(InputError, match=words) as caught:
        read_reports(path)
    assert caught.value.exit_code == 2


def test_a_report_cut_short_anywhere(verified: VerifyReport, tmp_path: Path):
    data = verified.to_json().encode()
    path = tmp_path / "report.json"
    for end in range(0, len(data) - 2, len(data) // 50):
        path.write_bytes(data[:end])
        with pytest.raises(InputError, match="not JSON"):
            read_reports(path)


def test_what_cannot_be_read(tmp_path: Path):
    with pytest.raises(InputError, match="No such file"):
        read_reports(tmp_path / "gone.json")
    with pytest.raises(InputError, match="Is a directory"):
        read_reports(tmp_path)
    if Path("/dev/zero").exists():
        with pytest.raises(InputError, match="too large for a report"):
            read_reports(Path("/dev/zero"))


def test_files_are_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "new" / "folder" / "report.json"
    write_whole(path, b"one")
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o644

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("emu.base.files.os.replace", full)
    with pytest.raises(InputError, match="cannot be written: No space left on device"):
        write_whole(path, b"three")
    assert path.read_bytes() == b"two"
    assert [p.name for p in path.parent.iterdir()] == ["report.json"]


@pytest.mark.parametrize("place", ["", "file/report.json", "file/deep/report.json", "a\0b"])
def test_where_nothing_can_be_written(tmp_path: Path, place: str):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        write_whole(tmp_path / place, b"text")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_schema_guards_what_is_read_and_lets_reports_grow():
    data = schema_of(VerifyReport, SCHEMA)
    parts = data["$defs"]
    assert "additionalProperties" not in str(parts["ProgramResult"])
    assert "bulk_reference" not in parts["Receipt"]["required"]
    assert set(parts["Receipt"]["required"]) == set(parts["Receipt"]["properties"]) - {
        "against",
        "bulk_reference",
    }
    failed = parts["FailedScene"]["properties"]
    assert (failed["objects"]["minimum"], failed["objects"]["maximum"]) == (0, 100_000)
    assert (failed["seed"]["minimum"], failed["seed"]["maximum"]) == (0, (1 << 64) - 1)
    assert failed["fill"] == parts["CountedCall"]["properties"]["fill"]
    for kind in ("ProgramIdentity", "FileDigest", "TypesFile", "CaseIdentity"):
        file = parts[kind]["properties"]
        assert (file["file"]["maxLength"], file["sha256"]["pattern"]) == (4096, "^[0-9a-f]{64}$")
    for whole in (data, parts["ProgramResult"]):
        assert whole["properties"]["verdict"]["enum"] == ["verified", "refuted", "inconclusive"]
    integers = [
        (kind, name)
        for kind, part in parts.items()
        for name, value in part["properties"].items()
        if value.get("type") == "integer" and "minimum" not in value
    ]
    assert integers == [], "no number of a report is negative"
