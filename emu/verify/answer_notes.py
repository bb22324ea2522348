"""What is known of the answers that results were compared with, beside the answers themselves."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AnswerNotes:
    """What one program's answers are worth.

    Attributes:
        reference: the routine that says what is right, in words; "" for one in Python.
        compared: places that the case does not observe and that are compared, since the reference's
            routine writes them: "*buffer", "gErr".
        unobserved: what it also writes and is not compared: "A5-0x10cc, 4 bytes".
        distinct: the digests of the answers, each once.
        unfilled: globals that the routine reads, that no scene fills and nobody writes.
    """

    reference: str = ""
    compared: tuple[str, ...] = ()
    unobserved: tuple[str, ...] = ()
    distinct: frozenset[bytes] = frozenset()
    unfilled: tuple[str, ...] = ()

    @property
    def undecided(self) -> str:
        """Why they are no evidence for a verdict; "" if they are."""
        if not self.unobserved:
            return ""
        *most, last = self.unobserved
        places = f"{'; '.join(most)}; and {last}" if most else last
        return f"{self.reference} also writes {places}: neither observed nor ignored"

    def __add__(self, other: AnswerNotes) -> AnswerNotes:
        return AnswerNotes(
            self.reference or other.reference,
            tuple(dict.fromkeys((*self.compared, *other.compared))),
            tuple(dict.fromkeys((*self.unobserved, *other.unobserved))),
            self.distinct | other.distinct,
            tuple(dict.fromkeys((*self.unfilled, *other.unfilled))),
        )


NO_NOTES = AnswerNotes()
