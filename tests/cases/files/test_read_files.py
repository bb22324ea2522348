"""What the Python of a case reads belongs to what its verdict depends on."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import macproof
from emu.base.errors import CaseError, InputError, UsageError
from emu.campaign.campaign import run_campaign
from emu.cases.files.python_files import changed_since
from emu.cases.files.read_files import ABSENT
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.scene_plan import plan_scenes

CASE = """
schema: macproof.case/1
name: read
title: A reference that reads
sources: [read.c]
cpus: ["68040"]
scene: {make: "read_reference:make", generators: [any], objects: [1, 5], count: 20}
call: Go
arguments: {x: x}
observe: {return: r}
reference: read_reference:expect
"""
SCENES = """
import functools, importlib, importlib.util, json, os, sqlite3, sys, tempfile
from pathlib import Path
from types import SimpleNamespace
import numpy as np
HERE = Path(__file__).parent
class S:
    def __init__(s, generator, seed, objects):
        s.generator, s.seed, s.objects, s.x = generator, seed, objects, seed % 90 + 1
    def keep(s, i): return s
def make(generator, objects, seed, *, width, height): return S(generator, seed, objects)
def table(): return json.loads((HERE / "t.json").read_text())["f"]
"""
ANSWER = "def expect(s): return SimpleNamespace(r={} * s.x)\n"

READING = {
    "as it runs": (ANSWER.format("table()"), "t.json"),
    "as it is imported": ("F = table()\n" + ANSWER.format("F"), "t.json"),
    "by the reference itself": (
        "def expect(s):\n    with open(HERE / 't.json') as f: table = json.load(f)\n"
        "    return SimpleNamespace(r=table['f'] * s.x)\n",
        "t.json",
    ),
    "by the module itself": (
        "with open(HERE / 't.json') as f: F = json.load(f)['f']\n" + ANSWER.format("F"),
        "t.json",
    ),
    "once": ("once = functools.lru_cache(table)\n" + ANSWER.format("once()"), "t.json"),
    "by os.open": (
        "def low():\n    f = os.open(HERE / 't.json', os.O_RDONLY)\n"
        "    try: return json.loads(os.read(f, 99))['f']\n    finally: os.close(f)\n"
        + ANSWER.format("low()"),
        "t.json",
    ),
    "by NumPy": (ANSWER.format("int(np.load(HERE / 't.npy')[0])"), "t.npy"),
    "of a module by a computed name": (
        "def other():\n    spec = importlib.util.spec_from_file_location('o', HERE / 'other.py')\n"
        "    made = importlib.util.module_from_spec(spec)\n    spec.loader.exec_module(made)\n"
        "    return made.F\n" + ANSWER.format("other()"),
        "other.py",
    ),
    "of a module that reads": (
        "sys.path.insert(0, str(HERE))\ntry: deep = importlib.import_module('de' + 'ep')\n"
        "finally: sys.path.pop(0); sys.modules.pop('deep', None)\n" + ANSWER.format("deep.F"),
        "deep.txt",
    ),
    "if it is there": (
        "def own():\n    try: return int(open(HERE / 'own.txt').read())\n"
        "    except OSError: return 3\n" + ANSWER.format("own()"),
        "own.txt",
    ),
    "from a database": (
        "def asked():\n    with sqlite3.connect(HERE / 't.db') as d:\n"
        "        return d.execute('select f from t').fetchone()[0]\n" + ANSWER.format("asked()"),
        "t.db",
    ),
}


def write(folder: Path, reference: str) -> Path:
    (folder / "case.yaml").write_text(CASE.lstrip())
    (folder / "read.c").write_text("long Go(short x) { return 3L * x; }\n")
    (folder / "read_reference.py").write_text(SCENES + reference)
    (folder / "t.json").write_text('{"f": 3}')
    (folder / "unread.json").write_text('{"f": 3}')
    np.save(folder / "t.npy", np.array([3]))
    (folder / "other.py").write_text("F = 3\n")
    (folder / "deep.py").write_text(
        "from pathlib import Path\nF = int(Path(__file__).with_name('deep.txt').read_text())\n"
    )
    (folder / "deep.txt").write_text("3")
    with sqlite3.connect(folder / "t.db") as database:
        database.execute("create table t (f)")
        database.execute("insert into t values (3)")
    database.close()
    return folder / "case.yaml"


def read_of(path: Path) -> dict[str, str]:
    case = macproof.load_case(path)
    return dict(Scenes.make(case, plan_scenes(case, 2, 1)).read)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ABSENT


@pytest.mark.parametrize("how", READING)
def test_a_file_is_noted_however_it_is_read(tmp_path: Path, how: str) -> None:
    reference, name = READING[how]
    path = write(tmp_path, reference)
    for _ in range(2):  # also by a process that has imported the module before
        read = read_of(path)
        assert read[name] == digest(tmp_path / name)
        assert "unread.json" not in read
        assert "read_reference.py" not in read
    with (tmp_path / name).open("ab") as file:
        file.write(b"4")
    assert changed_since(tmp_path, read.items()) == [name]


@pytest.mark.parametrize("how", [*READING][:3])
def test_a_changed_file_is_read_again_in_the_same_process(tmp_path: Path, how: str) -> None:
    reference, name = READING[how]
    path = write(tmp_path, reference)
    answers = []
    for factor in ("3", "2"):
        (tmp_path / name).write_text(f'{{"f": {factor}}}')
        case = macproof.load_case(path)
        scenes = Scenes.make(case, plan_scenes(case, 1, 1))
        answers.append(scenes.references[0].r // scenes.scenes[0].x)
        assert dict(scenes.read)[name] == digest(tmp_path / name)
    assert answers == [3, 2]


def test_what_a_reference_writes_itself_is_no_file_of_the_case(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "def scratch():\n    (HERE / 'out.txt').write_text('3')\n"
        "    return int((HERE / 'out.txt').read_text())\n" + ANSWER.format("scratch()"),
    )
    assert read_of(path) == {}


def test_a_case_of_the_kit_reads_nothing_more(case: macproof.Case) -> None:
    """Python's own files and those of packages are known by their versions."""
    assert Scenes.make(case, plan_scenes(case, 2, 1)).read == ()


def test_a_receipt_a_campaign_and_explain_depend_on_it(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    path = write(tmp_path, READING["as it runs"][0])

    def programs():
        return macproof.programs_of(macproof.load_case(path), builds=["O2"])

    settings = {"scenes": 10, "seed": 1, "shard": 5, "jobs": 1}
    run_campaign(tmp_path / "c", programs(), **settings)
    (tmp_path / "t.json").write_text('{"f": 2}')
    with pytest.raises(UsageError, match=r"it has other files of the case: t\.json"):
        run_campaign(tmp_path / "c", programs(), **settings)
    found = macproof.verify(path, programs(), scenes=10)
    assert found.verdict == "refuted"
    assert dict(found.report.receipt.read_files) == {"t.json": digest(tmp_path / "t.json")}
    (tmp_path / "r.json").write_text(found.to_json())
    assert macproof.explain(tmp_path / "r.json").explanation is not None
    (tmp_path / "t.json").write_text('{"f": 3}')
    with pytest.raises(InputError, match=r"has changed since: t\.json"):
        macproof.explain(tmp_path / "r.json")
    assert json.loads(found.to_json())["receipt"]["read_files"].keys() == {"t.json"}


def test_a_file_that_changes_during_the_run_ends_it(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    (tmp_path / "count.txt").write_text("0")
    path = write(tmp_path, READING["as it runs"][0])
    case = macproof.load_case(path)
    programs = macproof.programs_of(case, builds=["O2"])

    def change(more: int, calls: int) -> None:
        (tmp_path / "new").write_text('{"f": 3 }')
        (tmp_path / "new").replace(tmp_path / "t.json")  # no moment without a whole file

    with pytest.raises(CaseError, match=r"t\.json was changed during the run"):
        macproof.verify(case, programs, scenes=10, on_progress=change)
