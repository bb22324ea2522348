"""A port in one file, and its cases verified elsewhere."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import InputError, UsageError
from emu.cli import main
from emu.port.model import FunctionVerdict
from emu.port.project.project import Project, read_project
from emu.port.status.bundle import unpack_bundle, write_bundle
from emu.port.status.verdicts import write_verdicts
from tests.port.project.small_port import ORIGINAL, ROOT, SOURCE, write_port

VERIFIED = FunctionVerdict("UpdateSum", "CODE 1+0xd2", "verified", calls=20)
BOUNCE = ROOT / "examples" / "bounce"


def port(folder: Path) -> Project:
    """A port with its original and recordings beside its sources, as people have them."""
    folder.mkdir(parents=True, exist_ok=True)
    original = folder / "Old.bin"
    shutil.copy(ORIGINAL, original)
    (folder / "sum.h").write_text("/* empty */\n")
    (folder / ".recordings").mkdir()
    (folder / ".recordings" / "calls.sqlite").write_bytes(b"memory of somebody")
    project = read_project(write_port(folder, {"sum.c": SOURCE}, original=original))
    write_verdicts(project, [VERIFIED])
    return project


def with_case(project: Project, change: tuple[str, str] = ("", "")) -> Project:
    folder = project.folder / "cases" / "bounce"
    shutil.copytree(BOUNCE, folder, ignore=shutil.ignore_patterns("test_*", "__pycache__"))
    source = folder / "bounce.cpp"
    assert change[0] in source.read_text()
    source.write_text(source.read_text().replace(*change) if change[0] else source.read_text())
    case = folder / "case.yaml"
    case.write_text(case.read_text().replace("count: 400", "count: 40") + '\ncpus: ["68040"]\n')
    return project


def test_a_bundle_has_sources_and_verdicts_and_nothing_of_the_original(tmp_path: Path) -> None:
    project = with_case(port(tmp_path / "port"))
    path = tmp_path / "port.macproof"
    bundle = write_bundle(project, path)
    names = {file.name for file in bundle.files}
    assert {"port.yaml", "sum.c", "sum.h", "verdicts.json", "cases/bounce/case.yaml"} <= names
    assert not any("Old" in name or "recordings" in name for name in names)
    assert bundle.cases == ("cases/bounce/case.yaml",)
    first = path.read_bytes()
    write_bundle(project, path)
    assert path.read_bytes() == first
    found = unpack_bundle(path, tmp_path / "there")
    assert (found.files, found.original) == (bundle.files, project.digest)
    assert (tmp_path / "there" / "sum.c").read_text() == SOURCE
    assert [one.verdict for one in found.verdicts] == ["verified"]


def test_sources_beside_the_port_keep_their_places(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "sum.c").write_text(SOURCE)
    project = port(tmp_path / "port")
    text = project.path.read_text().replace("[sum.c]", "[../src/sum.c]")
    project.path.write_text(text)
    bundle = write_bundle(read_project(project.path), tmp_path / "a.zip")
    assert bundle.port == "port/port.yaml"
    assert "src/sum.c" in {file.name for file in bundle.files}


def test_sources_far_away_are_refused(tmp_path: Path) -> None:
    (tmp_path / "sum.c").write_text(SOURCE)
    project = port(tmp_path / "a" / "port")
    project.path.write_text(project.path.read_text().replace("[sum.c]", "[../../sum.c]"))
    with pytest.raises(UsageError, match="cannot be in a bundle"):
        write_bundle(read_project(project.path), tmp_path / "a.zip")
    assert not (tmp_path / "a.zip").exists()


def changed(path: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """A bundle of which some members are others."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    other = path.with_name("changed.zip")
    with zipfile.ZipFile(other, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return other


def _add_outside(files: dict[str, bytes]) -> None:
    data = json.loads(files["bundle.json"])
    source = next(one for one in data["files"] if one["name"] == "sum.c")
    data["files"].append({**source, "name": "../sum.c"})
    files["../sum.c"] = files["sum.c"]
    files["bundle.json"] = json.dumps(data).encode()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda files: files.update({"sum.c": b"other"}), "sum.c: it is not as the list says"),
        (lambda files: files.pop("sum.c"), "its files are not those of its list"),
        (lambda files: files.update(more=b""), "its files are not those of its list"),
        (lambda files: files.pop("bundle.json"), "it has no bundle.json"),
        (lambda files: files.update({"bundle.json": b"{}"}), "not a macproof report of schema"),
        (_add_outside, "leads out of it"),
    ],
    ids=["changed", "lacking", "more", "no list", "empty list", "outside"],
)
def test_a_bundle_of_anybody_is_checked(
    change: Callable[[dict[str, bytes]], None], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.zip"
    write_bundle(port(tmp_path / "port"), path)
    with pytest.raises(InputError) as caught:
        unpack_bundle(changed(path, change), tmp_path / "x" / "there")
    assert said in str(caught.value)
    assert not (tmp_path / "x").exists()


def test_what_is_no_bundle(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    write_bundle(port(tmp_path / "port"), path)
    path.write_bytes(path.read_bytes()[:-30])
    assert main(["replay", str(path)]) == 2
    path.write_bytes(b"")
    assert main(["replay", str(path)]) == 2
    assert main(["replay", str(tmp_path / "none")]) == 2


def test_cases_are_verified_only_if_trusted(
    tmp_path: Path, compilers: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    compilers()
    path, report = tmp_path / "a.zip", tmp_path / "report.json"
    write_bundle(with_case(port(tmp_path / "port")), path)
    assert main(["replay", str(path)]) == 2
    assert "add --trust" in capsys.readouterr().err
    assert main(["replay", str(path), "--trust", "--jobs", "1", "--json", str(report)]) == 0
    data = json.loads(report.read_text())
    (case,) = data["cases"]
    assert (case["verdict"], case["reason"]) == ("verified", "") and case["calls"] > 0
    assert case["function"]
    names = [one["name"] for one in data["bundle"]["verdicts"]]
    assert names and data["not_covered"] == [one for one in names if one != case["function"]]
    assert f"No case here decides: {names[0]}" in " ".join(capsys.readouterr().out.split())


def test_a_receipt_stands_beside_what_is_found_here(
    tmp_path: Path, compilers: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """A receipt of sources that have changed since is refused."""
    compilers()
    project = with_case(port(tmp_path / "port"))
    case = project.folder / "cases" / "bounce"
    receipt, path, report = case / "receipt.json", tmp_path / "a.zip", tmp_path / "report.json"
    words = ["verify", str(case), "--build", "O2", "--jobs", "1", "--quiet"]
    assert main([*words, "--json", str(receipt)]) == 0
    bundle = write_bundle(project, path)
    (kept,) = bundle.receipts
    assert (kept.case, kept.verdict) == ("cases/bounce/case.yaml", "verified")
    assert kept.calls > 0 and [one[:9] for one in kept.programs] == ["68040 O2,"]
    assert not any(file.name.endswith("receipt.json") for file in bundle.files)
    with zipfile.ZipFile(path) as archive:  # it names no folder of this computer
        assert str(tmp_path) not in archive.read("bundle.json").decode()
    other = changed(path, _refute)
    words = ["replay", str(other), "--trust", "--jobs", "1", "--json", str(report)]
    assert main(words) == 0
    assert "Here it is verified" in " ".join(capsys.readouterr().out.split())
    source = case / "bounce.cpp"
    source.write_text(source.read_text() + "// changed\n")
    with pytest.raises(InputError, match=r"of another bounce\.cpp than the bundle would have"):
        write_bundle(project, path)
    receipt.write_text("{}")
    with pytest.raises(InputError):
        write_bundle(project, path)


def _refute(files: dict[str, bytes]) -> None:
    data = json.loads(files["bundle.json"])
    data["receipts"][0]["verdict"] = "refuted"
    files["bundle.json"] = json.dumps(data).encode()


@pytest.mark.slow
def test_a_case_that_is_refuted_here_refutes_the_bundle(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers()
    mistake = ("2 * (kRoomWidth - 1) - b->x", "2 * kRoomWidth - b->x")
    path = tmp_path / "a.zip"
    write_bundle(with_case(port(tmp_path / "port"), mistake), path)
    assert main(["replay", str(path), "--trust", "--quiet", "--jobs", "1"]) == 1


def test_a_bundle_without_cases_verifies_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = port(tmp_path / "port")
    path = tmp_path / "a.zip"
    assert main(["port", "bundle", str(path), str(project.folder)]) == 0
    assert "0 cases" in capsys.readouterr().out
    assert main(["replay", str(path)]) == 4
    assert "nothing was run here" in capsys.readouterr().out
    into = tmp_path / "into"
    assert main(["replay", str(path), "--into", str(into)]) == 4
    assert (into / "sum.c").read_text() == SOURCE
    assert main(["replay", str(path), "--into", str(into)]) == 2
