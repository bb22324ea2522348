"""Writes the reference of a new case in Python: its scenes, and what the function has to do."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from emu.cases.skeletons.function import (
    CParameter,
    CPrototype,
    NumberType,
    Part,
    free_name,
)

_OF_A_SCENE = {"objects", "generator", "seed", "keep", "simpler", "self", "result"}
_LONG_LINE = 60


@dataclass(frozen=True, slots=True)
class Attribute:
    """What holds a part of a parameter, or of the result, in Python.

    Attributes:
        name: its name.
        parameter: the parameter; None for the result.
        part: the part.
    """

    name: str
    parameter: CParameter | None
    part: Part

    @property
    def text(self) -> str:
        """What kind of text it is; "" if it is none."""
        return "" if self.parameter is None else self.parameter.text

    @property
    def is_counted(self) -> bool:
        """Whether it has as many elements as a scene has objects."""
        parameter = self.parameter
        return parameter is not None and parameter.has_many and not parameter.is_whole

    @property
    def is_fixed(self) -> bool:
        """Whether it is the number of a list of one element."""
        return self.parameter is not None and self.parameter.is_one

    @property
    def lengths(self) -> tuple[str, ...]:
        """The lengths of an array, in Python; none for a single number."""
        parameter = self.parameter
        first = (
            [] if parameter is None or not parameter.has_many else [str(parameter.most_elements)]
        )
        first = ["objects"] if self.is_counted else first
        return (*first, *map(str, self.part.shape))

    @property
    def is_number(self) -> bool:
        """Whether it is a single number."""
        return not self.lengths and not self.text

    @property
    def kind(self) -> str:
        """The type that it has in Python."""
        if self.text:
            return "bytes"
        if self.lengths:
            return "np.ndarray"
        return "float" if self.part.type.is_fraction else "int"


def _attributes_of(prototype: CPrototype) -> list[Attribute]:
    """The attributes of a scene, one for each part of each parameter."""
    attributes: list[Attribute] = []
    taken = set(_OF_A_SCENE)
    for parameter in prototype.values:
        for part in [] if parameter.name in prototype.lengths else parameter.parts:
            name = free_name(_joined(parameter.name, part.path), taken)
            taken.add(name)
            attributes.append(Attribute(name, parameter, part))
    return attributes


def _results_of(prototype: CPrototype, scene: Sequence[Attribute]) -> list[Attribute]:
    """The attributes of the reference's answer that are the function's result."""
    parts = () if prototype.result is None else prototype.result.parts
    taken = {attribute.name for attribute in scene}
    return [Attribute(free_name(_joined("result", part.path), taken), None, part) for part in parts]


def _joined(name: str, path: str) -> str:
    words = name.replace("::", "_")  # a static of a function
    return f"{words}_{path.replace('.', '_')}" if path else words


class ReferenceText:
    """Makes the parts of a reference.

    Args:
        prototype: the function.
        source: the name of its source file.
        has_small: whether there are scenes of small numbers, such as indices and numbers of
            elements, without which a routine that is written already often does nothing.

    Attributes:
        scene: the attributes of a scene.
        results: those of the answer that are the function's result.
    """

    def __init__(self, prototype: CPrototype, source: str, *, has_small: bool = False) -> None:
        self.has_small = has_small
        self._prototype = prototype
        self._source = source
        self.scene = _attributes_of(prototype)
        self.results = _results_of(prototype, self.scene)
        self._has_fractions = any(attribute.is_fraction for attribute in prototype.types)
        self._texts = sum(bool(attribute.text) for attribute in self.scene)
        self._has_characters = any(
            a.is_counted and a.part.type.words.endswith("char") for a in self.scene
        )

    @property
    def has_texts(self) -> bool:
        """Whether texts are among what is given, or characters that are counted."""
        return self._has_characters or self._texts > 0

    def words(self) -> dict[str, str]:
        """What stands in the places of the template."""
        numbers = [
            attribute.name
            for attribute in self.scene
            if attribute.is_number and not (attribute.part.type.is_fraction or attribute.is_fixed)
        ]
        names = ", ".join(f'"{name}"' for name in numbers)
        has_functions = any(p.function is not None for p in self._prototype.parameters)
        abstract = ["Callable"] * has_functions + ["Iterator"] * bool(numbers)
        helpers = ["random_text"] * self.has_texts + ["simpler_numbers"] * bool(numbers)
        source = f'\nSOURCE = Path(__file__).parent / "{self._source}"\n'
        changed = [a for a in self.scene if a.parameter is not None and a.parameter.is_changed]
        answers = [*self.results, *changed]
        return {
            "iterator": f"from collections.abc import {', '.join(abstract)}\n" if abstract else "",
            "helper": f"from macproof import {', '.join(helpers)}\n" if helpers else "",
            "path": "from pathlib import Path\n" if self.has_texts else "",
            "source": source if self.has_texts else "",
            "draw_text": _DRAW_TEXTS if self._texts > 1 else _DRAW_TEXT * self._texts,
            "text_of": _TEXT_OF if self._texts else "",
            "text": _TEXT if self._has_characters else "",
            "simpler": _SIMPLER.format(names=names) if numbers else "",
            "fields": _lines((f"{a.name}: {a.kind}" for a in self.scene), 4),
            "values": _lines((f"{a.name}={self._random_value(a)}," for a in self.scene), 8),
            "kept": _arguments(["self", *self._kept_values(), "objects=len(indices)"]),
            "draw": _SMALL * self.has_small + (_DRAW_SMALL if self._has_fractions else _DRAW),
            "sum": self._sum(),
            "answer": _lines((f"{a.name}: {a.kind}" for a in answers), 4),
            "answers": _lines((f"{a.name}={self._answer(a)}," for a in answers), 8),
            "unchanged": _lines((f"{a.name}={_unchanged(a)}," for a in answers), 8),
            **self._calls(),
            "functions": "".join(self._functions()),
        }

    def _random_value(self, attribute: Attribute) -> str:
        kind = attribute.part.type
        dtype = kind.dtype
        if attribute.text:
            return "draw_text()"
        if attribute.is_fixed:
            return "1"
        if attribute.is_number:
            only_bit = " & 1" if kind.is_boolean else ""
            number = f'draw("{dtype}", 1)[0].item(){only_bit}'
            return _choice(number, kind.choices) if kind.choices else number
        count = f'draw("{dtype}", {" * ".join(attribute.lengths)})'
        if len(attribute.lengths) > 1:
            count += f".reshape({', '.join(attribute.lengths)})"
        if kind.choices:
            count = _choice(count, kind.choices)
        return f"{count} & 1" if kind.is_boolean else count

    def _kept_values(self) -> Iterator[str]:
        for attribute in self.scene:
            if attribute.text:
                name = attribute.name
                yield f"{name}=bytes(self.{name}[i] for i in indices if i < len(self.{name}))"
            elif attribute.is_counted:
                yield f"{attribute.name}=self.{attribute.name}[indices]"

    def _sum(self) -> str:
        parts = ["scene.objects"] * len(self._prototype.lengths)
        for attribute in self.scene:
            if attribute.text:
                parts.append(f"sum(scene.{attribute.name})")
            elif attribute.is_number:
                parts.append(f"scene.{attribute.name}")
            else:
                flat = _FLAT * (len(attribute.lengths) > 1)
                parts.append(f"sum(scene.{attribute.name}{flat}.tolist())")
        parts = parts or ["0"]
        if sum(map(len, parts)) < _LONG_LINE:
            return " + ".join(parts)
        inside = "\n        + ".join(parts)
        return f"(\n        {inside}\n    )"

    def _answer(self, attribute: Attribute) -> str:
        kind, total = attribute.part.type, "int(total)" if self._has_fractions else "total"
        if attribute.text:
            return f'scene.{attribute.name}.replace(b" ", b"_")'
        if attribute.parameter is None:
            if attribute.part.shape:
                number = self._cut("total", kind)
                return f'np.full({_shape(attribute.part.shape)}, {number}, "{kind.dtype}")'
            return f"{total} & 1" if kind.is_boolean else self._cut("total", kind)
        if attribute.is_number:
            return self._cut(f"scene.{attribute.name} + total", kind)
        several = len(attribute.lengths) > 1
        every = f"[{self._cut('old + total', kind)} for old in scene.{attribute.name}"
        text = f'np.array({every}{_FLAT * several}.tolist()], "{kind.dtype}")'
        return f"{text}.reshape(scene.{attribute.name}.shape)" if several else text

    def _cut(self, number: str, kind: NumberType) -> str:
        """What a type has of a number."""
        if kind.is_fraction:
            return number
        if self._has_fractions:
            number = number.replace("total", "int(total)")
        return f'wrap({number}, "{kind.dtype}")'

    def _calls(self) -> dict[str, str]:
        """The calls of functions that the routine gets, and what they need."""
        functions = [
            (p.name, ["None" if each.pointed else "0" for each in p.function.parameters])
            for p in self._prototype.parameters
            if p.function is not None
        ]
        return {
            "called": "".join(f", {name}: Callable[..., object]" for name, _ in functions),
            "calls": "".join(f"    {name}({', '.join(given)})\n" for name, given in functions),
        }

    def _functions(self) -> Iterator[str]:
        for parameter in self._prototype.parameters:
            if parameter.function is not None:
                returned = "None" if parameter.function.result_type is None else "0"
                yield _FUNCTION.format(
                    name=parameter.name, words=parameter.declaration, returned=returned
                )


def _unchanged(attribute: Attribute) -> str:
    """What an attribute of the answer is if the routine does nothing."""
    if attribute.parameter is not None:
        return f"scene.{attribute.name}"
    part = attribute.part
    return f'np.zeros({_shape(part.shape)}, "{part.type.dtype}")' if part.shape else "0"


def _choice(number: str, choices: Sequence[int]) -> str:
    """One of some numbers in Python, or an array of them."""
    if isinstance(choices, range):
        start = f"{choices.start} + " if choices.start else ""
        return f"{start}{number} % {len(choices)}"
    listed = f"[{', '.join(map(str, choices))}]"
    index = f"{number} % {len(choices)}"
    return f"{listed}[{index}]" if number.endswith("item()") else f"np.array({listed})[{index}]"


def _shape(lengths: tuple[int, ...]) -> str:
    return str(math.prod(lengths)) if len(lengths) == 1 else f"({', '.join(map(str, lengths))})"


def _arguments(given: list[str]) -> str:
    """The arguments of a call in a line, or in a line each."""
    if sum(map(len, given)) < _LONG_LINE:
        return ", ".join(given)
    return "\n" + "".join(f"            {argument},\n" for argument in given) + "        "


def _lines(lines: Iterator[str], indent: int) -> str:
    return "\n".join(" " * indent + line for line in lines)


_FLAT = ".ravel()"
_FUNCTION = '''

def {name}(*given: object) -> int | None:
    """What the routine gets as {words}. CHANGE: what it does; it may return a number."""
    return {returned}
'''
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
_SMALL = """\
    if generator == "small":  # such as indices and numbers of elements
        return (words % 8).astype(dtype)
"""
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
