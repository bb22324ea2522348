"""Whatever a text holds, what is shown of it does nothing to its reader's terminal."""

from __future__ import annotations

import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.table import Table
from rich.text import Text

from emu.base.errors import InputError
from emu.base.printable import one_line, printable
from emu.commands.interface.console import SafeConsole

HOSTILE = "a\x1b]0;owned\x07b\x9b31mc\u202ed\r\x7f\udcff"
ESCAPED = "a\\x1b]0;owned\\x07b\\x9b31mc\\u202ed\\x0d\\x7f\\xff"


def test_what_a_terminal_would_obey_is_shown_instead():
    assert printable(HOSTILE) == ESCAPED
    assert printable("two\n\tlines\r") == "two\n\tlines\\x0d"
    assert one_line("two\n\tlines") == "two\\x0a\\x09lines"
    assert printable("\U000e0041 é 日本 ™ \uf8ff") == "\\U000e0041 é 日本 ™ \uf8ff"


@given(st.text(st.characters()))
def test_no_control_and_no_format_character_is_left(text: str):
    for made, allowed in ((printable(text), {"\n", "\t"}), (one_line(text), set())):
        left = [c for c in made if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
        # Egyptian hieroglyphs and such are put together by format characters; they stay in place.
        assert {c for c in left if not 0x10000 <= ord(c) < 0x20000} <= allowed
        assert printable(made) == made
    made.encode()


@given(st.text(st.characters()))
def test_what_xml_has_no_place_for_is_not_left(text: str):
    for character in printable(text):
        code = ord(character)
        is_char = 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or code > 0xFFFF
        assert is_char or character in "\t\n"


@pytest.mark.parametrize("kind", [SafeConsole, Console])
def test_the_console_lets_nothing_through_in_whatever_it_prints(kind: type[Console]):
    file = io.StringIO()
    console = kind(file=file, force_terminal=True, color_system="standard", width=200)
    table = Table(title=Text(HOSTILE))
    table.add_column(Text(HOSTILE))
    table.add_row(Text(HOSTILE))
    console.print(table)
    console.print(HOSTILE, markup=False, highlight=False)
    console.print(Text(HOSTILE, style="red"), soft_wrap=True)
    # Rich itself drops a bell and a carriage return, and nothing else.
    is_safe = "\x1b]" not in file.getvalue() and "\x9b" not in file.getvalue()
    assert is_safe == (kind is SafeConsole), "Rich alone is known to let them through"
    assert "\x1b[31m" in file.getvalue()  # its own styles work
    if is_safe:
        assert file.getvalue().count(ESCAPED.replace("\\x07", "").replace("\\x0d", "")) == 3


def test_a_file_name_is_told_on_one_line():
    error = InputError("a\nmacproof: verified\udcff", "cannot be read")
    assert str(error) == "a\\x0amacproof: verified\\xff: cannot be read"
