"""Notes about a reference's answers: whether they vary, what they leave out, what nobody compared.

They go beside a scene on its road and change no comparison. A report tells them: for example, that
the answers to eight different scenes were all equal, so that a constant would pass.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

LOOKED_AT = 8
"""How many answers of a batch are digested, to see whether they vary.

All would take as long as the calls themselves; with eight of a batch it is about 1 us a call.
"""


@dataclass(frozen=True, slots=True)
class AnswerNotes:
    """What the answers with which one program was compared are worth as evidence.

    Attributes:
        reference: the reference as the case names it; "" if nothing is known.
        compared: places that the case does not observe but that are compared, since the reference's
            routine writes them: "*buffer", "gErr".
        unobserved: places that the reference's routine writes and that are not compared, since the
            port has no such place: "A5-0x10cc, 4 bytes".
        looked_at: the digests of the scenes whose answers were digested; see `LOOKED_AT`.
        distinct: the digests of these answers; fewer than ``looked_at`` if answers are equal.
        unfilled: globals that a routine reads and no scene fills.
        free: parameters that get a Python function whose calls are not compared, since the
            reference does not call it.
        called: those of ``free`` that the routine has called, or whose calls the case leaves free.
        calls_beyond: Python functions that one scene called more often than calls are recorded,
            each with the largest number of its calls.
        unseen: what the reference's routine may write unseen, as clauses: "changes that
            libmix.dylib makes to its own variables were not seen".
        left_out: parts of compared calls that are not compared: "what void *p leads to in calls of
            f".
    """

    reference: str = ""
    compared: tuple[str, ...] = ()
    unobserved: tuple[str, ...] = ()
    looked_at: frozenset[bytes] = frozenset()
    distinct: frozenset[bytes] = frozenset()
    unfilled: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    calls_beyond: tuple[tuple[str, int], ...] = ()
    unseen: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def without_digests(self) -> AnswerNotes:
        """The same notes without digests, of which a campaign of a million scenes has 16,000."""
        return replace(self, looked_at=frozenset(), distinct=frozenset())

    @property
    def undecided(self) -> str:
        """Why no verdict can rest on these answers; "" if one can."""
        for name in self.free:
            if name not in self.called:
                return (
                    f"it never called {name}, and nobody says that it need not: {self.reference} "
                    f"takes no parameter {name}, by which its calls would be compared"
                )
        if not self.unobserved:
            return ""
        *most, last = self.unobserved
        places = f"{'; '.join(most)}; and {last}" if most else last
        return f"{self.reference} also writes {places}: neither observed nor ignored"

    def __add__(self, other: AnswerNotes) -> AnswerNotes:
        return AnswerNotes(
            reference=self.reference or other.reference,
            compared=tuple(dict.fromkeys((*self.compared, *other.compared))),
            unobserved=tuple(dict.fromkeys((*self.unobserved, *other.unobserved))),
            looked_at=self.looked_at | other.looked_at,
            distinct=self.distinct | other.distinct,
            unfilled=tuple(dict.fromkeys((*self.unfilled, *other.unfilled))),
            free=tuple(dict.fromkeys((*self.free, *other.free))),
            called=tuple(dict.fromkeys((*self.called, *other.called))),
            calls_beyond=_most_calls(self.calls_beyond, other.calls_beyond),
            unseen=tuple(dict.fromkeys((*self.unseen, *other.unseen))),
            left_out=tuple(dict.fromkeys((*self.left_out, *other.left_out))),
        )


NO_NOTES = AnswerNotes()


def _most_calls(*notes: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    most: dict[str, int] = {}
    for name, calls in (calls_of_name for each in notes for calls_of_name in each):
        most[name] = max(calls, most.get(name, 0))
    return tuple(most.items())


def digest_of(answer: Any, names: Iterable[str]) -> bytes:
    """A digest (8 bytes) of some attributes of an answer; equal attributes have equal digests."""
    digest = hashlib.blake2b(digest_size=8)
    for name in names:
        value = getattr(answer, name, None)
        if isinstance(value, np.ndarray) and not value.dtype.hasobject:
            digest.update(np.ma.getmaskarray(value).tobytes())
            value = np.ma.filled(value, 0).tobytes()
        digest.update(value if isinstance(value, bytes) else repr(value).encode())
        digest.update(b"\0")
    return digest.digest()
