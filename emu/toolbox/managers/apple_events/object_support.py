"""The Object Support Library: finds what object specifiers describe, by routines of the program.

An object specifier says what an object is in, which is another specifier, and so on to the program
itself. The program's accessors are asked from the outside inwards, each with the *token* (a
descriptor of the program's own) of what the one before found. A test is tried on each object in
turn; what passes is a list of tokens, and is not marked. A program for a 68K contains this library
and installs it for the Apple Event Manager's use; here both processors have it from macproof.
Sources: Inside Macintosh: Interapplication Communication, chapter 6 (order of accessors, tests,
ranges, result codes).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.apple_events.data import AppleEventData
from emu.toolbox.managers.apple_events.descriptors import (
    LIST,
    NULL,
    WILD,
    Container,
    Descriptor,
    Item,
    find,
)
from emu.toolbox.managers.apple_events.object_specifiers import (
    COMPARISON,
    CURRENT_CONTAINER,
    EXAMINED,
    LOGICAL,
    OBJECT,
    RANGE,
    ObjectSpecifier,
    code_in,
    parts_of,
)
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import AEDesc

_TEST, _BY_RANGE, _BY_INDEX = "test", "rang", "indx"
_WHOLE_TESTS = 1
"""kAEIDoWhose: the program does tests itself."""
_ACCESSOR = (
    "FUNCTION Accessor (desiredClass: DescType; containerToken: Ptr; containerClass: DescType; "
    "keyForm: DescType; keyData: Ptr; theToken: Ptr; refcon: LONGINT): OSErr"
)
_COMPARE = "FUNCTION Compare (oper: DescType; obj1,obj2: Ptr; result: Ptr): OSErr"
_COUNT = "FUNCTION Count (desired,container: DescType; token: Ptr; result: Ptr): OSErr"
_DISPOSE = "FUNCTION Dispose (token: Ptr): OSErr"
_NO_KEYWORD = "\0" * 4
_DEEPEST = 100
"""Specifiers and tests within one another. A person's are a few deep; the program's own stack would
overflow on a Macintosh at some hundred."""


class ObjectError(Exception):
    """An object was not found.

    Attributes:
        code: the result for the program.
    """

    def __init__(self, code: int) -> None:
        super().__init__(f"error {code}")
        self.code = code


def _check(error: int) -> None:
    if error:
        raise ObjectError(error)


class ObjectSupport(Manager):
    """Keeps object accessors, and calls them."""

    _memory: MemoryManager
    _data: AppleEventData

    def __post_init__(self) -> None:
        self._accessors: dict[tuple[str, str, bool], tuple[int, int]] = {}
        self._compare = self._count = self._dispose = 0
        self._known: dict[str, Descriptor] = {}
        self._depth = 0

    # -- who finds objects -------------------------------------------------------------------------

    @routine("FUNCTION AEObjectInit: OSErr", architecture="powerpc")
    def init_objects(self) -> int:
        """Begin to resolve object specifiers."""
        return 0

    @routine(
        "FUNCTION AESetObjectCallbacks (myCompareProc,myCountProc,myDisposeTokenProc,"
        "myGetMarkTokenProc,myMarkProc,myAdjustMarksProc,myGetErrDescProcPtr: ProcPtr): OSErr"
    )
    def set_object_callbacks(self, compare: int, count: int, dispose: int, *others: int) -> int:
        """Say who compares and counts objects and frees tokens; the others are never called."""
        self._compare, self._count, self._dispose = compare, count, dispose
        return 0

    @routine(
        "FUNCTION AEInstallObjectAccessor (desiredClass: DescType; containerType: DescType; "
        "theAccessor: ProcPtr; accessorRefcon: LONGINT; isSysHandler: BOOLEAN): OSErr"
    )
    def install_accessor(
        self, kind: str, container: str, accessor: int, reference: int, system: bool
    ) -> int:
        """Say who finds objects of a class in what a type of token stands for."""
        self._accessors[kind, container, system] = accessor, reference
        return 0

    @routine(
        "FUNCTION AERemoveObjectAccessor (desiredClass: DescType; containerType: DescType; "
        "theAccessor: ProcPtr; isSysHandler: BOOLEAN): OSErr"
    )
    def remove_accessor(self, kind: str, container: str, accessor: int, system: bool) -> int:
        """Forget an object accessor; its address may be nil, for whichever there is."""
        kept = self._accessors.get((kind, container, system))
        if kept is None or accessor not in (0, kept[0]):
            return ResultCode.errAEAccessorNotFound
        del self._accessors[kind, container, system]
        return 0

    @routine(
        "FUNCTION AEGetObjectAccessor (desiredClass: DescType; containerType: DescType; "
        "VAR theAccessor: ProcPtr; VAR accessorRefcon: LONGINT; isSysHandler: BOOLEAN): OSErr"
    )
    def get_accessor(
        self, kind: str, container: str, accessor: int, reference: int, system: bool
    ) -> int:
        """Tell an object accessor."""
        kept = self._accessors.get((kind, container, system))
        if kept is None:
            return ResultCode.errAEAccessorNotFound
        self.guest.put32(accessor, kept[0])
        self.guest.put32(reference, kept[1])
        return 0

    # -- finding -----------------------------------------------------------------------------------

    @routine(
        "FUNCTION AEResolve (objectSpecifier: AEDesc; callbackFlags: INTEGER; "
        "VAR theToken: AEDesc): OSErr"
    )
    def resolve(self, specifier: int, flags: int, result: int) -> int:
        """Find what an object specifier describes: a token, or a list of them."""
        outer = self._known, self._depth
        self._known, self._depth = {}, 0
        try:
            return self._data.store(result, self._resolve(self._data.value(specifier), flags))
        except ObjectError as error:
            self._data.store(result, Descriptor(NULL))
            return error.code
        finally:
            self._known, self._depth = outer

    @routine(
        "FUNCTION AECallObjectAccessor (desiredClass: DescType; containerToken: AEDesc; "
        "containerClass: DescType; keyForm: DescType; keyData: AEDesc; VAR token: AEDesc): OSErr"
    )
    def call_accessor(
        self, desired: str, token: int, container: str, form: str, data: int, result: int
    ) -> int:
        """Have an accessor find an object in what a token stands for."""
        try:
            kind = self._data.value(token).type
            accessor, reference = self._accessor(desired, kind)
        except ObjectError as error:
            return error.code
        arguments = (desired, token, container, form, data, result, reference)
        return int(self.host.call_guest(accessor, _ACCESSOR, *arguments))

    @routine("FUNCTION AEDisposeToken (VAR theToken: AEDesc): OSErr")
    def dispose_token(self, token: int) -> int:
        """Free a token, by the program's routine, or as any descriptor if it has none for it."""
        if self._dispose:
            error = int(self.host.call_guest(self._dispose, _DISPOSE, token))
            if error != ResultCode.errAEEventNotHandled:
                return error
        return self._data.dispose(token)

    def _accessor(self, desired: str, kind: str) -> tuple[int, int]:
        """The accessor that fits best; the program's own go before the System's."""
        for system in (False, True):
            for wanted, container in ((desired, kind), (desired, WILD), (WILD, kind), (WILD, WILD)):
                if found := self._accessors.get((wanted, container, system)):
                    return found
        raise ObjectError(ResultCode.errAEAccessorNotFound)

    def _resolve(self, value: Descriptor, flags: int) -> Descriptor:
        """The token of what a descriptor describes.

        Raises:
            ObjectError: it is not there, or the program cannot find it.
        """
        if value.type in self._known:
            return self._known[value.type]
        if value.type == NULL:
            return value
        specifier = ObjectSpecifier.of(value)
        if specifier is None:
            raise ObjectError(ResultCode.errAENotAnObjSpec)
        outer = ObjectSpecifier.of(specifier.container)
        kind = outer.desired if outer is not None else NULL
        with self._one_deeper():
            token = self._resolve(specifier.container, flags)
        if token.type != LIST:
            return self._object_in(token, kind, specifier, flags)
        items = Container.of(token.data).items
        if not items:
            raise ObjectError(ResultCode.errAEEmptyListContainer)
        return _listed([self._object_in(item.value, kind, specifier, flags) for item in items])

    @contextmanager
    def _one_deeper(self) -> Iterator[None]:
        """Count a specifier or a test within another, and refuse too many."""
        if self._depth == _DEEPEST:
            raise ObjectError(ResultCode.errAENotAnObjSpec)
        self._depth += 1
        yield
        self._depth -= 1

    @contextmanager
    def _known_as(self, kind: str, token: Descriptor) -> Iterator[None]:
        """Let a type of descriptor stand for a token."""
        outer, self._known = self._known, {**self._known, kind: token}
        yield
        self._known = outer

    def _object_in(
        self, token: Descriptor, kind: str, specifier: ObjectSpecifier, flags: int
    ) -> Descriptor:
        data = specifier.data
        if specifier.form == _TEST and not flags & _WHOLE_TESTS:
            return self._tested(token, kind, specifier, flags)
        if specifier.form == _BY_RANGE:
            data = self._range(token, data, flags)
        return self._access(specifier.desired, token, kind, specifier.form, data)

    def _access(
        self, desired: str, token: Descriptor, kind: str, form: str, data: Descriptor
    ) -> Descriptor:
        with self._descriptors(token, data, Descriptor(NULL)) as (container, key, result):
            _check(self.call_accessor(desired, container, kind, form, key, result))
            return self._data.value(result)

    @contextmanager
    def _descriptors(self, *values: Descriptor) -> Iterator[tuple[int, ...]]:
        """Addresses of descriptors with these values, for the time of a call."""
        places = tuple(self._memory.new_pointer(AEDesc.size, clear=True) for _ in values)
        for place, value in zip(places, values, strict=True):
            self._data.store(place, value)
        try:
            yield places
        finally:
            for place in places:
                self._data.dispose(place)
                self._memory.dispose_pointer(place)

    def _range(self, token: Descriptor, data: Descriptor, flags: int) -> Descriptor:
        """The data of a range with the tokens of its ends in place of their specifiers."""
        with self._known_as(CURRENT_CONTAINER, token):
            ends = [
                Item(item.keyword, self._resolve(item.value, flags))
                for item in parts_of(data, RANGE)
            ]
        if not ends:
            raise ObjectError(ResultCode.errAEImpossibleRange)
        return Descriptor(RANGE, Container(items=ends).data())

    # -- tests -------------------------------------------------------------------------------------

    def _tested(
        self, container: Descriptor, kind: str, specifier: ObjectSpecifier, flags: int
    ) -> Descriptor:
        """The list of the objects in a container that pass a test."""
        passed = []
        for index in range(1, self._counted(specifier.desired, kind, container) + 1):
            data = Descriptor("long", index.to_bytes(4, "big"))
            token = self._access(specifier.desired, container, kind, _BY_INDEX, data)
            if self._passes(specifier.data, token, flags):
                passed.append(token)
        if not passed:
            raise ObjectError(ResultCode.errAENoSuchObject)
        return _listed(passed)

    def _counted(self, desired: str, kind: str, container: Descriptor) -> int:
        if not self._count:
            raise ObjectError(ResultCode.errAEHandlerNotFound)
        with self._descriptors(container, Descriptor(NULL)) as (token, result):
            _check(int(self.host.call_guest(self._count, _COUNT, desired, kind, token, result)))
            count = self.guest.i32(result)
        if count < 0:
            raise ObjectError(ResultCode.errAENegativeCount)
        return count

    def _passes(self, test: Descriptor, token: Descriptor, flags: int) -> bool:
        items = parts_of(test, LOGICAL)
        if items:
            with self._one_deeper():
                return self._combined(items, token, flags)
        items = parts_of(test, COMPARISON)
        operator = code_in(items, "relo")
        first, second = find(items, "obj1"), find(items, "obj2")
        if not self._compare or not operator or first is None or second is None:
            raise ObjectError(ResultCode.errAEBadTestKey)
        with self._known_as(EXAMINED, token):
            operands = [
                self._resolve(value, flags) if value.type in (OBJECT, EXAMINED) else value
                for value in (first, second)
            ]
        with self._descriptors(*operands, Descriptor(NULL)) as (one, other, result):
            arguments = operator, one, other, result
            _check(int(self.host.call_guest(self._compare, _COMPARE, *arguments)))
            return bool(self.guest.u8(result))

    def _combined(self, items: list[Item], token: Descriptor, flags: int) -> bool:
        terms = find(items, "term")
        if terms is None:
            raise ObjectError(ResultCode.errAENoSuchLogical)
        passed = (self._passes(item.value, token, flags) for item in parts_of(terms, LIST))
        match code_in(items, "logc"):
            case "AND ":
                return all(passed)
            case "OR  ":
                return any(passed)
            case "NOT ":
                return not all(passed)
        raise ObjectError(ResultCode.errAENoSuchLogical)


def _listed(tokens: list[Descriptor]) -> Descriptor:
    items = [Item(_NO_KEYWORD, token) for token in tokens]
    return Descriptor(LIST, Container(items=items).data())
