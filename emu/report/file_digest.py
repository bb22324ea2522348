"""A file as reports name it: with the digest of its contents."""

from __future__ import annotations

from dataclasses import dataclass

from emu.report.limits import FileName, Sha256


@dataclass(frozen=True, slots=True)
class FileDigest:
    """A file.

    Attributes:
        file: its path.
        sha256: the SHA-256 of its contents, in hexadecimal.
    """

    file: FileName
    sha256: Sha256
