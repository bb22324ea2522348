"""Ports that declare a narrower type, or one of another sign, than what says what is right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from emu.base.errors import CaseError, ToolMissingError
from emu.cases.scenes import scene_of
from emu.engines.registry import engine_of
from emu.verify.runs.schedule import verify
from emu.verify.scenes.scene_plan import plan_scenes
from tests.rows import slow_but
from tests.verify.small_cases import SmallCase, compiled, library

OLD = """
unsigned char gLimit;
unsigned short Sum(const unsigned char *bytes, short count)
{ unsigned short sum = 40000; while (count-- > 0) sum += *bytes++ ; return sum; }
"""
KEYS = """call: Sum
arguments: {bytes: {points_to: bytes, count: 8}, count: objects}
"""
PYTHON = """
Numbers.bytes = property(lambda self: self.values % 256)
Numbers.octets = property(lambda self: (self.values % 256).astype(np.uint8))


def expect(scene):
    return SimpleNamespace(sum=40000 + int(scene.bytes.sum()))
"""
OTHER_ENGINES = ("qemu-user", "musashi", "translated", "host")
SIGNED = "const signed char *bytes"
BOTH = pytest.mark.parametrize(
    ("before", "after", "told"),
    slow_but(
        [("const unsigned char *bytes", SIGNED, "*bytes is declared signed char")],
        [
            ("const unsigned char *bytes", SIGNED, "*bytes is declared signed char"),
            ("unsigned short Sum", "short Sum", "return is declared short in short Sum("),
            ("unsigned short Sum", "signed char Sum", "return is declared signed char"),
        ],
    ),
)


def refuted(port: SmallCase, engine: str = "unicorn") -> str:
    found = port.verify(engine)
    assert found.verdict == "refuted"
    assert found.report.results[0].violated
    return " ".join(found.report.results[0].violations)


@BOTH
def test_the_old_program_declares_another_type(
    tmp_path: Path, compilers: Callable[..., None], before: str, after: str, told: str
) -> None:
    compilers("68040")
    compiled(OLD, "Sum", tmp_path / "old.elf")
    keys = f"{KEYS}observe: [return]\nreference: {{program: old.elf, symbol: Sum}}\n"
    text = refuted(SmallCase(tmp_path, OLD.replace(before, after), keys, PYTHON))
    assert told in text
    assert "Sum of old.elf has it as unsigned short Sum(const unsigned char" in text


@pytest.mark.parametrize("engine", slow_but(["qemu-user"], OTHER_ENGINES))
def test_it_is_refuted_on_other_engines_too(
    tmp_path: Path, compilers: Callable[..., None], engine: str
) -> None:
    """What a program declares is the same whatever executes it, so no engine is doubted."""
    compilers("68040")
    try:
        engine_of(engine).describe()
    except ToolMissingError as error:
        pytest.skip(str(error))
    old = "unsigned short Twice(unsigned char byte) { return 2 * byte; }"
    compiled(old, "Twice", tmp_path / "old.elf")
    keys = (
        "call: Twice\narguments: {byte: byte}\nobserve: [return]\n"
        "reference: {program: old.elf, symbol: Twice}\n"
    )
    python = "\nNumbers.byte = property(lambda self: self.number % 256)\n"
    port = SmallCase(tmp_path, old.replace("unsigned char", "signed char"), keys, python)
    text = refuted(port, engine)
    assert "byte is declared signed char" in text
    assert "Twice of old.elf has it as unsigned short Twice(unsigned char byte)" in text


@BOTH
def test_the_library_declares_another_type(
    tmp_path: Path, compilers: Callable[..., None], before: str, after: str, told: str
) -> None:
    compilers("68040")
    library(OLD, tmp_path / "libold.so")
    prototype = "uint16_t Sum(const uint8_t *bytes, int16_t count)"
    keys = (
        f"{KEYS}observe: [return]\n"
        f'reference: {{library: libold.so, function: Sum, prototype: "{prototype}"}}\n'
    )
    text = refuted(SmallCase(tmp_path, OLD.replace(before, after), keys, PYTHON))
    assert told in text
    assert f"Sum of libold.so has it as {prototype}" in text


def test_the_scene_declares_another_type(tmp_path: Path, compilers: Callable[..., None]) -> None:
    compilers("68040")
    keys = f"{KEYS}observe: {{return: sum}}\nreference: small:expect\n"
    source = OLD.replace("const unsigned char *bytes", SIGNED)
    port = SmallCase(
        tmp_path, source, keys.replace("points_to: bytes", "points_to: octets"), PYTHON
    )
    found = port.verify()
    assert found.verdict == "refuted"
    assert "there it is uint8, and so either that or the declaration is wrong" in found.to_json()
    explained = macproof.explain(found)
    assert explained is not None
    assert "*bytes is declared signed char" in " ".join(explained.explanation.violations)


def test_nobody_declares_another_type(tmp_path: Path, compilers: Callable[..., None]) -> None:
    compilers("68040")
    keys = f"{KEYS}observe: {{return: sum}}\nreference: small:expect\n"
    source = OLD.replace("const unsigned char *bytes", SIGNED)
    with pytest.raises(CaseError, match=r"\*bytes \(signed char\) cannot hold"):
        SmallCase(tmp_path, source, keys, PYTHON).verify()


def test_the_cases_own_sources_declare_another_type(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    keys = f"{KEYS}observe: {{return: sum}}\nreference: small:expect\n"
    case = SmallCase(tmp_path, OLD, keys, PYTHON).case
    port = tmp_path / "port.c"
    port.write_text(OLD.replace("unsigned short Sum", "short Sum"))
    programs = macproof.programs_of(case, cpus=["68040"], builds=["O2"], source=port)
    found = macproof.verify(case, programs, jobs=1)
    assert found.verdict == "refuted"
    assert "the case's own program has it as unsigned short" in found.to_json()


TWICE_OF_OLD = (
    "call: Twice\narguments: {number: NUMBER}\nobserve: [return]\n"
    "reference: {program: old.elf, symbol: Twice}\n"
)


def require_refuted_on(port: SmallCase, words: str, is_unfit: Callable[[int], bool]) -> None:
    """Require that a port breaks a rule on the scenes whose numbers are so, and on no others."""
    case = port.case
    programs = macproof.programs_of(case, cpus=[port.cpu], builds=["O2"])
    specs = plan_scenes(case, 16, 1)
    (result,) = verify(case, list(programs.subjects), specs, jobs=1)
    numbers = {spec.scene: scene_of(case, spec).number for spec in specs}
    unfit = {scene for scene, number in numbers.items() if is_unfit(number)}
    assert 0 < len(unfit) < len(numbers)
    assert result.violated == len(unfit)
    assert not result.diverged
    assert result.failures
    for failure in result.failures:
        assert failure.spec.scene in unfit
        assert [words in clause for clause in failure.violations] == [True]


def test_what_an_unobserved_variable_cannot_hold_is_told_of_its_own_scenes(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    """Each scene's value is laid alone, so that the first scene was blamed for all of them."""
    compilers("68040")
    old = (
        "unsigned short gLast; "
        "short Twice(short number) { gLast = number > 0 ? 40000 : 4; return 2 * number; }"
    )
    compiled(old, "Twice", tmp_path / "old.elf")
    keys = TWICE_OF_OLD.replace("NUMBER", "number")
    port = SmallCase(tmp_path, old.replace("unsigned short gLast", "short gLast"), keys)
    require_refuted_on(port, "gLast is declared short", lambda number: number > 0)


def test_earlier_calls_do_not_hide_what_a_scene_has_that_does_not_fit(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    """They are on other scenes: what of those does not fit is not told of the scene either."""
    compilers("68040")
    old = "short Twice(unsigned char byte) { return (unsigned char) byte; }"
    compiled(old, "Twice", tmp_path / "old.elf")
    source = old.replace("(unsigned char byte) {", "(signed char byte) { gCalls++;")
    keys = TWICE_OF_OLD.replace("number: NUMBER", "byte: byte") + "ignore: [gCalls]\n"
    python = "\nNumbers.byte = property(lambda self: self.number % 256)\n"
    port = SmallCase(tmp_path, f"short gCalls; {source}", keys, python)
    require_refuted_on(port, "byte is declared signed char", lambda number: number % 256 > 127)
