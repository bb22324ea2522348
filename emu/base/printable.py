"""Text that came from somewhere, made fit to be shown.

File names, symbols, reports, the messages of compilers and what guest programs draw can hold
characters that a terminal obeys, that turn the order of what is read after them round, or that XML
has no place for.
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
    r"""Text of any number of lines, with such characters as ``\x1b`` or ``\u202e``.

    A byte of a file name that is no UTF-8 becomes ``\xff``, after its value.
    """
    return text if text.isprintable() else _UNFIT_IN_TEXT.sub(_escaped, text)


def one_line(text: str) -> str:
    """Likewise; a tab or the end of a line is such a character too."""
    return text if text.isprintable() else _UNFIT_IN_A_LINE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:  # how Python holds a byte that is no text
        code -= 0xDC00
    letter, digits = ("x", 2) if code < 1 << 8 else ("u", 4) if code < 1 << 16 else ("U", 8)
    return f"\\{letter}{code:0{digits}x}"
