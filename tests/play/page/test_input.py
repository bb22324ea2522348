"""What the mouse and the keys do in the page, as the server hears it."""

from __future__ import annotations

import pytest

from tests.play.page.conftest import Page


def keys_heard(page: Page) -> list[dict[str, object]]:
    return page.fake.of("key_down", "key_up")


def focus(page: Page) -> None:
    page.value("document.querySelector('#screen-0').focus()")


FOCUSED = "document.activeElement.id"


@pytest.mark.parametrize("size", ["1", "2"])
def test_a_click_is_at_the_macintoshs_pixel(shown, size):
    shown.click(f"#sizes [value='{size}']")
    shown.browser.button_down(*shown.place(100, 57))
    shown.browser.button_up(*shown.place(101, 58), "Control", "Shift")
    shown.fake.wait_for("press", h=100, v=57, modifiers=())
    shown.fake.wait_for("release", h=101, v=58, modifiers=("command", "shift"))
    assert shown.value(FOCUSED) == "screen-0"


def test_a_drag_goes_on_outside_the_screen(shown):
    shown.browser.button_down(*shown.place(10, 10))
    shown.browser.point_at(*shown.place(200, 20), is_held=True)
    shown.fake.wait_for("move", h=200, v=20)
    shown.browser.point_at(2, 300, is_held=True)
    shown.fake.wait_for("move", h=0)
    shown.browser.button_up(1270, 899)
    shown.fake.wait_for("release", h=511, v=341)


def test_the_newest_place_of_a_frame_is_sent_before_the_button_is_let_go(shown):
    """Many moves come in one frame of the browser; one of them is enough, and the last."""
    shown.value(
        """(() => {
        const canvas = document.querySelector("#screen-0"), box = canvas.getBoundingClientRect();
        for (let step = 1; step <= 50; step += 1)
          canvas.dispatchEvent(new PointerEvent("pointermove",
            { clientX: box.left + step + 0.5, clientY: box.top + 5.5, pointerId: 1 }));
        })()"""
    )
    shown.fake.wait_for("move", h=50)
    assert len(shown.fake.of("move")) == 1


def test_keys_go_down_and_up_by_their_names_in_scripts(shown):
    focus(shown)
    for key in ("a", "Enter", "ArrowLeft", "Escape", "Tab", "Home"):
        shown.browser.press(key)
    shown.fake.wait_for("key_up", key="home")
    names = ["a", "return", "left", "escape", "tab", "home"]
    heard = [(one["do"], one["key"]) for one in keys_heard(shown)]
    assert heard == [(kind, name) for name in names for kind in ("key_down", "key_up")]
    assert shown.value(FOCUSED) == "screen-0", "Tab goes to the program"


def test_control_is_command_and_alt_is_option(shown):
    focus(shown)
    shown.browser.key_down("Control", "Control")
    shown.fake.wait_for("held", keys=("command",))
    shown.browser.press("s", "Control")
    shown.browser.key_up("Control")
    shown.browser.press("g", "Alt")
    shown.fake.wait_for("key_down", key="s", modifiers=("command",))
    shown.fake.wait_for("key_down", key="g", modifiers=("option",))
    shown.fake.wait_for("held", keys=())


def test_a_key_that_repeats_is_pressed_once(shown):
    """The Macintosh repeats a key itself while it is held down."""
    focus(shown)
    for _ in range(4):
        shown.browser.key_down("x")
    shown.browser.key_up("x")
    shown.fake.wait_for("key_up", key="x")
    assert [one["do"] for one in keys_heard(shown)] == ["key_down", "key_up"]


def test_characters_of_other_layouts_are_sent_as_they_are(shown):
    """AltGr makes characters; Windows says that Ctrl and Alt are held down then."""
    focus(shown)
    shown.value(
        """(() => {
        const canvas = document.querySelector("#screen-0");
        const press = (key, more) => {
          for (const kind of ["keydown", "keyup"])
            canvas.dispatchEvent(new KeyboardEvent(kind, { key, code: key, ...more }));
        };
        press("ö", {});
        press("@", { ctrlKey: true, altKey: true, modifierAltGraph: true });
        press("Dead", {});
        press("F5", {});
        press("Enter", { code: "NumpadEnter" });
        })()"""
    )
    shown.fake.wait_for("key_up", key="enter")
    heard = [(one["key"], one["modifiers"]) for one in shown.fake.of("key_down")]
    assert heard == [("ö", []), ("@", []), ("enter", [])]


def test_f2_puts_command_on_the_next_key(shown):
    """The browser keeps Ctrl+W for itself."""
    focus(shown)
    shown.browser.press("F2")
    assert shown.value("document.querySelector('#screen-0').className") == "latched"
    assert shown.text("#latch") == "Command goes with the next key."
    shown.browser.press("w")
    shown.browser.press("w")
    shown.fake.wait_for("key_down", key="w", modifiers=("command",))
    shown.fake.wait_for("key_down", key="w", modifiers=())
    assert shown.value("document.querySelector('#screen-0').className") == ""
    assert shown.text("#latch") == ""


def test_control_and_alt_leave_the_screen(shown):
    focus(shown)
    shown.browser.key_down("Control", "Control")
    shown.browser.key_down("Alt", "Control", "Alt")
    assert shown.value(FOCUSED) == "screen-0"
    shown.browser.key_up("Alt", "Control")
    assert shown.value(FOCUSED) == "pause"
    shown.fake.wait_for("held", keys=())


def test_control_alt_and_a_key_do_not_leave_the_screen(shown):
    focus(shown)
    shown.browser.key_down("Control", "Control")
    shown.browser.key_down("Alt", "Control", "Alt")
    shown.browser.press("f", "Control", "Alt")
    shown.browser.key_up("Alt", "Control")
    shown.fake.wait_for("key_down", key="f", modifiers=("command", "option"))
    assert shown.value(FOCUSED) == "screen-0"


def test_what_is_held_down_is_let_go_when_the_screen_is_left(shown):
    focus(shown)
    shown.browser.key_down("Shift", "Shift")
    shown.browser.key_down("q", "Shift")
    shown.value("document.querySelector('#screen-0').blur()")
    shown.fake.wait_for("key_up", key="q")
    shown.fake.wait_for("held", keys=())


def test_a_program_that_computes_for_long_gets_what_is_pressed_meanwhile(shown):
    shown.fake.moment(3, 3, "stuck")
    shown.frame()
    focus(shown)
    shown.browser.press(".", "Control")
    shown.fake.wait_for("key_down", key=".", modifiers=("command",))


def test_a_program_that_stands_still_hears_nothing(shown):
    shown.fake.moment(3, 9, "paused")
    shown.frame()
    shown.browser.click(*shown.place(5, 5))
    focus(shown)
    shown.browser.press("a")
    shown.browser.press("Tab")
    assert shown.value(FOCUSED) != "screen-0", "Tab goes on in the page"
    shown.click("#pause")
    shown.fake.wait_for("resume")
    assert shown.fake.of("press", "key_down", "move") == []
