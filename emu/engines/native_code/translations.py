"""Translations of programs, made once and kept in the cache."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from emu.base.errors import InputError
from emu.base.files import read_file
from emu.lift.lifter_version import lifter_version
from emu.lift.native.counted_edge import CountedEdge
from emu.lift.shadow.check_form import CheckForm
from emu.machine.cpu import Cpu
from emu.toolchain import build_cache

_SUFFIX = ".o"


@dataclass(frozen=True, slots=True)
class KeptTranslation:
    """A program's code as native code.

    Attributes:
        content: the object.
        name: stands for the object: its digest.
        roots: the addresses that code comes to by a computed jump, as far as they are known.
        reasons: why instructions are not translated, by their addresses.
        blocks: address and size of the blocks that it marks.
        witnesses: the number of the block whose marks show each; see
            `emu.lift.native.blocks.BlockMarks`.
        marks: the numbers of the marks of each.
        edges: the edges that it counts in place of that, with runs for blocks; see
            `emu.lift.native.edges.EdgeCounts`.
        table: the bytes of a call's table of counts; 0 if it counts none.
        longest: the instructions of the longest run; 0 if it counts none.
    """

    content: bytes = field(repr=False)
    name: str
    roots: tuple[int, ...]
    reasons: Mapping[int, str]
    blocks: tuple[tuple[int, int], ...]
    witnesses: tuple[int, ...] = ()
    marks: tuple[tuple[int, ...], ...] = ()
    edges: tuple[CountedEdge, ...] = ()
    table: int = 0
    longest: int = 0


@dataclass(frozen=True, slots=True)
class GuestCode:
    """Code that guest code cannot change.

    Attributes:
        pieces: pieces of it, by their addresses.
        start: the address at which a call begins.
        until: the address at which it ends.
        functions: the addresses at which functions begin, as far as the program tells.
    """

    pieces: tuple[tuple[int, bytes], ...] = field(repr=False)
    start: int
    until: int
    functions: frozenset[int]

    def fetch(self, address: int, size: int) -> bytes:
        """Up to so many bytes at an address; see `emu.lift.decoder.Fetch`."""
        for start, code in self.pieces:
            if start <= address < start + len(code):
                return code[address - start : address - start + size]
        return b""


@dataclass(frozen=True, slots=True)
class CheckTerms:
    """What checks of accesses need to know; see `emu.lift.shadow.shadow_checks.ShadowChecks`.

    Attributes:
        red_zone: the bytes below the stack pointer that belong to the running routine.
        form: what they do beside asking the shadow.
    """

    red_zone: int
    form: CheckForm


def kept_translation(
    cpu: Cpu,
    code: GuestCode,
    host: str,
    roots: Sequence[int],
    checks: CheckTerms | None = None,
    *,
    counts: bool = False,
) -> KeptTranslation:
    """The translation of a program, from the cache if it is there and has these roots.

    Args:
        cpu: the guest's processor.
        code: the program's code.
        host: this computer's processor.
        roots: addresses that code comes to by a computed jump.
        checks: the checks that it has; None for none.
        counts: whether it counts jumps.
    """
    digests = [f"{start:x} {hashlib.sha256(data).hexdigest()}" for start, data in code.pieces]
    key = build_cache.key_of(
        *(
            "translation",
            lifter_version(),
            host,
            cpu.name,
            str(checks),
            str(counts),
            f"{code.start:x}",
        ),
        *digests,
        *map(str, sorted(code.functions)),
    )
    found = _find(key)
    if found is not None and found.roots and set(roots) <= set(found.roots):
        return found
    every = tuple(sorted({code.start, *roots, *(found.roots if found else ())}))
    made = _translated(cpu, code, every, checks, counts=counts)
    with contextlib.suppress(InputError):  # where nothing can be kept, it is made each time
        build_cache.keep(key, _SUFFIX, _packed(made), {})
    return made


def _translated(
    cpu: Cpu, code: GuestCode, roots: tuple[int, ...], checks: CheckTerms | None, *, counts: bool
) -> KeptTranslation:
    # Here, because SLEIGH and LLVM are loaded only where something has to be translated.
    from emu.lift.decoder import Decoder
    from emu.lift.native.module import translate
    from emu.lift.native.objects import compile_object
    from emu.lift.shadow.shadow_checks import ShadowChecks

    gate = range(code.start, code.until)
    shadow = None
    if checks is not None:
        shadow = ShadowChecks(cpu, gate, checks.red_zone, checks.form)
    decoder = Decoder(cpu, code.fetch, gate)
    named = code.functions
    module = translate(
        cpu, decoder, roots, code.until, functions=named, checks=shadow, counts=counts
    )
    content = compile_object(module.text)
    name = hashlib.sha256(content).hexdigest()
    edges = module.edges
    blocks = module.blocks, module.witnesses, module.marks
    made = KeptTranslation(content, name, roots, module.reasons, *blocks)
    if edges is None:
        return made
    return replace(made, edges=edges.edges, table=edges.call_bytes, longest=edges.longest)


def _find(key: str) -> KeptTranslation | None:
    """What was kept; None if it is missing or damaged. Its digest was compared."""
    found = build_cache.find(key, _SUFFIX)
    if found is None:
        return None
    head, _, content = read_file(found.path).partition(b"\n")
    said = json.loads(head)
    return KeptTranslation(
        content,
        hashlib.sha256(content).hexdigest(),
        tuple(said["roots"]),
        {int(address): why for address, why in said["reasons"].items()},
        tuple((first, second) for first, second in said["blocks"]),
        tuple(said["witnesses"]),
        tuple(map(tuple, said["marks"])),
        tuple(CountedEdge(*numbers) for numbers in said["edges"]),
        said["table"],
        said["longest"],
    )


def _packed(made: KeptTranslation) -> bytes:
    head: dict[str, object] = {"roots": made.roots, "reasons": made.reasons, "blocks": made.blocks}
    edges = [(edge.cell, edge.source, edge.target) for edge in made.edges]
    head |= {
        "witnesses": made.witnesses,
        "marks": made.marks,
        "edges": edges,
        "table": made.table,
        "longest": made.longest,
    }
    return json.dumps(head).encode() + b"\n" + made.content
