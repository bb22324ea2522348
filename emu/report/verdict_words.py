"""The words in which verdicts are given, and whether each is good: the one place for that.

A word has the same tone, and so the same colour, in every command and every form. A word that means
well in one command and badly in another would have to be two words.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from emu.report.document import Outcome, Tone

_GOOD = (
    "verified",
    "proved",
    "killed",
    "seen",
    "refused",
    "nothing found",
    "range found",
    "calibrated",
    "shown",
    "holds",
    "measured",
    "agree",
    "right",
    "met",
    "ended by itself",
    "same as the reference",
    "ready",
    "present",
    "better",
)
_BAD = (
    "refuted",
    "survived",
    "not seen",
    "failures found",
    "the usual range fails",
    "disagreements that nobody has judged",
    "not judged",
    "not shown",
    "does not hold",
    "disagree",
    "wrong",
    "missed",
    "did not end well",
    "not as expected",
    "did not return",
    "not ready",
    "needed",
    "worse",
)
_DOUBTFUL = (
    "inconclusive",
    "undecided",
    "not done",
    "nothing tried",
    "nothing searched",
    "nothing compared",
    "not searched to the end",
    "safe only",
    "holds with a condition",
    "not run",
    "not checked",
    "measured in part",
    "wrong (known defect)",
    "missing",
)
TONES: Mapping[str, Tone] = MappingProxyType(
    {
        **dict.fromkeys(_GOOD, Tone.GOOD),
        **dict.fromkeys(_BAD, Tone.BAD),
        **dict.fromkeys(_DOUBTFUL, Tone.DOUBTFUL),
    }
)
"""Every word and its tone, as `Table.tones` takes them."""


def verdict_outcome(word: str, caveat: str = "") -> Outcome:
    """The outcome of a document.

    Raises:
        KeyError: the word is not one of `TONES`.
    """
    return Outcome(word, TONES[word], caveat)
