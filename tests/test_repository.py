"""What may lie in the repository: no archive, and nothing large that is not listed here."""

from __future__ import annotations

import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LARGEST = 256 << 10
LARGE: set[str] = set()
"""Pictures made by macproof that are larger."""

SUFFIXES = (
    *(".7z", ".a", ".bz2", ".cpt", ".deb", ".dmg", ".gz", ".hqx", ".img", ".jar", ".lzh", ".rar"),
    *(".rpm", ".sea", ".sit", ".tar", ".tbz", ".tgz", ".txz", ".whl", ".xz", ".zip", ".zst"),
)
MAGICS = (
    *(b"\x1f\x8b", b"PK\3\4", b"PK\5\6", b"BZh", b"\xfd7zXZ\0", b"7z\xbc\xaf\x27\x1c", b"Rar!"),
    *(b"!<arch>\n", b"\x28\xb5\x2f\xfd", b"SIT!", b"StuffIt", b"\xed\xab\xee\xdb"),
)
"""How the files of archives begin, whatever they are called."""


def unwanted(root: Path, names: list[str]) -> Iterator[str]:
    """The files that may not be there, each with the reason."""
    for name in names:
        contents = (root / name).read_bytes()
        is_tar = contents[257:262] == b"ustar"
        if name.lower().endswith(SUFFIXES) or contents.startswith(MAGICS) or is_tar:
            yield f"{name} is an archive"
        elif len(contents) > LARGEST and name not in LARGE:
            yield f"{name} has {len(contents):,} bytes"


def tracked() -> list[str]:
    """The files that git has, as far as they are in the work tree."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode or not (ROOT / ".git").exists():
        pytest.skip("this is no checkout of a git repository")
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_no_archive_and_no_large_file_is_in_the_repository() -> None:
    names = tracked()
    assert "pyproject.toml" in names
    assert list(unwanted(ROOT, names)) == []


def test_every_listed_large_file_is_there_and_large() -> None:
    assert [name for name in LARGE if (ROOT / name).stat().st_size <= LARGEST] == []


def test_an_archive_and_a_large_file_are_seen(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("small")
    (tmp_path / "large.txt").write_bytes(bytes(LARGEST + 1))
    (tmp_path / "just.txt").write_bytes(bytes(LARGEST))
    (tmp_path / "code-1.0.tar.gz").write_bytes(b"by its name")
    for magic in MAGICS:
        (tmp_path / f"magic-{magic.hex()}").write_bytes(magic + b"...")
    with tarfile.open(tmp_path / "plain", "w") as archive:
        archive.add(tmp_path / "note.txt", "note.txt")
    names = sorted(path.name for path in tmp_path.iterdir())
    found = list(unwanted(tmp_path, names))
    assert len(found) == len(names) - 2, found
    assert "large.txt has 262,145 bytes" in found
    assert {"code-1.0.tar.gz is an archive", "plain is an archive"} <= set(found)
