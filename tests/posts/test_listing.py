"""The listing of 1994: taken out of a post whole or not at all, and equal to our port."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from emu.base.errors import InputError
from emu.cases.case import Case
from emu.cases.find import default_case
from emu.cases.programs.sources import source_tree
from emu.cases.programs.subject import Subject
from emu.cases.scenes import scene_of
from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from emu.toolchain.builds import TARGETS
from emu.toolchain.programs.gcc import compile_program
from emu.verify.batches.bench import Bench
from emu.verify.images.observations import observation
from emu.verify.runs.schedule import verify
from emu.verify.runs.verdicts import VERIFIED
from emu.verify.scenes.scene_plan import plan_scenes
from posts import listing as module
from posts.listing import listing_digest, listing_of
from posts.listing import read_listing as read_known_listing

BEGIN, END = "======= begin ", "======= end"
LISTING = listing_of(default_case())
assert LISTING is not None
TEXT = "// a listing\n#define A  1   // blanks\n\n\tint x; \n// the end\n"


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str | bytes], Path]:
    """Writes a post."""
    path = tmp_path / "post.txt"

    def give(text: str | bytes) -> Path:
        path.write_bytes(text if isinstance(text, bytes) else text.encode("latin-1"))
        return path

    return give


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if `TEXT` were the listing of 1994."""
    told = replace(LISTING, sha256=listing_digest(TEXT))
    monkeypatch.setattr("tests.posts.test_listing.LISTING", told)
    monkeypatch.setattr(module, "listing_of", lambda case: told)


def read_listing(post: Path) -> str:
    return read_known_listing(post, LISTING, "Tom Moertel, 1994")


def posted(text: str, begin: str = BEGIN, end: str = END) -> str:
    return f"From: somebody\n\nHello,\nbegin here.\n{begin}\n{text}{end}\n-- \nbye\n"


# -- posts made up here ------------------------------------------------------------------------


def test_what_lies_between_the_marks(known: None, write: Callable[..., Path]):
    found = read_listing(write(posted(TEXT)))
    assert found == TEXT
    assert listing_digest(found) == listing_digest(TEXT)


@pytest.mark.parametrize("end_of_line", ["\r\n", "\r"])
def test_line_ends_of_other_systems(known: None, write: Callable[..., Path], end_of_line: str):
    assert read_listing(write(posted(TEXT).replace("\n", end_of_line))) == TEXT


def test_blanks_that_mailers_add_or_remove(known: None, write: Callable[..., Path]):
    padded = "".join(f"{line}  \t\n" for line in TEXT.splitlines())
    stripped = "".join(f"{line.rstrip()}\n" for line in TEXT.splitlines())
    for text in (padded, stripped):
        found = read_listing(write(posted(text)))
        assert found == text  # compiled as it stands in the reader's copy
        assert listing_digest(found) == listing_digest(TEXT)


@pytest.mark.parametrize(
    "damaged",
    [
        TEXT.replace("x", "y"),
        TEXT.replace("  1", " 1"),
        TEXT.replace("\t", "        "),
        TEXT + "\n",
        TEXT.replace("\n\n", "\n"),
        TEXT.upper(),
        "",
        "\xa5\n",
    ],
)
def test_a_listing_that_is_not_the_one_of_1994(
    known: None, write: Callable[..., Path], damaged: str
):
    with pytest.raises(InputError, match="not that of Tom Moertel, 1994") as caught:
        read_listing(write(posted(damaged)))
    assert f"SHA-256 {listing_digest(damaged)}" in str(caught.value)
    assert listing_digest(TEXT) in str(caught.value)
    assert "verify --source" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no marks at all\n",
        posted(TEXT, begin="begin"),
        posted(TEXT, begin="> " + BEGIN),
        posted(TEXT, begin="======= begun"),
        "\0" * 1000,
        bytes(range(256)) * 16,
        posted(TEXT).encode("utf-16"),
    ],
)
def test_no_begin(known: None, write: Callable[..., Path], text: str | bytes):
    with pytest.raises(InputError, match='there is no line "======= begin" in it'):
        read_listing(write(text))


def test_begin_without_end(known: None, write: Callable[..., Path]):
    with pytest.raises(InputError, match='line 5: after "======= begin" there is no') as caught:
        read_listing(write(posted(TEXT, end="")))
    assert "cut off" in str(caught.value)
    with pytest.raises(InputError, match="there is no line"):
        read_listing(write(f"{END}\n{BEGIN}\n{TEXT}"))


def test_what_is_no_post(tmp_path: Path, write: Callable[..., Path]):
    with pytest.raises(InputError, match="No such file"):
        read_listing(tmp_path / "gone.txt")
    with pytest.raises(InputError, match="Is a directory"):
        read_listing(tmp_path)
    with pytest.raises(InputError, match="too large for a newsgroup post"):
        read_listing(write(b"x" * (4 << 20) + b"x"))
    with pytest.raises(InputError, match="there is no line"):
        read_listing(write(b"x" * (4 << 20)))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a system without /dev/zero")
def test_a_post_without_an_end():
    with pytest.raises(InputError, match="too large"):
        read_listing(Path("/dev/zero"))


# -- the reader's own copy ---------------------------------------------------------------------


@pytest.fixture
def original(post: Path, tmp_path: Path) -> Path:
    """The listing of 1994 as a file."""
    path = tmp_path / "four_shifts_1994.cpp"
    path.write_bytes(read_listing(post).encode("latin-1"))
    return path


def test_the_listing_of_1994(post: Path):
    found = read_listing(post)
    assert listing_digest(found) == LISTING.sha256
    assert found.count("\n") == LISTING.lines
    assert found in post.read_bytes().decode("latin-1").replace("\r\n", "\n")


def test_the_listing_damaged_in_any_one_letter(post: Path, tmp_path: Path):
    text = post.read_bytes().decode("latin-1").replace("\r\n", "\n")
    listing = read_listing(post)
    start = text.index(listing)
    letters = [i for i, letter in enumerate(listing) if letter.isalnum()]
    path = tmp_path / "post.txt"
    for place in letters[:: len(letters) // 40]:
        at = start + place
        other = "7" if text[at] != "7" else "8"
        path.write_bytes((text[:at] + other + text[at + 1 :]).encode("latin-1"))
        with pytest.raises(InputError, match="not that of Tom Moertel, 1994") as caught:
            read_listing(path)
        changed = listing[:place] + other + listing[place + 1 :]
        assert listing_digest(changed) in str(caught.value)
        assert LISTING.sha256 in str(caught.value)


def test_the_listing_is_not_in_this_repository(post: Path):
    """It is its author's; only its hash and what was learned from it are ours."""
    root = Path(__file__).parents[2]
    lines = {line.strip() for line in read_listing(post).splitlines()}
    telling = {line for line in lines if len(line) > 45}
    assert len(telling) > 50
    for folder in ("emu", "mac_src", "pyref", "tests", "docs"):
        for path in (root / folder).rglob("*"):
            if path.suffix in (".cpp", ".h", ".py", ".c", ".md", ".yaml"):
                held = {line.strip() for line in path.read_text("latin-1").splitlines()}
                # Signatures are the interface both have; beyond them nothing is shared.
                assert len(held & telling) < len(telling) / 10, path


def test_the_listing_is_compiled_as_it_is(original: Path, case: Case):
    sources = source_tree(case, original).read()
    staged = sources.files
    assert staged["program/four_shifts_1994.cpp"] == original.read_bytes()
    text = staged["program/four_shifts_1994.cpp"].decode("latin-1")
    assert listing_digest(text) == LISTING.sha256
    # Nothing of ours stands in for it.
    assert [unit.paths for unit in sources.units] == [(original,)]
    assert "program/four_shifts.cpp" not in staged


def subjects_of(case: Case, source: Path | None, builds: tuple[str, ...]) -> list[Subject]:
    tree = source_tree(case, source)
    return [
        Subject(cpu, build, compile_program(tree, case.builds[build], target).path)
        for cpu, target in TARGETS.items()
        for build in builds
    ]


def check_verified(case: Case, source: Path, builds: tuple[str, ...], scenes: int) -> None:
    subjects = subjects_of(case, source, builds)
    specs = plan_scenes(case, scenes, 1994)
    # 200 flags, 99 heads, links, and three inputs for each object; of none the first is filled in.
    values = sum(299 + 4 * max(spec.objects, 1) for spec in specs)
    for result in verify(case, subjects, specs):
        assert (result.verdict, result.scenes) == (VERIFIED, scenes), result.subject
        assert result.comparisons == values


def check_equal(case: Case, source: Path, builds: tuple[str, ...], scenes: int) -> None:
    """Every observed value of the listing and of our port, on the same scenes, one by one."""
    pairs = zip(subjects_of(case, source, builds), subjects_of(case, None, builds), strict=True)
    specs = plan_scenes(case, scenes, 1994)
    for theirs, ours in pairs:
        assert theirs.program != ours.program
        both = [
            Bench.lay(case, BareMachine(read_elf(s.program), CPUS[s.cpu])) for s in (theirs, ours)
        ]
        for size in case.objects:
            same = [scene_of(case, s) for s in specs if s.objects == size]
            runs = [c.machine.calls.run(c.bound.calls.first, c.before(same).before) for c in both]
            assert [run.completed for run in runs] == [len(same)] * 2
            assert not runs[0].violations
            assert not runs[1].violations
            for index in range(len(same)):
                left, right = (
                    observation(c.bound, run.after[index])
                    for c, run in zip(both, runs, strict=True)
                )
                assert left.keys() == right.keys()
                for name, values in left.items():
                    assert np.array_equal(values, right[name]), (theirs, name, same[index])


BUILDS = ("O0", "O1", "O2", "Os", "period", "O2-macros")


def test_the_listing_is_verified(compilers: Callable[..., None], original: Path, case: Case):
    compilers()
    check_verified(case, original, ("O2", "period"), 30)


def test_the_listing_and_our_port_are_equal(
    compilers: Callable[..., None], original: Path, case: Case
):
    compilers()
    check_equal(case, original, ("O0", "O2"), 60)


@pytest.mark.slow
def test_the_listing_and_our_port_are_equal_everywhere(
    compilers: Callable[..., None], original: Path, case: Case
):
    """That all of its programs are verified, a command of docs/verify-a-port.md shows."""
    compilers()
    check_equal(case, original, BUILDS, 300)


@pytest.mark.slow
def test_a_comparison_with_another_port_can_fail(
    compilers: Callable[..., None],
    case: Case,
    tmp_path: Path,
    broken_port: Callable[[str], str],
):
    compilers()
    path = tmp_path / "port.cpp"
    path.write_text(broken_port("first in first out"))
    with pytest.raises(AssertionError, match="array_equal"):
        check_equal(case, path, ("O2",), 30)
    with pytest.raises(AssertionError, match="refuted"):
        check_verified(case, path, ("O2",), 30)


# -- the command -------------------------------------------------------------------------------


def test_import_writes_the_listing_once(
    known: None, write: Callable[..., Path], tmp_path: Path, macproof: Callable[..., object]
):
    source = write(posted(TEXT).replace("\n", "\r\n"))
    target = tmp_path / "listing.cpp"
    done = macproof("import", source, "-o", target)
    assert (done.code, done.err) == (0, "")
    assert target.read_text() == TEXT
    assert f"{target} written: 5 lines, SHA-256 {listing_digest(TEXT)}." in done.out
    again = macproof("import", source, "-o", target)
    assert again.code == 0
    assert "was there already" in again.out


def test_import_says_what_is_wrong_with_a_post_of_no_case(
    write: Callable[..., Path], macproof: Callable[..., object], monkeypatch: pytest.MonkeyPatch
):
    post = write(posted(TEXT))
    done = macproof("import", post)
    assert done.code == 2
    assert "is not that of Tom Moertel, 1994: 5 lines with SHA-256" in done.err
    monkeypatch.setattr(module, "cases_with", lambda line: [])
    done = macproof("import", post)
    assert done.code == 2
    assert "no case file has a section listing" in done.err


def test_import_never_overwrites_silently(
    known: None, write: Callable[..., Path], tmp_path: Path, macproof: Callable[..., object]
):
    source = write(posted(TEXT))
    target = tmp_path / "mine.cpp"
    target.write_text("precious")
    done = macproof("import", source, "-o", target)
    assert done.code == 2
    assert "exists and differs from the listing; --force replaces it" in done.err
    assert target.read_text() == "precious"
    assert macproof("import", source, "-o", target, "--force").code == 0
    assert target.read_text() == TEXT


def test_import_leaves_nothing_half_written(
    known: None, write: Callable[..., Path], tmp_path: Path, macproof: Callable[..., object]
):
    good, folder = write(posted(TEXT)), tmp_path / "target"
    (folder / "in the way").mkdir(parents=True)
    assert macproof("import", good, "-o", folder / "in the way", "--force").code == 2
    assert macproof("import", good, "-o", good / "below a file").code == 2
    assert [path.name for path in folder.iterdir()] == ["in the way"]
    bad = write(posted("another\n"))
    done = macproof("import", bad, "-o", folder / "listing.cpp")
    assert (done.code, done.out) == (2, "")
    assert [path.name for path in folder.iterdir()] == ["in the way"]


def test_import_of_the_readers_copy(
    post: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, macproof: Callable[..., object]
):
    monkeypatch.chdir(tmp_path)
    done = macproof("import", post.resolve())
    assert done.code == 0
    text = (tmp_path / "imported" / "four_shifts_1994.cpp").read_bytes().decode("latin-1")
    assert listing_digest(text) == LISTING.sha256
    assert "macproof verify four-shifts --source imported/four_shifts_1994.cpp" in done.out
