"""Makes text from elsewhere fit to be shown.

File names, symbols, reports, the messages of compilers and what guest programs draw can hold
characters that a terminal takes as commands, that reverse the direction of the text after them, or
that XML does not allow.
"""

from __future__ import annotations

import re

# Unicode's controls but tab and new line, its format characters (General Category Cf: direction,
# zero width, tags), line and paragraph separators, halves of surrogate pairs, and what XML 1.0
# leaves out of its Char.
_UNFIT = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0001-\U000e007f"
)
_UNFIT_IN_TEXT = re.compile(f"[{_UNFIT}]")
_UNFIT_IN_A_LINE = re.compile(f"[\t\n{_UNFIT}]")


def printable(text: str) -> str:
    r"""Text of any number of lines, in which an unfit character is spelled: ``\x1b``, ``\u202e``.

    A byte of a file name that is not UTF-8 is spelled by its value, such as ``\xff``.
    """
    return text if text.isprintable() else _UNFIT_IN_TEXT.sub(_escaped, text)


def one_line(text: str) -> str:
    r"""Text in one line: like `printable`, and a tab becomes ``\x09``, a line end ``\x0a``."""
    return text if text.isprintable() else _UNFIT_IN_A_LINE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:  # Python's stand-in for a byte that is not UTF-8
        code -= 0xDC00
    letter, digits = ("x", 2) if code < 1 << 8 else ("u", 4) if code < 1 << 16 else ("U", 8)
    return f"\\{letter}{code:0{digits}x}"
