"""Writes the source of a new case: it adds up what it is given, and adds the sum to what it may."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from emu.cases.skeletons.function import CParameter, CPrototype, NumberType, Part, free_name

_STEP = "    "
_UNNAMED = re.compile(r"\bmember_\d+\.")


class FunctionText:
    """Makes the text of a function in C.

    Args:
        prototype: the function.
    """

    def __init__(self, prototype: CPrototype) -> None:
        self._prototype = prototype
        taken = {parameter.name for parameter in prototype.values} | {prototype.name}
        self._total, self._index, self._inner, self._made = (
            free_name(word, taken) for word in ("total", "i", "j", "made")
        )
        self._has_fractions = any(parameter.is_fraction for parameter in prototype.types)

    def before(self) -> str:
        """What stands before the function."""
        prototype = self._prototype
        lines = [f"#include <{name}>" for name in prototype.headers]
        if prototype.header is not None:
            lines.append(f'#include "{prototype.header.name}"')
        blocks = ["\n".join(lines), prototype.before]
        blocks += [f"{one.declaration};" for one in prototype.globals]
        return "".join(f"{block}\n\n" for block in blocks if block)

    def body(self) -> str:
        """The lines between its braces."""
        sums: list[str] = []
        changes: list[str] = []
        for parameter in self._prototype.values:
            for part in parameter.parts:
                element = self._element(parameter, part)
                sums += self._every(
                    parameter, part, f"{self._total} += {_as_number(parameter, part, element)};"
                )
                if parameter.is_changed:
                    change = f"{element} += {self._total_as(part.type)};"
                    if parameter.text:
                        change = f"if ({element} == ' ') {element} = '_';"
                    changes += self._every(parameter, part, change)
        calls = [
            f"{parameter.name}({', '.join('0' for _ in parameter.function.parameters)});"
            for parameter in self._prototype.parameters
            if parameter.function is not None
        ]
        lines = [*self._variables([*sums, *changes]), *calls, *sums, *changes, *self._returned()]
        return "\n".join(f"{_STEP}{line}" for line in lines)

    def _variables(self, used: list[str]) -> Iterator[str]:
        wide = any(parameter.dtype.endswith("64") for parameter in self._prototype.types)
        whole = "unsigned long long" if wide else "unsigned long"
        yield f"{'double' if self._has_fractions else whole} {self._total} = 0;"
        result = self._prototype.result
        parts = () if result is None else result.parts
        loops = [line for line in used if line.lstrip().startswith("for ")]
        indices = {
            self._index: any(f"({self._index} = " in line for line in loops),
            self._inner: any(f"({self._inner} = " in line for line in loops)
            or any(part.shape for part in parts),
        }
        names = [name for name, is_used in indices.items() if is_used]
        if names:
            yield f"long {', '.join(names)};"
        if result is not None and not result.type.dtype:
            yield f"{result.type.words} {self._made};"

    def _returned(self) -> Iterator[str]:
        result = self._prototype.result
        if result is None:
            return
        if result.type.dtype:
            total = self._total_as(result.type)
            bit = f"{total} & 1"
            yield f"return {bit if result.type.is_boolean else f'({result.type.words}) {total}'};"
            return
        for part in result.parts:
            place = f"{self._made}.{_in_c(part)}{self._indices(part)}"
            yield from self._inner_loop(part, f"{place} = {self._total_as(part.type)};")
        yield f"return {self._made};"

    def _element(self, parameter: CParameter, part: Part) -> str:
        """A number in C, within the loops that `_every` makes."""
        name = parameter.name
        if part.type.words == "void" or parameter.type.words == "ConstStr255Param":
            kind = "const unsigned char *" if parameter.is_constant else "unsigned char *"
            name = f"(({kind}{'*' * (parameter.pointers - 1)}) {name})"
        lead = f"({'*' * (parameter.pointers - 1)}{name})" if parameter.pointers > 1 else name
        if parameter.has_many or parameter.text:
            place = f"{lead}[{self._index}]{f'.{_in_c(part)}' * bool(part.path)}"
        elif parameter.pointers:
            place = f"{lead}->{_in_c(part)}" if part.path else f"*{lead}"
            place = f"({place})" if part.shape and not part.path else place
        else:
            place = f"{name}.{_in_c(part)}" if part.path else name
        return f"{place}{self._indices(part)}"

    def _indices(self, part: Part) -> str:
        """The brackets behind an array, whose numbers are counted by one index."""
        if len(part.shape) == 1:
            return f"[{self._inner}]"
        brackets, inner = "", 1
        for length in reversed(part.shape):
            whole = self._inner if inner == 1 else f"{self._inner} / {inner}"
            brackets = f"[{whole} % {length}]{brackets}"
            inner *= length
        return brackets

    def _every(self, parameter: CParameter, part: Part, statement: str) -> list[str]:
        """A statement for every element, and every number of an array in it."""
        lines = list(self._inner_loop(part, statement))
        if not (parameter.has_many or parameter.text):
            return lines
        return [self._outer_loop(parameter), *(f"{_STEP}{line}" for line in lines)]

    def _inner_loop(self, part: Part, statement: str) -> Iterator[str]:
        if part.shape:
            count = math.prod(part.shape)
            yield f"for ({self._inner} = 0; {self._inner} < {count}; {self._inner}++)"
            statement = f"{_STEP}{statement}"
        yield statement

    def _outer_loop(self, parameter: CParameter) -> str:
        """The head of a loop in C over the elements of a buffer, or the characters of a text."""
        index = self._index
        if parameter.text == "pascal":
            first = self._element(parameter, parameter.parts[0]).removesuffix(f"[{index}]")
            return f"for ({index} = 1; {index} <= {first}[0]; {index}++)"
        end = f"{index} < {parameter.length or parameter.number_in_c}"
        condition = f"{parameter.name}[{index}]" if parameter.text else end
        return f"for ({index} = 0; {condition}; {index}++)"

    def _total_as(self, kind: NumberType) -> str:
        """The sum in C, cut to a whole number if that is what becomes of it."""
        is_cut = self._has_fractions and not kind.is_fraction
        return f"(long) {self._total}" if is_cut else self._total


def _in_c(part: Part) -> str:
    """The path of a member in C, where a struct without a name lends its members."""
    return _UNNAMED.sub("", part.path)


def _as_number(parameter: CParameter, part: Part, element: str) -> str:
    """What is added of a character is 0 to 255 behind pointers, as case files have it."""
    is_byte = part.type.words == "char" and part.type.dtype == "uint8"
    return f"(unsigned char) {element}" if is_byte else element
