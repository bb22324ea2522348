"""Writes a new case: a source, a case file, a reference and a test, to be changed step by step.

The function that it writes adds up what it is given. So the new case is verified as it is, and its
author always has something that works while replacing one part after the other.
"""

from __future__ import annotations

import keyword
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Template

from emu.base.errors import InputError, UsageError
from emu.base.files import write_whole
from emu.cases.skeletons.prototype import CParameter, CPrototype, NumberType

SCHEMA_FILE = "case.schema.json"
_MOST_ELEMENTS = 20
_MOST_IN_A_CHAR = 100  # a number of elements may be a signed char
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_OF_A_SCENE = {"objects", "generator", "seed", "keep", "simpler", "self", "result"}


def schema_of_cases() -> str:
    """The JSON Schema of case files, for editors."""
    return resources.files("emu.cases").joinpath(SCHEMA_FILE).read_text(encoding="utf-8")


def write_skeleton(name: str, prototype: CPrototype, folder: Path) -> Path:
    """Write a new case into a folder of its name, whole or not at all.

    Args:
        name: the name of the case: small letters, digits and hyphens ("unpack-bits").
        prototype: the function that is called.
        folder: where the folder of the case is made.

    Returns:
        The folder of the case.

    Raises:
        UsageError: the name cannot be that of a case, or the folder is there already.
        InputError: the folder cannot be written.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} cannot be the name of a case: that has small letters, digits and hyphens, "
            "and begins with a letter, such as unpack-bits"
        )
    place = folder / name
    if place.exists() or place.is_symlink():
        raise UsageError(f"{place} exists already, and nothing is overwritten; take another name")
    staging = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(dir=folder, prefix=f".{name}-"))
        new = staging / name  # a folder with the usual permissions, which mkdtemp does not give
        for file, text in _Texts(name, prototype).files().items():
            write_whole(new / file, text.encode())
        os.rename(new, place)
    except OSError as error:
        raise InputError(place, f"cannot be written: {error.strerror}") from error
    finally:
        if staging is not None:
            shutil.rmtree(staging, ignore_errors=True)
    return place


@dataclass(frozen=True, slots=True)
class _Given:
    """A parameter that is not a number of elements, and what holds it in Python."""

    parameter: CParameter
    attribute: str


class _Texts:
    """Makes the files of a new case."""

    def __init__(self, name: str, prototype: CPrototype) -> None:
        self._name = name
        self._module = f"{name.replace('-', '_')}_reference"
        self._prototype = prototype
        self._has_fractions = any(kind.is_fraction for kind in prototype.types)
        self._has_buffers = bool(prototype.lengths)
        self._has_text = any(
            parameter.length and parameter.type.words.endswith("char")
            for parameter in prototype.parameters
        )
        texts = [parameter.most for parameter in prototype.parameters if parameter.text]
        self._texts = len(texts)
        self._most = min(texts, default=_MOST_ELEMENTS)
        if texts and prototype.lengths:
            self._most = min(self._most, _MOST_IN_A_CHAR)
        taken = {parameter.name for parameter in prototype.parameters} | {prototype.name}
        self._total, self._index = (_free(word, taken) for word in ("total", "i"))
        self._given: list[_Given] = []
        attributes = set(_OF_A_SCENE)
        for parameter in prototype.parameters:
            if parameter.name not in prototype.lengths:
                attribute = _free(parameter.name, attributes)
                attributes.add(attribute)
                self._given.append(_Given(parameter, attribute))
        self._changed = [
            given
            for given in self._given
            if given.parameter.is_pointer and not given.parameter.is_constant
        ]

    def files(self) -> dict[str, str]:
        """The text of each file, by its name."""
        stem = self._name.replace("-", "_")
        words = {
            "name": self._name,
            "stem": stem,
            "module": self._module,
            "function": self._prototype.name,
            "prototype": str(self._prototype),
            **self._source(),
            **self._case(),
            **self._reference(),
        }
        templates = resources.files("emu.cases").joinpath("templates")
        files = {SCHEMA_FILE: schema_of_cases()}
        for template, file in (
            ("source.c", f"{stem}.c"),
            ("case.yaml", "case.yaml"),
            ("reference.py", f"{self._module}.py"),
            ("test.py", f"test_{stem}.py"),
        ):
            text = templates.joinpath(f"{template}.txt").read_text(encoding="utf-8")
            files[file] = Template(text).substitute(words)
        return files

    def _source(self) -> dict[str, str]:
        total, index = self._total, self._index
        sums, changes = [], []
        for parameter in self._prototype.parameters:
            element, loop, indent = f"{'*' if parameter.is_pointer else ''}{parameter.name}", [], ""
            if parameter.length or parameter.text:
                element, indent = f"{_elements(parameter)}[{index}]", "    "
                loop = [_loop(parameter, index)]
            byte = (
                "(unsigned char) "
                if parameter.is_pointer and parameter.type.words == "char"
                else ""
            )
            sums += [*loop, f"{indent}{total} += {byte}{element};"]
            if parameter.is_pointer and not parameter.is_constant:
                change = f"{element} += {self._total_as(parameter.type)};"
                if parameter.text:
                    change = f"if ({element} == ' ') {element} = '_';"
                changes += [*loop, f"{indent}{change}"]
        wide = any(number_type.dtype.endswith("64") for number_type in self._prototype.types)
        kind = "unsigned long long" if wide else "unsigned long"
        result = self._prototype.result
        variables = [f"{'double' if self._has_fractions else kind} {total} = 0;"]
        variables += [f"long {index};"] if self._has_buffers or self._texts else []
        if result is not None:
            whole = self._total_as(result)
            returned = f"{whole} & 1" if result.is_boolean else f"({result.words}) {whole}"
            changes.append(f"return {returned};")
        needs_types = any(number_type.is_of_the_macintosh for number_type in self._prototype.types)
        return {
            "include": "#include <Types.h>\n\n" if needs_types else "",
            "body": "\n".join(f"    {line}" for line in (*variables, *sums, *changes)),
        }

    def _total_as(self, kind: NumberType) -> str:
        """The sum in C, cut to a whole number if that is what becomes of it."""
        is_cut = self._has_fractions and not kind.is_fraction
        return f"(long) {self._total}" if is_cut else self._total

    def _case(self) -> dict[str, str]:
        attributes = {given.parameter.name: given.attribute for given in self._given}
        arguments = []
        for parameter in self._prototype.parameters:
            value = f"{parameter.text} {attributes.get(parameter.name, 'objects')}".lstrip()
            if parameter.is_pointer:
                room = (
                    parameter.most + 1 if parameter.text else self._most if parameter.length else 0
                )
                count = f", count: {room}" if room else ""
                value = f"{{points_to: {value}{count}}}"
            arguments.append(f"  {parameter.name}: {value}")
        observe = [
            f'  "*{given.parameter.name}": {f"{given.parameter.text} {given.attribute}".lstrip()}'
            for given in self._changed
        ]
        if self._prototype.result is not None:
            observe.insert(0, "  return: result")
        return {
            "arguments": "\n".join(arguments),
            "observe": "\n".join(observe),
            **self._kinds(),
        }

    def _kinds(self) -> dict[str, str]:
        """The kinds of scenes: their generators and numbers of objects."""
        generators = ["anywhere", "borders"]
        generators += ["text"] if self._has_text or self._texts else []
        generators += ["digits"] if self._texts else []
        objects = "[0]"
        if self._has_buffers or self._texts:
            objects = f"[0, 1, {12 if self._texts else 2}, {self._most}]"
        what = ["numbers of elements"] if self._has_buffers else []
        what += ["lengths of texts"] if self._texts else []
        return {
            "objects": objects,
            "generators": f"[{', '.join(generators)}]",
            "what_objects_are": " and ".join(what) or "no buffers, so 0",
        }

    def _reference(self) -> dict[str, str]:
        fields, values, kept = [], [], []
        parts = ["scene.objects"] * len(self._prototype.lengths)
        for given in self._given:
            dtype, name = given.parameter.type.dtype, given.attribute
            kind = "float" if given.parameter.type.is_fraction else "int"
            if given.parameter.text:
                fields.append(f"{name}: bytes")
                values.append(f"{name}=draw_text(),")
                elements = f"self.{name}[i] for i in indices if i < len(self.{name})"
                kept.append(f"{name}=bytes({elements})")
                parts.append(f"sum(scene.{name})")
            elif given.parameter.length:
                fields.append(f"{name}: np.ndarray")
                values.append(f'{name}=draw("{dtype}", objects),')
                kept.append(f"{name}=self.{name}[indices]")
                parts.append(f"sum(scene.{name}.tolist())")
            else:
                only_bit = " & 1" if given.parameter.type.is_boolean else ""
                fields.append(f"{name}: {kind}")
                values.append(f'{name}=draw("{dtype}", 1)[0].item(){only_bit},')
                parts.append(f"scene.{name}")
        kept.append("objects=len(indices)")
        answer, answers = self._answer()
        numbers = [
            given.attribute
            for given in self._given
            if not (
                given.parameter.length or given.parameter.text or given.parameter.type.is_fraction
            )
        ]
        names = ", ".join(f'"{name}"' for name in numbers)
        makes_text = self._has_text or bool(self._texts)
        helpers = ["random_text"] * makes_text + ["simpler_numbers"] * bool(numbers)
        stem = self._name.replace("-", "_")
        return {
            "iterator": "from collections.abc import Iterator\n" if numbers else "",
            "helper": f"from macproof import {', '.join(helpers)}\n" if helpers else "",
            "path": "from pathlib import Path\n" if makes_text else "",
            "source": f'\nSOURCE = Path(__file__).with_name("{stem}.c")\n' if makes_text else "",
            "draw_text": _DRAW_TEXTS if self._texts > 1 else _DRAW_TEXT * self._texts,
            "text_of": _TEXT_OF if self._texts else "",
            "text": _TEXT if self._has_text else "",
            "simpler": _SIMPLER.format(names=names) if numbers else "",
            "fields": _lines(fields, 4),
            "values": _lines(values, 8),
            "kept": _arguments(["self", *kept], is_long=bool(self._texts)),
            "draw": _DRAW_SMALL if self._has_fractions else _DRAW,
            "sum": " + ".join(parts),
            "answer": _lines(answer, 4),
            "answers": _lines(answers, 8),
        }

    def _answer(self) -> tuple[list[str], list[str]]:
        """The attributes of the reference's answer, and what they are."""
        total = "int(total)" if self._has_fractions else "total"
        answer, answers = [], []
        result = self._prototype.result
        if result is not None:
            answer.append(f"result: {'float' if result.is_fraction else 'int'}")
            if result.is_fraction:
                returned = "total"
            else:
                returned = (
                    f"{total} & 1" if result.is_boolean else f'wrap({total}, "{result.dtype}")'
                )
            answers.append(f"result={returned},")
        for given in self._changed:
            name, kind, is_one = given.attribute, given.parameter.type, not given.parameter.length
            if given.parameter.text:
                answer.append(f"{name}: bytes")
                answers.append(f'{name}=scene.{name}.replace(b" ", b"_"),')
                continue
            old = f"scene.{name}" if is_one else "old"
            new = f"{old} + total" if kind.is_fraction else f'wrap({old} + {total}, "{kind.dtype}")'
            if is_one:
                answer.append(f"{name}: {'float' if kind.is_fraction else 'int'}")
                answers.append(f"{name}={new},")
            else:
                answer.append(f"{name}: np.ndarray")
                every = f"[{new} for old in scene.{name}.tolist()]"
                answers.append(f'{name}=np.array({every}, "{kind.dtype}"),')
        return answer, answers


def _elements(parameter: CParameter) -> str:
    """A pointer in C; headers that take literals in C++ have ConstStr255Param without a type."""
    is_cast = parameter.type.words == "ConstStr255Param"
    return f"((const unsigned char *) {parameter.name})" if is_cast else parameter.name


def _loop(parameter: CParameter, index: str) -> str:
    """The head of a loop in C over the elements of a buffer, or the characters of a text."""
    if parameter.text == "pascal":
        return f"for ({index} = 1; {index} <= {_elements(parameter)}[0]; {index}++)"
    end = f"{parameter.name}[{index}]" if parameter.text else f"{index} < {parameter.length}"
    return f"for ({index} = 0; {end}; {index}++)"


def _free(word: str, taken: set[str]) -> str:
    """A name like a word that is no keyword of Python and not taken: "from_" for "from"."""
    while word in taken or keyword.iskeyword(word):
        word += "_"
    return word


def _arguments(given: list[str], *, is_long: bool) -> str:
    """The arguments of a call in a line, or in a line each."""
    if not is_long:
        return ", ".join(given)
    return "\n" + "".join(f"            {argument},\n" for argument in given) + "        "


def _lines(lines: list[str], indent: int) -> str:
    return "\n".join(" " * indent + line for line in lines)


_SIMPLER = '''
    def simpler(self) -> Iterator[Scene]:
        """Scenes with a number nearer to 0, for `macproof explain` to shrink a scene."""
        for name in [{names}]:
            for number in simpler_numbers(getattr(self, name)):
                yield replace(self, **{{name: number}})
'''
_TEXT = """\
    if generator == "text" and dtype in ("uint8", "int8"):
        return random_text(words, SOURCE).astype(dtype)  # also what the routine's literals hold
"""
_DRAW_TEXT = """
    def draw_text() -> bytes:
        return text_of(generator, random.random_raw(objects))
"""
_DRAW_TEXTS = """
    texts: list[bytes] = []

    def draw_text() -> bytes:
        chance = int(random.random_raw())
        if texts and chance % 4 == 0:
            return texts[0]  # equal texts are rare otherwise
        length = chance // 4 % (objects + 1) if texts else objects
        texts.append(text_of(generator, random.random_raw(length)))
        return texts[-1]
"""
_TEXT_OF = '''

def text_of(generator: str, words: np.ndarray) -> bytes:
    """A text of as many bytes as there are words. CHANGE: texts of the kind for your routine."""
    if generator == "text":  # numbers, blanks and words, and what the routine's literals hold
        return bytes(random_text(words, SOURCE))
    if generator == "digits":
        first, others = b" +-0123456789", b"0123456789"
        return bytes(
            (others if place else first)[int(word) % (10 if place else 13)]
            for place, word in enumerate(words)
        )
    if generator == "borders":
        return bytes(b"\\x01 ~\\x7f\\x80\\xff"[int(word) % 6] for word in words)
    return bytes(int(word) % 255 + 1 for word in words)  # 0 would end a text in C
'''
_DRAW = """\
    if generator == "borders":  # where mistakes live
        limits = np.iinfo(dtype)
        edges = [limits.min, limits.min + 1, 0, 1, limits.max - 1, limits.max]
        return np.array(edges, dtype)[words % 6]
    return words.astype(dtype)"""
_DRAW_SMALL = """\
    if dtype.startswith("float"):  # quarters, of which no sum has to be rounded
        edges, usual = [-1000, -0.25, 0, 0.25, 1000], np.arange(-4000, 4000) / 4
    else:
        edges, usual = [0, 1, 99], np.arange(100)
    chosen = np.array(edges if generator == "borders" else usual)
    return chosen[words % len(chosen)].astype(dtype)"""
