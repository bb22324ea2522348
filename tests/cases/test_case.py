"""Case files: the shipped one loads, and every mistake is told with its line and a remedy."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emu.base.errors import CaseError, UsageError
from emu.base.yaml_document import YamlDocument, check_against_schema
from emu.cases import case_file
from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.files.places import CASE_FILE, find_cases
from emu.cases.find import default_case, load_case
from emu.cases.keys.arguments import Phrase
from emu.cases.keys.parts import Figures, ObservedVariable, ScenePicture
from emu.cases.keys.scene_name import SceneName
from emu.cases.programs.sources import source_tree
from emu.cases.scenes import (
    ask_reference,
    columns_of,
    corners_of,
    keep_objects,
    scene_of,
    with_corners,
)
from emu.toolchain import known_documents
from emu.toolchain.builds import BUILDS
from emu.toolchain.sources import mac_sources
from pyref.scene import Scene, make_scene
from pyref.sectors.four_shifts import determine_collisions

SHIPPED = mac_sources() / "four_shifts" / CASE_FILE
EXTRA = re.search(r"(?m)^extra:\n(  .*\n)+", SHIPPED.read_text())[0].rstrip()

Reader = Callable[..., Case]


def shipped_text() -> str:
    """The shipped case, but for the function that makes many scenes: one of its name makes one.

    Its first line, which tells editors the schema, is left out too: lines are counted below.
    """
    first, _, text = SHIPPED.read_text().partition("\n")
    assert first.startswith("# yaml-language-server:")
    line = "  bulk_make: pyref.sectors.four_shifts:make_scenes\n"
    assert text.count(line) == 1
    return text.replace(line, "")


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    """Reads the shipped case with some of its text replaced, beside an empty source."""
    (tmp_path / "four_shifts.cpp").touch()
    path = tmp_path / CASE_FILE

    def write_and_read(*changes: tuple[str, str]) -> Case:
        text = shipped_text()
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        path.write_text(text)
        return read_case(path)

    return write_and_read


def test_the_shipped_case(case: Case):
    assert case.name == "four-shifts"
    assert case.credit == "Tom Moertel, 1994"
    assert case.sources == ("four_shifts.cpp",)
    assert case.call == "_DetermineCollisions"
    assert case.objects == (0, 1, 50, 100, 200)
    assert (case.width, case.height) == (640, 480)
    assert case.inputs == {
        "gObjects": {"x": Phrase("x"), "y": Phrase("y"), "obj_link": Phrase("next_object")}
    }
    assert case.observed == (
        ObservedVariable("gCollisionArray", "", Phrase("flags")),
        ObservedVariable("gSectorArray", "", Phrase("sector_heads")),
        ObservedVariable("gObjects", "sector_link", Phrase("sector_links")),
    )
    assert case.picture == ScenePicture(("gCollisionArray",), 30)
    assert list(case.builds) == ["O0", "O1", "O2", "Os", "period", "O2-macros"]
    assert case.builds["O2-macros"].flags == (*BUILDS["O2"].flags, "-DBRAIN_DEAD_INLINING")


def test_every_shipped_case_loads_and_its_name_finds_it():
    paths = list(find_cases())
    assert SHIPPED in paths
    for path in paths:
        found = read_case(path)
        assert load_case(found.name).path == path


def test_the_case_that_says_so_is_the_default(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    assert default_case() == case
    monkeypatch.setattr("emu.cases.files.places.mac_sources", lambda: tmp_path)
    with pytest.raises(UsageError, match="there is no default case; name one"):
        default_case()
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / CASE_FILE).write_text("default:  true  # it is\n")
    with pytest.raises(UsageError, match=r"several cases are the default: .*a/case.yaml, .*b/case"):
        default_case()


def test_scenes_and_what_is_expected_of_them(case: Case):
    scene = scene_of(case, SceneName("clustered", 50, 7))
    twin = make_scene("clustered", 50, 7)
    assert np.array_equal(scene.corners, twin.corners)
    assert np.array_equal(ask_reference(case, scene).flags, determine_collisions(twin).flags)
    given = with_corners(case, scene, scene.corners[:3])
    assert isinstance(given, Scene)
    assert (given.generator, given.seed, len(given.corners)) == ("clustered", 7, 3)


@pytest.mark.parametrize("name", ["four-shifts", str(SHIPPED.parent), str(SHIPPED)])
def test_a_case_by_name_folder_or_file(name: str, case: Case):
    assert load_case(name) == case


def test_a_case_by_a_relative_path(monkeypatch: pytest.MonkeyPatch, case: Case):
    monkeypatch.chdir(SHIPPED.parent)
    assert load_case("case.yaml") == case
    assert load_case(".") == case
    assert load_case("four-shifts") == case


def test_a_folder_of_the_same_name_does_not_hide_a_case(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, case: Case
):
    (tmp_path / "four-shifts").mkdir()
    monkeypatch.chdir(tmp_path)
    assert load_case("four-shifts") == case


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("four-shift", "did you mean four-shifts?"),
        ("zzz", "there is no case zzz; there are "),
        ("", "there is no case with an empty name; give its name, folder or file"),
        (".", "that folder has no case.yaml"),
        ("nowhere.yaml", "there is no case nowhere.yaml; there is no such file or folder"),
        ("/dev/null", "that is no file that can be read as one"),
        ("a\0b", "there is no case"),
        ("no/such/case.yaml", "there is no case no/such/case.yaml"),
    ],
)
def test_no_such_case(name: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=re.escape(words)):
        load_case(name)


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (("credit:", "credits:"), 4, "the key credits is not known; did you mean credit?"),
        (("  width:", "  widht:"), 11, "the key widht is not known; did you mean width?"),
        (("outline:", "outlines:"), 22, "the key outlines is not known; did you mean outline?"),
        (("like: O2", "lik: O2"), 25, "the key lik is not known; did you mean like?"),
        (("credit:", "qqq:"), 4, "the key qqq is not known; there are schema, name,"),
        (("macproof.case/1", "macproof.case/2"), 1, "schema: 'macproof.case/1' was expected"),
        (("name: four-shifts", "name: Four Shifts"), 2, "name is 'Four Shifts'; a name has small"),
        (
            ("title: Sector grid with four shifts\n", "title:\n"),
            3,
            "title: null is not a text; put it in qu",
        ),
        (("[four_shifts.cpp]", "four_shifts.cpp"), 5, '"four_shifts.cpp" is not a list'),
        (("[four_shifts.cpp]", "[]"), 5, "sources: [] should be non-empty"),
        (
            ("[four_shifts.cpp]", "[/four_shifts.cpp]"),
            5,
            "a source is named relative to the case file",
        ),
        (("[four_shifts.cpp]", "[gone.cpp]"), 5, "there is no file gone.cpp beside it"),
        (("  width: 640", "  width: 0"), 11, "0 is less than the minimum of 1"),
        (("  width: 640", "  width: 1.5"), 11, '"1.5" is not a whole number'),
        (("  width: 640", "  width: true"), 11, "true is not a whole number"),
        (("[0, 1, 50, 100, 200]", "[0, 0]"), 10, "has non-unique elements"),
        (("[0, 1, 50, 100, 200]", "[-1]"), 10, "-1 is less than the minimum of 0"),
        (("[0, 1, 50, 100, 200]", "[100001]"), 10, "greater than the maximum of 100000"),
        (("{x: x, y: y,", "{x: 7, y: y,"), 14, "7 is not a text"),
        (
            ("{x: x, y: y,", "{x: x, y: y, count: 1,"),
            14,
            "1: what fills a member is the name of an",
        ),
        (("{x: x, y: y,", "{x: a-b, y: y,"), 14, "'a-b' does not match"),
        (("gCollisionArray: flags", "gCollisionArray: 7"), 16, "7 is not a text"),
        (
            ("  width:", "  also: {uniforn: [7]}\n  width:"),
            11,
            "there is no generator uniforn; did you mean uniform?",
        ),
        (
            ("  width:", "  also: {uniform: [7, 50]}\n  width:"),
            11,
            "all generators have 50 objects already",
        ),
        (("like: O2", "like: O3"), 25, "there is no build O3; there are O0, O1, O2, Os, period"),
        (("like: O2", "like: periods"), 25, "there is no build periods; did you mean period?"),
        (("object_size: 30", "object_size: 0"), 22, "picture.object_size: 0 is less than"),
        (("pyref.sectors.four_shifts:make_scene", "pyref.scene.make_scene"), 8, "does not match"),
        (
            ("pyref.sectors.four_shifts:make_scene", "no.such:thing"),
            8,
            "cannot be imported: ModuleNotFoundError: No module named",
        ),
        (
            ("pyref.sectors.four_shifts:make_scene", "pyref.scene:make_scenes"),
            8,
            "make_scenes cannot be imported: AttributeError: module 'pyref.scene' has no attribute",
        ),
        (("pyref.sectors.four_shifts:make_scene", "pyref.scene:RECT_SIZE"), 8, "is not a function"),
        (
            (
                "pyref.sectors.four_shifts:determine_collisions",
                "pyref.sectors.four_shifts:determine",
            ),
            19,
            "pyref.sectors.four_shifts:determine cannot be imported",
        ),
    ],
)
def test_a_mistake_is_told_with_its_line(
    read: Reader, change: tuple[str, str], line: int, words: str
):
    with pytest.raises(CaseError) as caught:
        read(change)
    assert f"case.yaml, line {line}: " in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize("word", ["on", "yes", "010", "0x10", "1:30", "1_000", "'640'"])
@pytest.mark.parametrize("place", ["  width: 640", "  objects: [0, 1, 50, 100, 200]"])
def test_text_is_not_taken_for_a_number(read: Reader, place: str, word: str):
    key = place.split(":")[0]
    value = f"[0, {word}]" if "[" in place else word
    with pytest.raises(CaseError, match="is not a whole number"):
        read((place, f"{key}: {value}"))


@pytest.mark.parametrize(
    "key",
    ["schema", "name", "title", "sources", "call", "scene", "observe"],
)
def test_a_key_that_is_missing(tmp_path: Path, key: str):
    lines = SHIPPED.read_text().splitlines(keepends=True)
    begin = next(i for i, line in enumerate(lines) if line.startswith(f"{key}:"))
    end = next((i for i in range(begin + 1, len(lines)) if lines[i][0] not in " #"), len(lines))
    path = tmp_path / CASE_FILE
    path.write_text("".join(lines[:begin] + lines[end:]))
    with pytest.raises(CaseError, match=f"the key {key} is missing"):
        read_case(path)


def test_a_source_is_no_case(tmp_path: Path):
    path = tmp_path / "port.c"
    path.write_text("int x[] = {3 : };")
    with pytest.raises(UsageError, match=r"is a source and not a case; .* with --source"):
        load_case(path)


@pytest.mark.parametrize("text", ["", "just text", "[1, 2]", "7", "null"])
def test_a_file_that_is_no_mapping(tmp_path: Path, text: str):
    path = tmp_path / CASE_FILE
    path.write_text(text)
    with pytest.raises(
        CaseError, match=r"line 1: the file(: .* is not a mapping \(KEY: VALUE\)| is empty)$"
    ):
        read_case(path)


def test_a_message_does_not_repeat_a_whole_file(tmp_path: Path):
    path = tmp_path / CASE_FILE
    path.write_text("text " * 20_000)
    with pytest.raises(CaseError) as caught:
        read_case(path)
    assert len(str(caught.value)) < 600


def test_a_module_that_fails_while_it_is_imported(
    read: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "macproof_test_broken.py").write_text("1 / 0\n")
    (tmp_path / "macproof_test_garbled.py").write_text("def f(:\n")
    monkeypatch.syspath_prepend(tmp_path)
    reference = "pyref.sectors.four_shifts:determine_collisions"
    with pytest.raises(CaseError, match="cannot be imported: ZeroDivisionError"):
        read((reference, "macproof_test_broken:f"))
    with pytest.raises(CaseError, match="cannot be imported: SyntaxError"):
        read((reference, "macproof_test_garbled:f"))


def test_a_failure_of_a_generator_or_reference_has_its_type_and_line(case: Case):
    with pytest.raises(
        UsageError, match=r"make_scene fails on nope, 3 objects, seed 0: ValueError: unknown"
    ):
        scene_of(case, SceneName("nope", 3, 0))
    scene = scene_of(case, SceneName("uniform", 201, 4))
    with pytest.raises(
        UsageError,
        match=r"determine_collisions fails on uniform, 201 objects, seed 4: ValueError: 201 objects"
        r".*pyref/sectors/\w+\.py:\d+\)$",
    ):
        ask_reference(case, scene)


def test_generators_and_references_may_be_wrong(
    read: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "macproof_test_wrong.py").write_text(
        "import numpy as np\n"
        "def flat(generator, objects, seed, width, height):\n"
        "    return np.zeros(objects)\n"
        "def fails(scene):\n"
        "    return {}['flags']\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    case = read(("pyref.sectors.four_shifts:make_scene", "macproof_test_wrong:flat"))
    with pytest.raises(UsageError, match=r"gives no scene for uniform, 3 .* it has no objects"):
        scene_of(case, SceneName("uniform", 3, 1))
    case = read(("pyref.sectors.four_shifts:determine_collisions", "macproof_test_wrong:fails"))
    with pytest.raises(UsageError, match="KeyError: 'flags'"):
        ask_reference(case, scene_of(case, SceneName("uniform", 3, 1)))


def test_the_sources_to_compile(case: Case, tmp_path: Path):
    own = source_tree(case)
    assert own.sources == (SHIPPED.parent / "four_shifts.cpp",)
    assert own.routine == "_DetermineCollisions"
    assert own.state == ("gCollisionArray", "gObjects", "gSectorArray")
    other = tmp_path / "other.cpp"
    other.touch()
    foreign = source_tree(case, other)
    assert foreign.sources == (other,)
    assert foreign.folders == (tmp_path, SHIPPED.parent)
    assert (own.foreign, foreign.foreign) == ((), (other,))
    with pytest.raises(UsageError, match="there is no such file"):
        source_tree(case, tmp_path / "gone.cpp")
    with pytest.raises(UsageError, match="it is not a file"):
        source_tree(case, tmp_path)


# -- several cases in a folder -----------------------------------------------------------------


def with_name(name: str) -> str:
    return shipped_text().replace("name: four-shifts", f"name: {name}")


def test_a_folder_may_hold_several_cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "some"
    folder.mkdir()
    (folder / "four_shifts.cpp").touch()
    (folder / "one.case.yaml").write_text(with_name("one"))
    assert load_case(str(folder)).name == "one"
    (folder / "two.case.yaml").write_text(with_name("two"))
    with pytest.raises(UsageError, match=r"has several cases.*: one\.case\.yaml, two\.case\.yaml"):
        load_case(str(folder))
    (folder / CASE_FILE).write_text(with_name("main"))
    assert load_case(str(folder)).name == "main"
    assert [path.name for path in find_cases(tmp_path)] == [
        "case.yaml",
        "one.case.yaml",
        "two.case.yaml",
    ]
    monkeypatch.setattr("emu.cases.files.places.mac_sources", lambda: tmp_path)
    assert load_case("two").path == folder / "two.case.yaml"
    # A case that is wrong hides no other, and is told of where it may be the one that is meant.
    (folder / "three.case.yaml").write_text("name: three\n")
    assert load_case("one").name == "one"
    with pytest.raises(CaseError, match=r"three\.case\.yaml, line 1: the key \w+ is missing"):
        load_case("three")
    (folder / "three.case.yaml").write_text(with_name("two"))
    with pytest.raises(UsageError, match="several cases are named two; give the file of one: "):
        load_case("two")


def test_shipped_cases_have_names_of_their_own():
    names = [read_case(path).name for path in find_cases()]
    assert len(set(names)) == len(names)


# -- processors, scenes, timing ----------------------------------------------------------------


def test_processors_and_the_number_of_scenes(read: Reader, case: Case):
    assert case.cpus == ("68000", "68040", "601")
    assert case.scene_count == 3000
    other = read(
        ("sources:", 'cpus: [68040, "601", mips]\nsources:'),
        ("  width:", "  count: 60\n  width:"),
    )
    assert other.cpus == ("68040", "601", "mips")
    assert other.scene_count == 60


def test_names_for_the_preprocessor(read: Reader):
    plain = read()
    assert plain.defines == ()
    case = read(("sources:", "define: [NO_BOOKKEEPING, MORE]\nsources:"))
    assert case.defines == ("NO_BOOKKEEPING", "MORE")
    assert source_tree(case).flags == (*source_tree(plain).flags, "-DNO_BOOKKEEPING", "-DMORE")
    foreign = source_tree(case, case.path.parent / "four_shifts.cpp")
    assert "-DNO_BOOKKEEPING" in foreign.flags


TIMING = """
timing:
  generator: uniform
  objects: [0, 50]
  extra_builds:
    O0-macros: {like: O0, define: [BRAIN_DEAD_INLINING]}
  figures:
    - {machine: A Mac, cpu: 68040, megahertz: 33.25, source: A list,
       calls_per_second: {0: 611, 50: 7.5}}
"""


@pytest.fixture
def timed(tmp_path: Path) -> Reader:
    """Reads the shipped case with a timing section of which some text is replaced."""
    (tmp_path / "four_shifts.cpp").touch()
    path = tmp_path / CASE_FILE
    own = SHIPPED.read_text().partition("\ntiming:")[0]

    def write_and_read(old: str = "", new: str = "") -> Case:
        assert old in TIMING
        path.write_text(own.rstrip() + (TIMING.replace(old, new, 1) if old else TIMING))
        return read_case(path)

    return write_and_read


def test_a_timing_section(timed: Reader):
    timing = timed().timing
    assert timing is not None
    assert (timing.generator, timing.objects) == ("uniform", (0, 50))
    assert list(timing.builds) == ["O0-macros"]
    assert timing.builds["O0-macros"].flags == ("-O0", "-DBRAIN_DEAD_INLINING")
    assert timing.figures == (Figures("A Mac", "68040", 33.25, "A list", {0: 611.0, 50: 7.5}),)
    assert timed("  objects: [0, 50]\n", "").timing.objects == (0, 1, 50, 100, 200)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("generator: uniform", "generator: unifrom", "no generator unifrom; did you mean uniform"),
        ("  generator: uniform\n", "", "the key generator is missing"),
        ("like: O0", "like: O7", "there is no build O7"),
        ("O0-macros:", "O2:", "there is a build O2 already"),
        ("cpu: 68040", "cpu: 68060", "there is no CPU 68060"),
        ("megahertz: 33.25", "megahertz: 0", "0 is less than or equal to the minimum of 0"),
        ("megahertz: 33.25", "megahertz: fast", "'fast' does not match"),
        ("megahertz: 33.25", "megahertz: 0.0", "'0.0' does not match"),
        ("{0: 611", "{x: 611", "'x' does not match"),
        ("{0: 611", "{0: -3", "-3 is less than or equal to"),
        ("figures:", "figure:", "the key figure is not known; did you mean figures?"),
    ],
)
def test_a_mistake_in_a_timing_section(timed: Reader, old: str, new: str, words: str):
    with pytest.raises(CaseError) as caught:
        timed(old, new)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("sources:", "cpus: [68050]\nsources:", "line 5: there is no CPU 68050"),
        ("sources:", "prebuilt: [O3]\nsources:", "line 5: there is no build O3"),
        ("sources:", "cpus: []\nsources:", "cpus: [] should be non-empty"),
        ("  width:", "  count: 0\n  width:", "0 is less than the minimum of 1"),
        ("{outline: gCollisionArray, object_size: 30}", "{outline: g}", "picture: "),
        ("{outline: gCollisionArray, object_size: 30}", "{}", "picture: {} is not valid"),
        ("object_size: 30}", "object_size: 30, shape: oval}", "not one of square, circle"),
        ("object_size: 30}", "object_size: 30, grid: no.such:grid}", "cannot be imported"),
        ("outline: gCollisionArray,", "outline: [a, b, c],", "outline: ['a', 'b', 'c'] is too"),
        ("object_size: 30}", "object_size: [w, h], shape: circle}", "one size, not two"),
        ("object_size: 30}", "object_size: [w]}", "object_size: ['w'] is too short"),
    ],
)
def test_a_mistake_in_what_is_new(read: Reader, old: str, new: str, words: str):
    with pytest.raises(CaseError) as caught:
        read((old, new))
    assert words in str(caught.value)


def test_what_comes_along_and_what_can_be_imported(read: Reader, case: Case):
    assert case.prebuilt == tuple(case.builds)
    assert [*case.not_run] == ["the original program (Tom Moertel, 1994)"]
    other = read((EXTRA, "prebuilt: [O2, O2-macros]"))
    assert other.prebuilt == ("O2", "O2-macros")


def test_what_the_file_says_for_other_packages(read: Reader, case: Case):
    """Each has its section as it is, with the lines; macproof looks at none of them."""
    assert [*case.extra] == ["posts"]
    found = read((EXTRA, "extra:\n  museum: {hall: 7, rows: [a, {b: true}]}\n  zoo: {}"))
    assert {name: part.data for name, part in found.extra.items()} == {
        "museum": {"hall": 7, "rows": ["a", {"b": True}]},
        "zoo": {},
    }
    museum = pickle.loads(pickle.dumps(found)).extra["museum"]
    head = found.path.read_text().splitlines().index("extra:") + 1
    for place, line in ((("rows", 1, "b"), 1), (("nothing",), 1), ((), 1)):
        assert str(museum.error(place, "odd")) == f"{found.path}, line {head + line}: odd"
    assert museum.line(("hall",)) == found.extra["zoo"].line(()) - 1
    museum.check({"required": ["hall"]})
    with pytest.raises(CaseError, match=f"line {head + 1}: the key hole is missing"):
        museum.check({"required": ["hole"]})
    with pytest.raises(CaseError, match=r"extra\.museum: 7 is not a mapping"):
        read((EXTRA, "extra: {museum: 7}"))
    assert read((EXTRA, "")).extra == {}


def test_a_picture_of_pairs(read: Reader):
    found = read(
        (
            "{outline: gCollisionArray, object_size: 30}",
            "{outline: [gPairs.first, gPairs.second], object_size: size, shape: circle, "
            'grid: "pyref.scene:make_scene"}',
        )
    )
    assert found.picture == ScenePicture(
        ("gPairs.first", "gPairs.second"), "size", "circle", "pyref.scene:make_scene"
    )


def test_what_is_kept_of_a_scene(case: Case):
    scene = scene_of(case, SceneName("clustered", 9, 4))
    kept = keep_objects(case, scene, [2, 5])
    assert np.array_equal(kept.corners, scene.corners[[2, 5]])
    assert (kept.generator, kept.seed, kept.objects) == ("clustered", 4, 2)
    assert keep_objects(case, scene, []).objects == 0
    with pytest.raises(UsageError, match="fails to keep 1 of the objects of clustered"):
        keep_objects(case, scene, [9])
    assert list(columns_of(case, scene)) == ["x", "y", "next_object"]
    assert np.array_equal(corners_of(case, scene), scene.corners)


def counted_checks(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The case files that are held against the schema from now on, as in a new process."""
    checked: list[Path] = []

    def check(document: YamlDocument, schema: dict[str, Any]) -> None:
        checked.append(document.path)
        check_against_schema(document, schema)

    monkeypatch.setattr(YamlDocument, "check", check)
    monkeypatch.setattr(case_file, "_fitting", set())
    return checked


def as_in_a_new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_file, "_fitting", set())


def test_a_text_is_held_against_the_schema_once_for_all_processes(
    isolated_cache: Path, read: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = counted_checks(monkeypatch)
    first = read()
    assert len(checked) == 1
    as_in_a_new_process(monkeypatch)
    assert read().path == first.path and len(checked) == 1
    as_in_a_new_process(monkeypatch)
    read(("width: 640", "width: 641"))
    assert len(checked) == 2


def test_a_text_that_does_not_fit_is_never_remembered(
    isolated_cache: Path, read: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = counted_checks(monkeypatch)
    for times in (1, 2):
        with pytest.raises(CaseError, match="wide"):
            read(("width: 640", "wide: 640"))
        assert len(checked) == times


def test_what_fits_one_schema_is_checked_again_with_another(
    tmp_path: Path, isolated_cache: Path, read: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = counted_checks(monkeypatch)
    read()
    other = tmp_path / "emu"
    other.mkdir()
    schema = resources.files("emu.cases").joinpath("case.schema.json").read_text()
    (other / "case.schema.json").write_text(f"{schema}\n")
    monkeypatch.setattr(known_documents.resources, "files", lambda package: other)
    as_in_a_new_process(monkeypatch)
    read()
    assert len(checked) == 2


def test_a_cache_that_cannot_be_written_only_costs_time(
    tmp_path: Path, read: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("MACPROOF_CACHE", str(tmp_path / "file" / "cache"))
    checked = counted_checks(monkeypatch)
    assert read().name == "four-shifts" and len(checked) == 1
