"""What is known of the answers that results were compared with, beside the answers themselves."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

LOOKED_AT = 8
"""Of how many scenes of a batch the answers are looked at: all would take as long as the calls."""


@dataclass(frozen=True, slots=True)
class AnswerNotes:
    """What one program's answers are worth.

    Attributes:
        reference: the routine that says what is right, in words; "" for one in Python.
        compared: places that the case does not observe and that are compared, since the reference's
            routine writes them: "*buffer", "gErr".
        unobserved: what it also writes and is not compared: "A5-0x10cc, 4 bytes".
        looked_at: the digests of the scenes whose answers were looked at.
        distinct: the digests of these, each once.
        unfilled: globals that a routine reads and no scene fills.
        free: Python functions whose calls are not compared, since the reference makes none.
        called: those of them that the routine has called.
        calls_beyond: Python functions that were called more often on a scene than calls are
            compared, each with how often at most.
        unseen: what the reference's routine may write and nobody sees, as a clause: "changes that
            libmix.dylib makes to its own variables were not seen".
        left_out: what is not compared of calls that are: "what void *p leads to in calls of f".
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
        """The same without digests of scenes and answers."""
        return replace(self, looked_at=frozenset(), distinct=frozenset())

    @property
    def undecided(self) -> str:
        """Why they are no evidence for a verdict; "" if they are."""
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
    """A digest of some attributes of an answer; equal ones have the same."""
    digest = hashlib.blake2b(digest_size=8)
    for name in names:
        value = getattr(answer, name, None)
        if isinstance(value, np.ndarray) and not value.dtype.hasobject:
            digest.update(np.ma.getmaskarray(value).tobytes())
            value = np.ma.filled(value, 0).tobytes()
        digest.update(value if isinstance(value, bytes) else repr(value).encode())
        digest.update(b"\0")
    return digest.digest()
