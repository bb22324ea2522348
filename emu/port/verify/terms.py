"""How functions of a port are judged."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VaryTerms:
    """How recorded calls are changed.

    Attributes:
        amount: how many changed calls of each function are compared; with 0 only the blocks that
            recorded calls reach are told.
        seed: the same seed makes the same changes.
    """

    amount: int
    seed: int = 1


@dataclass(frozen=True, slots=True)
class VerifyTerms:
    """How functions of a port are judged.

    Attributes:
        build: the name of the build.
        vary: how recorded calls are changed; None if they are not.
        together: whether what new functions call is new, too; else it is old.
        only_changed: whether functions keep the verdicts that still hold.
        jobs: how many processes judge; 0 for as many as there are processors.
        only_call: the number of the only call that is made, from 1; its verdict is not kept. 0 for
            all calls.
        cycles: the processor by whose cycle model calls are priced; "" if they are not.
    """

    build: str = "O2"
    vary: VaryTerms | None = None
    together: bool = False
    only_changed: bool = False
    jobs: int = 1
    only_call: int = 0
    cycles: str = ""
