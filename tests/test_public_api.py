"""What ``import macproof`` promises: names, types, examples, and that it costs nothing."""

from __future__ import annotations

import ast
import doctest
import inspect
import operator
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import macproof
from tests.generated_pages import docs_module
from tests.rows import slow_but
from tests.small_cases import require_compilers

ROOT = Path(__file__).parents[1]
SOURCE = ast.parse(Path(macproof.__file__).read_text(encoding="utf-8"))


def methods_with_examples() -> list[str]:
    """The methods, own or inherited, that have an example: "Machine.new" and others."""
    return [
        f"{name}.{method}"
        for name in macproof.__all__
        if inspect.isclass(found := getattr(macproof, name))
        for method in dir(found)
        if not method.startswith("_") and ">>>" in (inspect.getdoc(getattr(found, method)) or "")
    ]


EXAMPLES = ["", *macproof.__all__, *methods_with_examples()]
# What these show, the examples of the functions show that return or raise them.
LIKE_OTHERS = {"CheckFailed", "ExplainedFailure", "Explanation", "RunResult", "Verification"}
# These compile sources of which no program comes along.
COMPILED = {"check", "selfcheck", "Selfcheck", "Fuzz"}
COMPILED |= {"explain", "ExplainedFailure", "Explanation", "CheckFailed"}
LONG = {"run_program"}  # what the tests of the runner do, too


def said_to_type_checkers() -> dict[str, str]:
    """The public names and the modules that they come from, as a type checker sees them."""
    (block,) = [
        node
        for node in SOURCE.body
        if isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    ]
    found = {}
    for statement in block.body:
        assert isinstance(statement, ast.ImportFrom)
        for alias in statement.names:
            assert alias.asname == alias.name, "only so is it exported"
            found[alias.name] = str(statement.module)
    return found


def python(code: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *options, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def test_type_checkers_are_told_the_same_as_python() -> None:
    assert said_to_type_checkers() == macproof._HOMES
    assert macproof.__all__ == list(macproof._HOMES)


@pytest.mark.parametrize("name", macproof.__all__)
def test_each_name_is_what_its_home_defines(name: str) -> None:
    value = getattr(macproof, name)
    assert value.__module__ == macproof._HOMES[name]
    assert value.__name__ == name


def test_names_are_listed_and_no_others_are_there() -> None:
    assert set(macproof.__all__) <= set(dir(macproof))
    assert macproof.__version__
    with pytest.raises(AttributeError, match="module 'macproof' has no attribute 'verfy'"):
        _ = macproof.verfy  # type: ignore[attr-defined]


def test_to_import_it_imports_next_to_nothing() -> None:
    code = "import sys, macproof; print('\\n'.join(sys.modules))"
    loaded = set(python(code).stdout.split())
    assert not [name for name in loaded if name.split(".")[0] in ("emu", "pyref")]
    assert (
        not {"numpy", "unicorn", "rich", "yaml", "elftools", "PIL", "importlib.metadata"} & loaded
    )


def test_a_name_imports_what_it_needs_and_no_more() -> None:
    code = "import sys, macproof; macproof.MacproofError; print('\\n'.join(sys.modules))"
    loaded = set(python(code).stdout.split())
    assert "emu.base.errors" in loaded
    assert "numpy" not in loaded


def test_verify_imports_no_form_format_or_tool_before_it_needs_it() -> None:
    """A verification that says "verified" on a terminal should cost little more than its scenes."""
    code = "import sys, emu.commands.verify; print('\\n'.join(sys.modules))"
    loaded = set(python(code).stdout.split())
    assert {"emu.verify.runs.schedule", "emu.program.elf.elf"} <= loaded
    unneeded = {"jsonschema", "matplotlib", "PIL", "capstone", "llvmlite", "importlib.metadata"}
    unneeded |= {"emu.report.forms.html", "emu.report.forms.junit", "emu.report.forms.markdown"}
    unneeded |= {
        "emu.program.mac_program",
        "emu.program.pef.pef",
        "emu.program.code68k.code_resources",
    }
    unneeded |= {"emu.verify.explain.explanation", "emu.verify.explain.failure_figures"}
    assert not unneeded & loaded


@pytest.mark.parametrize("name", slow_but(set(EXAMPLES) - LIKE_OTHERS - LONG, EXAMPLES))
def test_the_example_of_each_name_does_what_it_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder with the files of the repository, into which examples may write."""
    if name in COMPILED:
        require_compilers()
    for path in ROOT.iterdir():
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.chdir(tmp_path)
    value = operator.attrgetter(name)(macproof) if name else macproof
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
    text = inspect.getdoc(value) or ""
    example = doctest.DocTestParser().get_doctest(
        text, {"macproof": macproof, "Path": Path}, f"macproof.{name}", None, 0
    )
    assert example.examples, f"macproof.{name} has no example"
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=options, verbose=False)
    runner.run(example, out=said.append)
    assert runner.failures == 0, "".join(said)


def test_what_puts_values_into_guest_memory_is_on_the_page_with_an_example() -> None:
    methods = [
        "new",
        "buffer",
        "c_string",
        "pascal_string",
        "allocate",
        "read",
        "call",
        "reset",
        "close",
    ]
    assert {f"Machine.{name}" for name in methods} <= set(EXAMPLES)
    page = docs_module("api_page").api_page()
    for name in methods:
        section = page.partition(f"### Machine.{name}\n")[2].partition("\n#")[0]
        assert section.startswith(f"\n```text\n{name}("), name
        assert ">>> " in section, name


def public_parts(value: object) -> dict[str, object]:
    """A function, or a class with its own public methods and properties, by their names."""
    if not inspect.isclass(value):
        return {value.__name__: value}  # type: ignore[attr-defined]
    found: dict[str, object] = {value.__name__: value}
    for name, member in vars(value).items():
        plain = member.fget if isinstance(member, property) else member
        plain = plain.__func__ if isinstance(plain, classmethod | staticmethod) else plain
        if not name.startswith("_") and inspect.isfunction(plain):
            found[f"{value.__name__}.{name}"] = plain
    return found


@pytest.mark.parametrize("name", macproof.__all__)
def test_everything_public_is_typed_and_documented(name: str) -> None:
    for label, part in public_parts(getattr(macproof, name)).items():
        assert inspect.getdoc(part), label
        if inspect.isfunction(part):
            signature = inspect.signature(part)
            wanted = [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
            assert all(p.annotation is not p.empty for p in wanted), label
            assert signature.return_annotation is not signature.empty, label


USER = """
import macproof

case = macproof.load_case("four-shifts")
programs = macproof.programs_of(case, cpus=["68040"])
machine = macproof.Machine(programs[0])
reveal_type(case)
reveal_type(programs[0])
reveal_type(machine.functions.Add)
reveal_type(macproof.run_program("a.bin").text)
reveal_type(macproof.verify(case, programs).verdict)
macproof.nothing_like_it(case)
"""


@pytest.mark.slow
def test_a_strict_type_checker_sees_the_types(tmp_path: Path) -> None:
    """As for somebody who has installed it, not for us, who have its source."""
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    site = next((environment / "lib").glob("python*/site-packages"))
    for package in ("emu", "macproof"):
        shutil.copytree(ROOT / package, site / package)
    others = [path for path in sys.path if path.endswith("site-packages")]
    (site / "dependencies.pth").write_text("\n".join(others))
    (tmp_path / "user.py").write_text(USER)
    options = ("--strict", "--config-file", os.devnull)
    interpreter = ("--python-executable", environment / "bin" / "python")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *interpreter, "user.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    told = [line.partition(": ")[2] for line in done.stdout.splitlines() if "user.py" in line]
    assert told == [
        'note: Revealed type is "emu.cases.case.Case"',
        'note: Revealed type is "emu.cases.programs.subject.Subject"',
        'note: Revealed type is "emu.machine.guest.guest_functions.GuestFunction"',
        'note: Revealed type is "str"',
        'note: Revealed type is "str"',
        'error: Module has no attribute "nothing_like_it"  [attr-defined]',
    ]
