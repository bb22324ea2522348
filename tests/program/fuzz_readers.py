"""Feeds damaged files to the readers: each is read or refused, soon and in little memory.

Run as ``python -m tests.program.fuzz_readers --inputs 100000 --seed 1``. To add a reader, append
a `Reader` to `READERS`. An input is made from the seed of the run, the reader's name and its own
number alone, so ``--replay "HFS image" 4711`` gives a failing one again.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import random
import re
import resource
import signal
import struct
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from emu.base.errors import MacproofError
from emu.program.code68k.code_resources import link_code, segment_symbols
from emu.program.instructions.traps import trap_inventory
from emu.program.mac_file.mac_file import MacFile, parse_mac_file
from emu.program.mac_file.resource_fork import make_resource_fork, parse_resource_fork
from tests.program import code_samples, fragment_fuzz, mac_samples
from tests.program.mfs_samples import mfs_image

SECONDS = 2.0
MEBIBYTES = 256
FUZZED = Path("fuzzed")
EXTREMES = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0xFFFFFF, 0x7FFFFFFF, 0xFFFFFFFF)


@dataclass(frozen=True)
class Seed:
    """A valid file to be damaged.

    Attributes:
        data: its contents.
        hot: where its structure is, as (start, end); most damage is done there. Empty: anywhere.
    """

    data: bytes
    hot: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Reader:
    """What is fuzzed.

    Attributes:
        name: its name in the report and in ``--replay``.
        seeds: makes the valid files; called once a run.
        read: reads one input, also using what a caller would use of the result; it may raise
            MacproofError and nothing else.
        repair: makes the checksums of a damaged file right, so that what is behind them is
            reached; applied to half of the inputs.
    """

    name: str
    seeds: Callable[[], Sequence[Seed]]
    read: Callable[[bytes], object]
    repair: Callable[[bytearray], None] | None = None


@dataclass
class Report:
    """What became of the inputs of one reader."""

    read: int = 0
    refused: int = 0
    problems: collections.Counter[str] = field(default_factory=collections.Counter)
    faults: list[str] = field(default_factory=list)
    slowest: float = 0.0


class OverdueError(BaseException):
    """An input took too long. No Exception, so that no reader can take it for damage."""


def _macbinary_seeds() -> list[Seed]:
    return [Seed(mac_samples.macbinary(version), ((0, 128),)) for version in (0, 1, 2, 3)]


def _apple_seeds() -> list[Seed]:
    return [
        Seed(mac_samples.apple_single(double=double, version=version), ((0, 74), (74, 140)))
        for double in (False, True)
        for version in (0x10000, 0x20000)
    ]


def _resource_seeds() -> list[Seed]:
    many = [
        (kind, number, b"name" * (number % 2), 0, bytes(number))
        for kind in ("CODE", "RELA", "STR ")
        for number in range(8)
    ]
    forks = [mac_samples.resource_fork(), mac_samples.resource_fork(many)]
    return [
        Seed(fork, ((0, 16), (struct.unpack_from(">L", fork, 4)[0], len(fork)))) for fork in forks
    ]


def _hfs_seeds() -> list[Seed]:
    images = [mac_samples.hfs_image(), mac_samples.fragmented_hfs_image()[0]]
    seeds = []
    for image in images:
        hot = [(1024, 1186)]
        for start, end in (mac_samples.catalogue(image), mac_samples.extents_overflow(image)):
            hot += [(start, start + 160), (start + 512, min(end, start + 1024)), (end - 64, end)]
        seeds.append(Seed(image, tuple(hot)))
        header = len(mac_samples.disk_copy(b""))
        shifted = ((0, header), *((header + start, header + end) for start, end in hot))
        seeds.append(Seed(mac_samples.disk_copy(image), shifted))
    return seeds


def _mfs_seeds() -> list[Seed]:
    hot = ((1024, 1200), (2048, 2300))
    return [Seed(mfs_image(), hot), Seed(mfs_image(backwards=True), hot)]


def _bare_seeds() -> list[Seed]:
    return [Seed(mac_samples.PEF), *_resource_seeds()]


def _code_seeds() -> list[Seed]:
    return [
        Seed(make_resource_fork(file.resources.resources), ((256, 700),))
        for file in (code_samples.split_application(), code_samples.near_application())
    ]


def _read_code(data: bytes) -> object:
    fork = parse_resource_fork(data, FUZZED)
    file = MacFile(FUZZED, "fuzzed", "APPL", "????", 0, b"", fork, "fuzzed")
    link = link_code(file)
    segment_symbols(file)
    trap_inventory(link.program, entries=link.entries)
    return link


def _read_mac_file(data: bytes) -> object:
    return parse_mac_file(data, FUZZED)


def _read_resource_fork(data: bytes) -> object:
    fork = parse_resource_fork(data, FUZZED)
    assert sum(len(one.data) for one in fork.resources) <= len(data)
    return fork


def _seeds(
    make: Callable[[], list[tuple[bytes, tuple[tuple[int, int], ...]]]],
) -> Callable[[], list[Seed]]:
    """Valid files of another module, as seeds."""
    return lambda: [Seed(data, hot) for data, hot in make()]


READERS: list[Reader] = [
    Reader("resource fork", _resource_seeds, _read_resource_fork),
    Reader("MacBinary", _macbinary_seeds, _read_mac_file, mac_samples.repair_macbinary),
    Reader("AppleSingle and AppleDouble", _apple_seeds, _read_mac_file),
    Reader("HFS image", _hfs_seeds, _read_mac_file),
    Reader("MFS image", _mfs_seeds, _read_mac_file),
    Reader("bare forks", _bare_seeds, _read_mac_file),
    Reader("CODE resources", _code_seeds, _read_code),
    Reader("PEF", _seeds(fragment_fuzz.pef_seeds), fragment_fuzz.read_pef),
    Reader("XCOFF", _seeds(fragment_fuzz.xcoff_seeds), fragment_fuzz.read_xcoff),
    Reader("code fragments", _seeds(fragment_fuzz.fragment_seeds), fragment_fuzz.read_fragments),
]


def damage(seed: Seed, others: Sequence[Seed], chance: random.Random) -> bytearray:
    """A copy of a valid file with one to four things wrong."""
    data = bytearray(seed.data)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        if not data:
            break
        start, end = 0, len(data)
        if seed.hot and chance.random() < 0.8:
            start, end = chance.choice(seed.hot)
        place = min(chance.randrange(start, max(end, start + 1)), len(data) - 1)
        chance.choice(_DAMAGES)(data, place, others, chance)
    return data


def _flip(data: bytearray, place: int, others: Sequence[Seed], chance: random.Random) -> None:
    data[place] ^= 1 << chance.randrange(8)


def _replace_byte(
    data: bytearray, place: int, others: Sequence[Seed], chance: random.Random
) -> None:
    data[place] = chance.randrange(256)


def _extreme(data: bytearray, place: int, others: Sequence[Seed], chance: random.Random) -> None:
    """An extreme number, or one about as large as the file, where a field may be."""
    size = chance.choice((1, 2, 4))
    value = chance.choice((*EXTREMES, len(data) + chance.randrange(-4, 5), chance.randrange(4096)))
    field = (value & (1 << 8 * size) - 1).to_bytes(size, "big")
    place &= ~(chance.randrange(2))
    data[place : place + size] = field[: len(data) - place]


def _add(data: bytearray, place: int, others: Sequence[Seed], chance: random.Random) -> None:
    """A number a little larger or smaller than it was."""
    size = chance.choice((1, 2, 4))
    value = int.from_bytes(data[place : place + size], "big") + chance.randrange(-16, 17)
    field = (value & (1 << 8 * size) - 1).to_bytes(size, "big")
    data[place : place + size] = field[: len(data) - place]


def _truncate(data: bytearray, place: int, others: Sequence[Seed], chance: random.Random) -> None:
    del data[place:]


def _repeat(data: bytearray, place: int, others: Sequence[Seed], chance: random.Random) -> None:
    chunk = data[place : place + chance.choice((2, 4, 8, 12, 16, 512))]
    data[place:place] = chunk


def _remove(data: bytearray, place: int, others: Sequence[Seed], chance: random.Random) -> None:
    del data[place : place + chance.choice((1, 2, 4, 8, 12, 128))]


def _copy_within(
    data: bytearray, place: int, others: Sequence[Seed], chance: random.Random
) -> None:
    size = min(chance.choice((2, 4, 8, 12, 64)), len(data) - place)
    source = chance.randrange(len(data) - size + 1)
    data[place : place + size] = data[source : source + size]


def _splice(data: bytearray, place: int, others: Sequence[Seed], chance: random.Random) -> None:
    other = chance.choice(others).data
    size = min(chance.choice((4, 16, 128)), len(data) - place)
    data[place : place + size] = other[place : place + size].ljust(size, b"\0")


_DAMAGES = (
    _flip,
    _flip,
    _replace_byte,
    _extreme,
    _extreme,
    _extreme,
    _add,
    _add,
    _truncate,
    _repeat,
    _remove,
    _copy_within,
    _splice,
)


def make_input(reader: Reader, seeds: Sequence[Seed], run: int, number: int) -> bytes:
    """The input of that number; the same for the same run, whatever else is fuzzed."""
    chance = random.Random(f"{run} {reader.name} {number}")
    data = damage(chance.choice(seeds), seeds, chance)
    if reader.repair is not None and chance.random() < 0.5:
        reader.repair(data)
    return bytes(data)


def attempt(reader: Reader, data: bytes, report: Report, seconds: float = SECONDS) -> None:
    """Give a reader one input, and note what became of it."""
    start = time.perf_counter()
    try:
        with _alarm(seconds):
            reader.read(data)
        report.read += 1
    except MacproofError as error:
        report.refused += 1
        report.problems[_shape(str(error))] += 1
        if _out_of_memory(error):
            report.faults.append(f"it ran out of memory before it said: {error}")
    except OverdueError:
        report.faults.append(f"it took more than {seconds:g} s\n{traceback.format_exc()}")
    except Exception:
        report.faults.append(traceback.format_exc())
    report.slowest = max(report.slowest, time.perf_counter() - start)


def fuzz(reader: Reader, inputs: int, run: int, *, seconds: float = SECONDS) -> Report:
    """Give a reader damaged files, within bounds of time and memory."""
    seeds = reader.seeds()
    report = Report()
    for seed in seeds:
        reader.read(seed.data)  # a valid file is read, or what follows shows nothing
    with _bounded_memory():
        for number in range(inputs):
            faults = len(report.faults)
            attempt(reader, make_input(reader, seeds, run, number), report, seconds)
            if len(report.faults) > faults:
                report.faults[-1] = f"{reader.name}, input {number}: {report.faults[-1]}"
    return report


def _shape(message: str) -> str:
    """A message without its numbers and names, to count the different ones."""
    return re.sub(r"0x[0-9a-f]+|-?\d[\d,]*", "#", re.sub(r"(?<!\w)'[^']*'", "'…'", message))


def _out_of_memory(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, MemoryError):
            return True
        error = error.__cause__ or error.__context__
    return False


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise OverdueError in what takes too long; the main thread only, as signals are."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise OverdueError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _bounded_memory(mebibytes: int = MEBIBYTES) -> Iterator[None]:
    """Let the process have only so much more memory than it has; Linux only."""
    usage = Path("/proc/self/statm")
    if not usage.exists():
        print("The use of memory is not bounded on this system.", file=sys.stderr)
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    limit = int(usage.read_text().split()[0]) * resource.getpagesize() + (mebibytes << 20)
    if before[1] != resource.RLIM_INFINITY:
        limit = min(limit, before[1])
    resource.setrlimit(resource.RLIMIT_AS, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def main(arguments: Sequence[str] | None = None, readers: Sequence[Reader] | None = None) -> int:
    """Fuzz from the command line; 1 if anything went wrong."""
    readers = READERS if readers is None else readers
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--inputs", type=int, default=10_000, help="in all, shared evenly")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reader", action="append", help="only this one; may be repeated")
    parser.add_argument("--replay", nargs=2, metavar=("READER", "NUMBER"), help="one input again")
    parser.add_argument("--save", type=Path, help="where --replay writes its input")
    parser.add_argument("--problems", action="store_true", help="count the messages")
    options = parser.parse_args(arguments)
    by_name = {reader.name: reader for reader in readers}
    names = [options.replay[0]] if options.replay else options.reader or list(by_name)
    for name in names:
        if name not in by_name:
            parser.error(f"there is no reader {name!r}; there are {', '.join(by_name)}")
    if options.replay:
        reader = by_name[names[0]]
        data = make_input(reader, reader.seeds(), options.seed, int(options.replay[1]))
        if options.save:
            options.save.write_bytes(data)
        print(reader.read(data))
        return 0
    failed = False
    for index, name in enumerate(names):
        share = options.inputs // len(names) + (index < options.inputs % len(names))
        start = time.perf_counter()
        report = fuzz(by_name[name], share, options.seed)
        failed |= bool(report.faults)
        print(
            f"{name}: {share:,} inputs, {report.read:,} read, {report.refused:,} refused with "
            f"{len(report.problems)} different messages, {len(report.faults)} faults; "
            f"{time.perf_counter() - start:.1f} s, slowest {1000 * report.slowest:.0f} ms"
        )
        if options.problems:
            for problem, count in report.problems.most_common():
                print(f"    {count:7,} {problem}")
        for fault in report.faults[:10]:
            print(fault)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
