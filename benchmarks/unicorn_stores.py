"""How slow stores are in Unicorn's default mode, and how fast they are when a hook fills the TLB.

It needs Unicorn and nothing else, so that it can be sent to Unicorn's authors as it is. A loop of
three instructions stores to one word, or loads it, on a 68040 and on a PowerPC 601. The page of the
loop is mapped read and execute, the page of the word read and write. ``docs/unicorn-stores.md``
explains the figures. Run it with ``python benchmarks/unicorn_stores.py``.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import unicorn
from unicorn import m68k_const, ppc_const, unicorn_const

CODE, DATA, PAGE = 0x1000, 0x100000, 0x1000
READ = unicorn_const.UC_PROT_READ
WRITE = unicorn_const.UC_PROT_WRITE
EXECUTE = unicorn_const.UC_PROT_EXEC
ROUNDS, TURNS = 1_000_000, 5
SLOW = 3
"""A store that takes so many times as long as with the hook is called slow."""


@dataclass(frozen=True)
class Processor:
    """A loop for a processor: its engine, its registers and its code."""

    name: str
    kind: tuple[int, int]
    model: int
    counter: int
    pointer: int
    store: str
    load: str
    repeat: str


PROCESSORS = (
    Processor(
        "68040",
        (unicorn.UC_ARCH_M68K, unicorn.UC_MODE_BIG_ENDIAN),
        3,  # a 68040 in Unicorn 2.1.4, whose constants are named for the model before
        m68k_const.UC_M68K_REG_D0,
        m68k_const.UC_M68K_REG_A0,
        "2081",  # move.l d1,(a0)
        "2210",  # move.l (a0),d1
        "5380 66fa",  # subq.l #1,d0; bne.s to the first instruction
    ),
    Processor(
        "601",
        (unicorn.UC_ARCH_PPC, unicorn.UC_MODE_BIG_ENDIAN | unicorn.UC_MODE_PPC32),
        ppc_const.UC_CPU_PPC32_601_V1,
        ppc_const.UC_PPC_REG_3,
        ppc_const.UC_PPC_REG_5,
        "90850000",  # stw r4,0(r5)
        "80850000",  # lwz r4,0(r5)
        "3463ffff 4082fff8",  # addic. r3,r3,-1; bne to the first instruction
    ),
)


def answer(uc: unicorn.Uc, address: int, access: int, entry: object, _: object) -> bool:
    """Fill the TLB: only the page of the loop may be executed."""
    entry.paddr, entry.perms = address, READ | (EXECUTE if address == CODE else WRITE)
    return True


def make_stores_fast(uc: unicorn.Uc) -> None:
    """Let the hook say which page can be executed; it is called once for a page."""
    uc.ctl_set_tlb_mode(unicorn_const.UC_TLB_VIRTUAL)
    uc.hook_add(unicorn_const.UC_HOOK_TLB_FILL, answer)


def nanoseconds(processor: Processor, instruction: str, rounds: int, *, hooked: bool) -> float:
    """How long one round of the loop takes."""
    uc = unicorn.Uc(*processor.kind)
    uc.ctl_set_cpu_model(processor.model)
    uc.mem_map(CODE, PAGE, READ | EXECUTE)
    uc.mem_map(DATA, PAGE, READ | WRITE)
    if hooked:
        make_stores_fast(uc)
    code = bytes.fromhex(instruction + processor.repeat)
    uc.mem_write(CODE, code)
    uc.reg_write(processor.pointer, DATA)
    for count in (1, rounds):  # the first translates the loop
        uc.reg_write(processor.counter, count)
        began = time.process_time()
        uc.emu_start(CODE, CODE + len(code))
        spent = time.process_time() - began
    return spent / rounds * 1e9


def main() -> None:
    """Measure both processors in turns, and print the best turn of each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="a tenth of the rounds")
    rounds = ROUNDS // 10 if parser.parse_args().short else ROUNDS
    print(f"Unicorn {unicorn.__version__}: nanoseconds for a round of three instructions")
    print(f"{'CPU':6} {'loop':6} {'default':>8} {'hook':>6} {'ratio':>6}")
    slow = []
    for processor in PROCESSORS:
        for loop in ("load", "store"):
            code = getattr(processor, loop)
            turns = [
                [nanoseconds(processor, code, rounds, hooked=hooked) for hooked in (False, True)]
                for _ in range(TURNS)
            ]
            default, hook = map(min, zip(*turns, strict=True))
            print(f"{processor.name:6} {loop:6} {default:8.1f} {hook:6.1f} {default / hook:6.1f}")
            if default > SLOW * hook:
                slow.append(f"{loop} on the {processor.name}")
    print(f"More than {SLOW} times as slow in the default mode: {', '.join(slow) or 'nothing'}")


if __name__ == "__main__":
    main()
