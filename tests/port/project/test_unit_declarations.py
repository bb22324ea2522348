"""What is read of objects and places is kept, and what is wrong is refused all the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import CaseError
from emu.port.model import Claims
from emu.port.project import places, unit_declarations
from emu.port.project.claims import read_claims
from emu.port.project.objects import compile_sources
from emu.port.project.project import read_project
from emu.toolchain import build_cache
from emu.toolchain.builds import BUILDS
from tests.port.project.small_port import SOURCE, write_port


@pytest.fixture
def port(tmp_path: Path, compilers: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> Path:
    compilers("68000")
    monkeypatch.setenv("MACPROOF_CACHE", str(tmp_path / "cache"))
    return write_port(tmp_path / "port", {"sum.c": SOURCE})


def claims_of(port: Path) -> Claims:
    project = read_project(port)
    return read_claims(project, compile_sources(project, BUILDS["O0"]))


def test_what_is_known_is_not_read_again(port: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError("it is known")

    first = claims_of(port)
    assert (len(first.functions), len(first.globals)) == (1, 1)
    monkeypatch.setattr(unit_declarations, "read_declarations", refuse)
    monkeypatch.setattr(places, "known_functions", refuse)
    assert claims_of(port) == first


def test_an_edited_source_is_read_and_its_places_are_checked(port: Path) -> None:
    first = claims_of(port)
    source = port.parent / "sum.c"
    source.write_text("\n" + SOURCE)
    moved = claims_of(port)
    assert moved.functions["UpdateSum"].line == first.functions["UpdateSum"].line + 1
    source.write_text(SOURCE.replace("CODE 1+0xd2", "CODE 1+0xd4"))
    with pytest.raises(CaseError, match="it lies inside"):
        claims_of(port)
    with pytest.raises(CaseError, match="it lies inside"):
        claims_of(port)


def test_known_places_do_not_hide_that_the_original_has_changed(port: Path) -> None:
    claims_of(port)
    project = read_project(port)
    objects = compile_sources(project, BUILDS["O0"])
    other = port.parent / "other.bin"
    content = bytearray(project.original.read_bytes())
    content[200] ^= 1
    other.write_bytes(content)
    port.write_text(port.read_text().replace(str(project.original), str(other)))
    with pytest.raises(CaseError, match="has changed"):
        read_claims(read_project(port), objects)


def test_damaged_declarations_are_read_again(port: Path) -> None:
    first = claims_of(port)
    kept = list((build_cache.cache_folder() / "programs").glob("*.json"))
    assert kept
    for path in kept:
        path.write_bytes(b"[[], []]")
    assert claims_of(port) == first
