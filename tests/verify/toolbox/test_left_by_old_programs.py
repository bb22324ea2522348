"""What an old program's routine leaves of the Toolbox is part of its answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from tests.rows import slow_but
from tests.verify.small_cases import SmallCase, compiled

HEADERS = "#include <Memory.h>\n#include <Quickdraw.h>\n"
PLAIN = "call: Go\narguments: {number: number}\nobserve: [return]\n"
GIVEN = "call: Go\narguments: {values: {points_to: values, count: 8}}\nobserve: [return]\n"
HANDLE = GIVEN.replace("points_to", "handle_to")
OLD = "reference: {program: old.elf, symbol: Go}\n"


def number(body: str) -> str:
    return f"{HEADERS}short Go(short number) {{ {body} return number; }}\n"


def first(body: str, stars: str = "*") -> str:
    return f"{HEADERS}short Go(short {stars}values) {{ {body} return 7; }}\n"


DISPOSES = first("DisposeHandle((Handle) values);", "**")


def verify(folder: Path, old: str, port: str, keys: str) -> macproof.Verification:
    if not (folder / "old.elf").exists():
        compiled(old, "Go", folder / "old.elf")
    return SmallCase(folder, port, keys).verify()


@pytest.mark.parametrize(
    ("body", "place"),
    slow_but(
        [("MoveTo(3, 4); LineTo(40, 50);", "pixels")],
        [
            ("PenSize(3, 2);", "port.pen"),
            ("Random();", "random"),
            ("HideCursor();", "cursor.level"),
            ("NewPtr(4);", "heap.blocks"),
            ("MoveTo(3, 4); LineTo(40, 50);", "pixels"),
        ],
    ),
)
def test_the_port_must_leave_it_too(
    tmp_path: Path, compilers: Callable[..., None], body: str, place: str
) -> None:
    compilers("68040")
    found = verify(tmp_path, number(body), number(""), PLAIN + OLD)
    assert found.verdict == "refuted"
    assert f"toolbox.{place}" in found.to_json()
    assert verify(tmp_path, number(body), number(body), PLAIN + OLD).verdict == "verified"


def test_the_port_may_leave_nothing_else_unless_the_case_ignores_it(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    port, ignored = number("PenSize(3, 2);"), "ignore: [toolbox.port]\n"
    assert verify(tmp_path, number(""), port, PLAIN + OLD).verdict == "refuted"
    found = verify(tmp_path, number(""), port, PLAIN + ignored + OLD)
    assert found.verdict == "verified"
    assert "port not as before and not compared" in str(found.document.outcome)


def test_a_routine_without_arguments_is_held_to_it(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    keys = "call: Go\ninput: {gFirst: number}\nobserve: [gLast]\n" + OLD
    source = HEADERS + "short gFirst, gLast;\nvoid Go(void) { gLast = gFirst; DRAW }\n"
    folder = tmp_path / "old"
    folder.mkdir()
    old, port = (source.replace("DRAW", one) for one in ("PenSize(3, 2);", ""))
    compiled_alone(folder, old, tmp_path / "old.elf")
    assert SmallCase(tmp_path, port, keys).verify().verdict == "refuted"
    assert SmallCase(tmp_path, old, keys).verify().verdict == "verified"


def compiled_alone(folder: Path, source: str, place: Path) -> None:
    """Compile a routine without arguments."""
    keys = "call: Go\ninput: {gFirst: number}\nobserve: {gLast: last}\nreference: small:nothing\n"
    case = SmallCase(folder, source, keys, "\n\ndef nothing(scene):\n    pass\n").case
    (subject,) = macproof.programs_of(case, cpus=["68040"], builds=["O2"])
    place.write_bytes(subject.program.read_bytes())


@pytest.mark.parametrize(
    ("old", "port", "verdict"),
    slow_but(
        [(DISPOSES, first("", "**"), "refuted")],
        [
            (DISPOSES, first("", "**"), "refuted"),
            (first("", "**"), DISPOSES, "refuted"),
            (DISPOSES, DISPOSES, "verified"),
        ],
    ),
)
def test_both_dispose_of_a_given_block_or_neither(
    tmp_path: Path, compilers: Callable[..., None], old: str, port: str, verdict: str
) -> None:
    compilers("68040")
    assert verify(tmp_path, old, port, HANDLE + OLD).verdict == verdict


@pytest.mark.parametrize(
    ("keys", "port"),
    [
        (HANDLE.replace("[return]", '{return: seven, "**values": values}'), DISPOSES),
        (GIVEN.replace("[return]", "{return: seven}"), first("DisposePtr((Ptr) values);")),
    ],
)
def test_a_given_block_must_stay_unless_the_reference_says_otherwise(
    tmp_path: Path, compilers: Callable[..., None], keys: str, port: str
) -> None:
    compilers("68040")
    python = (
        "\n\ndef expect(scene):\n"
        "    return SimpleNamespace(seven=7, values=scene.values, less=-1)\n"
    )
    keys += "reference: small:expect\n"
    found = SmallCase(tmp_path, port, keys, python).verify()
    assert found.verdict == "refuted"
    assert "is none (disposed of)" in found.to_json()
    said = keys.replace("return: seven", "return: seven, toolbox: {heap.blocks: less}")
    assert SmallCase(tmp_path, port, said, python).verify().verdict == "verified"
