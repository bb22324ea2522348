"""A small port of the old application of `examples`, written into a folder for a test."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from emu.port.project.project import original_digest

ROOT = Path(__file__).parents[3]
ORIGINAL = ROOT / "examples" / "old-application" / "Archiver.bin"
SOURCE = """\
/* The checksum. */
// GLOBAL: A5-0x10cc
long gBytes;

// FUNCTION: CODE 1+0xd2
unsigned short
UpdateSum(unsigned short sum, const unsigned char *bytes, short count)
{
    gBytes += count;
    return sum + bytes[0];
}
"""


def write_port(
    folder: Path,
    sources: Mapping[str, str] | None = None,
    more: str = "",
    original: Path = ORIGINAL,
) -> Path:
    """Write port.yaml and sources; the path of port.yaml."""
    sources = {"sum.c": SOURCE} if sources is None else sources
    for name, text in sources.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    names = ", ".join(name for name in sources if name.endswith((".c", ".cpp")))
    path = folder / "port.yaml"
    path.write_text(
        f"schema: macproof.port/1\noriginal: {original}\nsha256: {original_digest(original)}\n"
        f'cpu: "68000"\nconvention: m68k-elf\nsources: [{names}]\n{more}'.replace("\\\n", "\n")
    )
    return path
