"""Reports that are damaged, that lie, or that were written to do harm: no traceback, no verdict."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emu.base.errors import GuestError
from emu.base.files import sha256_of
from emu.checks.isa_model import REFUTES
from emu.cli import main
from tests.commands.test_bad_input import refused
from tests.examples import examples
from tests.rows import slow_but

Command = Callable[..., Any]
Node = tuple[Any, ...]


@pytest.fixture(scope="module")
def report(
    tmp_path_factory: pytest.TempPathFactory,
    broken_port: Callable[[str], str],
    compile_ports: Callable[..., Any],
) -> Path:
    """A refuted report of a program that is there."""
    folder = tmp_path_factory.mktemp("report")
    compile_ports({}, ("68040",), ())  # skips without a compiler
    (folder / "port.cpp").write_text(broken_port("no shift hh"))
    words = ("--cpu", "68040", "--build", "O2", "--scenes", "6", "--jobs", "1", "--quiet")
    path = folder / "report.json"
    assert (
        main(
            [
                "verify",
                "four-shifts",
                "--source",
                str(folder / "port.cpp"),
                "--json",
                str(path),
                *words,
            ]
        )
        == 1
    )
    return path


def first(report: dict[str, Any]) -> dict[str, Any]:
    return report["results"][0]


LIES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "no results": lambda r: r.update(results=7),
    "results of text": lambda r: r.update(results="none"),
    "a result of null": lambda r: r.update(results=[None]),
    "no failures": lambda r: first(r).pop("failures"),
    "failures of text": lambda r: first(r).update(failures="many"),
    "a failure of null": lambda r: first(r).update(failures=[None]),
    "no divergence": lambda r: first(r)["failures"][0].pop("divergence"),
    "no program": lambda r: first(r).pop("program"),
    "a program of null": lambda r: first(r).update(program=None),
    "a file that is a number": lambda r: first(r)["program"].update(file=7),
    "a file that is gone": lambda r: first(r)["program"].update(file="/no/such.elf"),
    "a file that is a folder": lambda r: first(r)["program"].update(file="/"),
    "a file with no name": lambda r: first(r)["program"].update(file="a\0b"),
    "another hash": lambda r: first(r)["program"].update(sha256="0" * 64),
    "a hash of null": lambda r: first(r)["program"].update(sha256=None),
    "no such CPU": lambda r: first(r).update(cpu="6502"),
    "a CPU of null": lambda r: first(r).update(cpu=None),
    "a CPU of a list": lambda r: first(r).update(cpu=["68040"]),
    "another CPU": lambda r: first(r).update(cpu="601"),
    "no such case": lambda r: r["receipt"]["case"].update(file="x", name="x"),
    "a case of null": lambda r: (first(r).update(case=None), r["receipt"]["case"].update(file="x")),
    "no such generator": lambda r: first(r)["failures"][0].update(generator="nope"),
    "a generator of null": lambda r: first(r)["failures"][0].update(generator=None),
    "fewer than no objects": lambda r: first(r)["failures"][0].update(objects=-1),
    "half an object": lambda r: first(r)["failures"][0].update(objects=1.5),
    "true objects": lambda r: first(r)["failures"][0].update(objects=True),
    "201 objects": lambda r: first(r)["failures"][0].update(objects=201),
    "a billion objects": lambda r: first(r)["failures"][0].update(objects=10**9),
    "a seed below 0": lambda r: first(r)["failures"][0].update(seed=-1),
    "a seed of text": lambda r: first(r)["failures"][0].update(seed="x"),
    "a seed beyond 64 bits": lambda r: first(r)["failures"][0].update(seed=2**64),
    "no receipt": lambda r: r.update(receipt=None),
    "no command": lambda r: r["receipt"].pop("command"),
    "a command of numbers": lambda r: r["receipt"].update(command=[1, 2]),
}


@pytest.mark.slow
@pytest.mark.parametrize("lie", LIES)
def test_a_report_that_lies(macproof: Command, report: Path, tmp_path: Path, lie: str):
    data = json.loads(report.read_text())
    LIES[lie](data)
    path = tmp_path / "lies.json"
    path.write_text(json.dumps(data))
    for words in (("explain", path), ("show", "--report", path, "-o", tmp_path / "x.png")):
        refused(macproof(*words), "")
    assert not (tmp_path / "x.png").exists()


def test_a_report_of_a_scene_that_does_not_fail(macproof: Command, report: Path, tmp_path: Path):
    data = json.loads(report.read_text())
    first(data)["failures"][0].update(objects=1)
    path = tmp_path / "lies.json"
    path.write_text(json.dumps(data))
    for words in (("explain", path), ("show", "--report", path, "-o", tmp_path / "x.png")):
        done = macproof(*words)
        refused(done, "failed before on uniform, 1 object", code=4)
        assert "does not fail when it is run again" in done.err
    assert not (tmp_path / "x.png").exists()


def test_a_program_that_changed_since(macproof: Command, report: Path, tmp_path: Path):
    data = json.loads(report.read_text())
    program = Path(first(data)["program"]["file"])
    copy = tmp_path / "program.elf"
    copy.write_bytes(program.read_bytes() + b"\0")
    first(data)["program"]["file"] = str(copy)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(data))
    done = macproof("explain", path)
    refused(done, "is missing or has changed. Run its command again: macproof verify four-shifts ")


def test_a_reference_that_changed_since(macproof: Command, report: Path, tmp_path: Path):
    """It has other answers, so another failure would be explained."""
    data = json.loads(report.read_text())
    files = data["receipt"]["reference_files"]
    assert "pyref/sectors/four_shifts.py" in files
    files["pyref/sectors/four_shifts.py"] = "0" * 64
    path = tmp_path / "report.json"
    path.write_text(json.dumps(data))
    for words in (("explain", path), ("show", "--report", path, "-o", tmp_path / "x.png")):
        refused(
            macproof(*words),
            "has changed since: pyref/sectors/four_shifts.py. "
            "Run its command again: macproof verify four-",
        )
    del files["pyref/sectors/four_shifts.py"]
    path.write_text(json.dumps(data))
    refused(macproof("explain", path), "has changed since: pyref/sectors/four_shifts.py.")


# -- any damage --------------------------------------------------------------------------------

NUMBERS = st.integers() | st.floats(allow_nan=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def nodes(value: Any, here: Node = ()) -> Iterator[Node]:
    """The place of every node of a document."""
    yield here
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from nodes(inner, (*here, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from nodes(inner, (*here, index))


def at(document: Any, node: Node) -> Any:
    for key in node:
        document = document[key]
    return document


def replaced(document: Any, node: Node, value: Any) -> Any:
    if not node:
        return value
    changed = copy.deepcopy(document)
    at(changed, node[:-1])[node[-1]] = value
    return changed


def kind(value: Any) -> str:
    """What JSON calls it."""
    if isinstance(value, bool) or value is None:
        return str(value is None)
    return "number" if isinstance(value, (int, float)) else type(value).__name__


def accept(*arguments: Any) -> NoReturn:
    raise GuestError("accepted")


@pytest.mark.slow
@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), value=VALUES)
def test_any_node_replaced_by_any_value(
    report: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    data: st.DataObject,
    value: Any,
):
    """No traceback and no verdict; a value of another kind is found before anything is run."""
    monkeypatch.setattr("emu.verify.explain_failure.run_apart", accept)
    monkeypatch.setattr("emu.commands.show.run_apart", accept)
    whole = json.loads(report.read_text())
    node = data.draw(st.sampled_from(list(nodes(whole))))
    path = report.with_name("damaged.json")
    path.write_text(json.dumps(replaced(whole, node, value)))
    old = at(whole, node)
    # Some of them are null or something else.
    is_wrong = kind(old) != kind(value) and old is not None and value is not None
    for words in (["explain", str(path)], ["show", "--report", str(path)]):
        code = main(words)
        out, err = capsys.readouterr()
        assert (out, "Traceback" in err) == ("", False)
        assert err.startswith("macproof: ")
        assert code == 2 or (code == 4 and not is_wrong), (node, value, err)


# -- harm --------------------------------------------------------------------------------------


def spoiled(report: Path, change: Callable[[Any], object]) -> Path:
    data = json.loads(report.read_text())
    change(data)
    path = report.with_name("spoiled.json")
    path.write_text(json.dumps(data))
    return path


@pytest.mark.parametrize("name", ["secret", "secret.yaml", "case.yaml"])
def test_a_report_cannot_show_what_is_in_other_files(
    macproof: Command, report: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
):
    """A message about a file that is no case would quote it."""
    secret = tmp_path / name
    secret.write_text("hunter2: {password\n")
    monkeypatch.chdir(tmp_path)
    for file in (str(secret), name, str(tmp_path)):

        def lie(data: Any, file: str = file) -> None:
            data["receipt"]["case"].update(file=file, name=name)
            first(data).update(case=file)

        done = macproof("explain", spoiled(report, lie))
        refused(done, "")
        assert "hunter2" not in done.err + done.out


def test_a_case_of_another_copy_is_found_by_its_name(macproof: Command, report: Path):
    done = macproof(
        "explain", spoiled(report, lambda r: r["receipt"]["case"].update(file="/gone/case.yaml"))
    )
    assert (done.code, "fails on a scene" in done.out) == (1, True)


@pytest.mark.parametrize(
    "file",
    slow_but(
        ["/dev/zero", "x" * 4000], ["/dev/zero", "/dev/stdin", ":" * 4000, "x" * 4000, "a\0b", ""]
    ),
)
def test_files_that_are_none(macproof: Command, report: Path, file: str):
    for change in (
        lambda r: r["receipt"]["case"].update(file=file, name="x"),
        lambda r: first(r)["program"].update(file=file),
    ):
        refused(macproof("explain", spoiled(report, change)), "")


def test_controls_in_a_report_do_not_reach_the_terminal(macproof: Command, report: Path):
    hostile = "\x1b]0;owned\x07\x9b31m\u202e"
    for change in (
        lambda r: first(r).update(cpu=hostile),
        lambda r: first(r)["program"].update(file=hostile),
        lambda r: (r["receipt"].update(command=[hostile]), first(r)["program"].update(file="x")),
        lambda r: r.update(schema=hostile),
        lambda r: first(r)["failures"][0].update(objects=1, generator=hostile, summary=hostile),
        lambda r: first(r)["failures"][0].update(objects=1, summary=hostile),
        lambda r: first(r).update(verdict="inconclusive", failures=[], fault=hostile),
    ):
        done = macproof("explain", spoiled(report, change))
        assert done.code in (2, 4), done
        assert not set(hostile) & set(done.err) - set("]0;owned31m")


def test_a_verdict_without_a_reason_is_none(macproof: Command, report: Path):
    done = macproof("explain", spoiled(report, lambda r: first(r).update(failures=[])))
    refused(done, "refuted, and the report does not say why")
    finding = {
        "address": 1,
        "mnemonic": "fsin",
        "why": "is missing",
        "weight": REFUTES,
        "place": "p",
    }

    def by_instructions(data: Any) -> None:
        first(data).update(failures=[], isa={"checked": True, "findings": [finding]})

    done = macproof("explain", spoiled(report, by_instructions))
    refused(done, "did not fail on a scene; its fault is that fsin is missing, at p", code=1)


def test_sha256_of_what_is_no_file_or_too_large(tmp_path: Path):
    file = tmp_path / "file"
    file.write_bytes(b"abc")
    assert sha256_of(file, 3).startswith("ba7816bf")
    assert sha256_of(file, 2) == sha256_of(tmp_path, 9) == sha256_of(Path("a\0"), 9) == ""


def _of_a_case_elsewhere(report: Path, folder: Path) -> Path:
    """A report of a case whose Python leaves a mark when it is run."""
    case = folder / "elsewhere" / "case.yaml"
    case.parent.mkdir()
    text = Path("mac_src/four_shifts/case.yaml").read_text()
    case.write_text(text.replace("pyref.", "evil_of_hostile_reports_").replace("pyref/", "evil/"))
    (case.parent / "evil.py").write_text("open('mark', 'w')\n")
    digest = hashlib.sha256(case.read_bytes()).hexdigest()
    return spoiled(report, lambda r: r["receipt"]["case"].update(file=str(case), sha256=digest))


def test_python_that_only_a_report_names_is_not_run(
    macproof: Command, report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The user is told first, unless the case is below the folder that the command is called in."""
    path = _of_a_case_elsewhere(report, tmp_path)
    for words in (["explain", str(path)], ["show", "--report", str(path)]):
        refused(macproof(*words), "elsewhere/case.yaml, whose Python code would be run. It is not")
        done = macproof(*words, "--trust")
        assert "This runs the Python code of" in done.out
    monkeypatch.chdir(tmp_path)
    assert "This runs the Python code of" in macproof("explain", path).out
