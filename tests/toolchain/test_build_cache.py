"""The cache is used only if nobody else can have written to it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from emu.base.errors import InputError
from emu.toolchain import build_cache


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("MACPROOF_CACHE", str(folder))
    return folder


def test_what_is_kept_is_found_again(cache: Path) -> None:
    before = os.umask(0o002)  # as many systems have it
    try:
        made = build_cache.keep("key", ".elf", b"program", {})
        build_cache.remember("fact")
    finally:
        os.umask(before)
    assert build_cache.find("key", ".elf") == made
    assert made.path.read_bytes() == b"program"
    assert (build_cache.is_known("fact"), build_cache.is_known("other")) == (True, False)


@pytest.mark.parametrize("place", ["", "programs"])
def test_a_folder_that_others_can_write_is_refused(cache: Path, place: str) -> None:
    build_cache.keep("key", ".elf", b"program", {})
    (cache / place).chmod(0o777)
    for call in (
        lambda: build_cache.find("key", ".elf"),
        lambda: build_cache.keep("key", ".elf", b"x", {}),
    ):
        with pytest.raises(InputError, match=r"others can write to it.*MACPROOF_CACHE"):
            call()


def test_a_file_in_place_of_the_folder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("MACPROOF_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(InputError, match=r"file is not a folder.*MACPROOF_CACHE"):
        build_cache.keep("key", ".elf", b"program", {})


def test_facts_of_a_folder_that_others_can_write_are_not_known(cache: Path) -> None:
    build_cache.remember("fact")
    (cache / "known").chmod(0o777)
    assert not build_cache.is_known("fact")


@pytest.mark.parametrize("name", ["key.json", "made"])
def test_an_entry_that_others_can_write_is_made_again(cache: Path, name: str) -> None:
    made = build_cache.keep("key", ".elf", b"program", {})
    path = made.path if name == "made" else cache / "programs" / name
    path.chmod(0o666)
    assert build_cache.find("key", ".elf") is None


def test_an_entry_that_is_a_link_is_made_again(cache: Path, tmp_path: Path) -> None:
    made = build_cache.keep("key", ".elf", b"program", {})
    made.path.rename(tmp_path / "elsewhere")
    made.path.symlink_to(tmp_path / "elsewhere")
    assert build_cache.find("key", ".elf") is None


def test_what_is_somebody_elses_is_refused(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_cache.keep("key", ".elf", b"program", {})
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(InputError, match="belongs to somebody else"):
        build_cache.find("key", ".elf")
