"""Adds to the verdict of a function what changed calls of it show."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from emu.machine.abi import CALLING_CONVENTIONS
from emu.machine.abi.call_form import UNIVERSAL
from emu.port.graft.graft import Graft, GraftedFunction
from emu.port.model import REFUTED, VERIFIED, ClaimedFunction, FunctionVerdict
from emu.port.recording.store import RecordedCall
from emu.port.replay.callees import RepeatedCall
from emu.port.replay.replayer import code_limit
from emu.port.vary.coverage import UnreachedBlock
from emu.port.vary.floats import FloatAt, FloatForm, universal_at
from emu.port.vary.inputs import Moment
from emu.port.vary.model import Change, Variations, VariedDifference, VariedFunction
from emu.port.vary.old_function import old_function
from emu.port.vary.variation import vary
from emu.port.verify.tally import RefutedCall
from emu.port.verify.terms import VaryTerms
from emu.port.verify.verifier import PortVerifier
from emu.port.verify.words import DifferenceWords, DifferentValue, value_words
from emu.program.functions.find_functions import known_functions
from emu.program.model.types import EXTENDED_96
from emu.program.model.wide_floats import Extended

_MOST_PLACES, _MOST_WORDS = 20, 3
_CHANCE = (
    "a changed call differs, but there both functions go by what nobody wrote, so that shows "
    "nothing; no more calls were changed"
)


class ChangedCalls:
    """Changes recorded calls of a port's functions.

    Args:
        verifier: has the recordings and the new functions.
        terms: how they are changed.

    Attributes:
        refuted: the changed calls that refute functions, by their names.
    """

    def __init__(self, verifier: PortVerifier, terms: VaryTerms) -> None:
        self.refuted: dict[str, RefutedCall] = {}
        self._verifier, self._terms = verifier, terms
        self._session = verifier.replayer.session
        self._functions = known_functions(self._session.program)
        self._by_place = {one.place: one for one in self._functions.functions}

    def verdict(
        self,
        function: ClaimedFunction,
        among: Sequence[ClaimedFunction],
        verdict: FunctionVerdict,
    ) -> FunctionVerdict:
        """The verdict with what changed calls add; one that is refuted or unknown stays as it is.

        Args:
            function: the function.
            among: the functions that are linked with it.
            verdict: what recorded calls have shown.

        Raises:
            ToolMissingError: llvmlite is not installed.
        """
        old = self._by_place.get(function.place)
        is_due = verdict.verdict == VERIFIED or function.name in self._verifier.idle
        if not is_due or old is None:
            return verdict
        runs: defaultdict[str, list[RecordedCall]] = defaultdict(list)
        numbers: dict[int, int] = {}
        for number, call in enumerate(self._verifier.store.calls(function.place), 1):
            runs[call.script].append(call)
            numbers[id(call)] = number
        found: list[Variations] = []
        for script, calls in runs.items():
            graft = self._verifier.graft(script, among)
            assert graft is not None  # the function is verified
            new = graft.functions[function.name]
            own = [call for call in calls if call.entry == new.old]
            amount = -(-self._terms.amount // len(runs))
            facts = old_function(self._functions, old)
            varied = VariedFunction(
                facts,
                new.address,
                self._verifier.comparison(new),
                self._session.frames.callee_bytes(new.arguments),
                self._objects(script),
                new.scratch,
                self._verifier.own_faults.blame,
                self._floats(graft, new, script),
            )
            found.append(vary(self._verifier.replayer, own, varied, amount, self._terms.seed))
            refutation = found[-1].refutation
            if refutation is not None:
                number = numbers[id(refutation.call)]
                refuted = self._refuted(refutation, number, new, graft)
                if self._is_chance(refuted):
                    found[-1] = replace(found[-1], refutation=None, remark=_CHANCE)
                    continue
                self.refuted[function.name] = refuted
                reason = self._verifier.sentence(refuted)
                verdict = replace(verdict, verdict=REFUTED, reason=reason)
                break
        return _with(verdict, found)

    def _is_chance(self, refuted: RefutedCall) -> bool:
        """Whether both functions go by what nobody wrote, as a recorded call of the old did."""
        new = refuted.function
        return new.name in self._verifier.going_by_chance and self._verifier.own_faults.is_chance(
            refuted.terms, new.address, refuted.new, self._verifier.comparison(new)
        )

    def _objects(self, script: str) -> tuple[range, ...]:
        """Where the port's globals were in a run."""
        address_of = self._verifier.places(script).address_of
        return tuple(
            range(address, address + one.size)
            for one in self._verifier.port.claims.globals
            if one.size and (address := address_of(one.place)) is not None
        )

    def _floats(self, graft: Graft, new: GraftedFunction, script: str) -> FloatAt:
        """What tells floats among what a function reads: its parameters and the port's globals."""
        convention = CALLING_CONVENTIONS[self._verifier.port.project.convention]
        is_universal = getattr(convention, "wide_cast", None) == UNIVERSAL
        is_universal &= self._verifier.port.project.double == EXTENDED_96.size

        words = self._verifier.words(script, graft)
        arguments: dict[int, list[DifferentValue]] = {}

        def float_at(moment: Moment, address: int) -> tuple[int, FloatForm | None] | None:
            if moment.pointer not in arguments:
                arguments[moment.pointer] = self._arguments(moment.call, new, graft)
            given = arguments[moment.pointer]
            inside = (a for a in given if not a.place and 0 <= address - a.address < a.size)
            value = next(inside, None) or words.values([address])[0]
            kind = value.float_type
            if kind is not None and (kind.wide is None or kind.wide.number is Extended):
                return value.address, FloatForm(kind, is_universal and kind.size == 12)
            return universal_at(moment, address) if is_universal else None

        return float_at

    def _refuted(
        self, refutation: VariedDifference, number: int, new: GraftedFunction, graft: Graft
    ) -> RefutedCall:
        """A changed call that the new function answers otherwise."""
        replayer, call = self._verifier.replayer, refutation.call
        changed = {c.address: c.after for c in refutation.changes if not c.register}
        registers = {
            c.address: int.from_bytes(c.after, "big") for c in refutation.changes if c.register
        }
        old = replayer.run(call, new.old, changed=changed, registers=registers)
        outcome = replayer.run(
            call,
            new.address,
            changed=changed,
            registers=registers,
            most_code=code_limit(old.code),
        )
        words = self._verifier.words(call.script, graft)
        changes = ", ".join(
            self._change(change, call, new, graft, words) for change in refutation.changes
        )
        terms = RepeatedCall(call, changed, registers)
        return RefutedCall(number, terms, new, graft, old, outcome, refutation.divergence, changes)

    def _change(
        self,
        change: Change,
        call: RecordedCall,
        new: GraftedFunction,
        graft: Graft,
        words: DifferenceWords,
    ) -> str:
        """A change in words: "count = 3 (was 1)"."""
        arguments = self._arguments(call, new, graft)
        end = change.address + len(change.after)
        if change.register:
            unknown = DifferentValue(change.address, 4, f"register {change.register}")
            value = next((a for a in arguments if a.place == change.register), unknown)
            after, before = (value_words(value, part) for part in (change.after, change.before))
            return f"{value.name} = {after} (was {before})"
        values: dict[int, DifferentValue] = {}
        for at in range(change.address, end):
            inside = (a for a in arguments if not a.place and 0 <= at - a.address < a.size)
            value = next(inside, None) or words.values([at])[0]
            values.setdefault(value.address, value)
        texts = []
        for value in values.values():
            content = self._recorded(call, value.address, value.size)
            changed = bytearray(content)
            for at in range(value.address, value.address + value.size):
                if change.address <= at < end:
                    changed[at - value.address] = change.after[at - change.address]
            now, was = value_words(value, bytes(changed)), value_words(value, content)
            texts.append(f"{value.name} = {now} (was {was})")
        return ", ".join(texts)

    def _recorded(self, call: RecordedCall, address: int, size: int) -> bytes:
        """Bytes of memory at the beginning of a call."""
        return Moment(self._verifier.replayer, call).read(address, size) or bytes(size)

    def _arguments(
        self, call: RecordedCall, new: GraftedFunction, graft: Graft
    ) -> list[DifferentValue]:
        """The arguments of a call, as the new source calls them; their place is their register.

        Bytes of arguments that the source does not name follow.
        """
        frames, found = self._session.frames, []
        start = frames.pointer_in(call.registers) + frames.arguments_start
        project = self._verifier.port.project
        signature = next(
            (s for s in graft.program.signatures.get(new.name, ()) if s.result_type == new.result),
            None,
        )
        if signature is not None:
            cpu = self._verifier.replayer.session.mac.cpu
            kinds = [parameter.type for parameter in signature.parameters]
            form = CALLING_CONVENTIONS[project.convention].form(cpu, kinds, new.result)
            for parameter, value in zip(signature.parameters, form.parameters, strict=True):
                is_signed = parameter.type.dtype.kind == "i"
                found += [
                    DifferentValue(
                        start + piece.at,
                        piece.size,
                        parameter.name,
                        is_signed,
                        piece.register,
                        value.float_type(parameter.type),
                    )
                    for piece in value.pieces
                ]
        return found + [
            DifferentValue(start + at, 1, f"argument byte {at}") for at in range(new.arguments)
        ]


def _with(verdict: FunctionVerdict, found: Sequence[Variations]) -> FunctionVerdict:
    """A verdict with counts, coverage and remarks of changed calls."""
    if not found:
        return verdict
    dropped: Counter[str] = Counter()
    unreached: dict[str, UnreachedBlock] = {
        block.place: block for block in found[0].coverage.unreached
    }
    for one in found:
        dropped.update(one.dropped)
        places = {block.place for block in one.coverage.unreached}
        unreached = {place: block for place, block in unreached.items() if place in places}
    blocks = found[0].coverage.blocks
    remarks = [one.remark for one in found if one.remark]
    if dropped:
        reasons = ", ".join(f"{count:,}: {why}" for why, count in sorted(dropped.items()))
        remarks.append(f"changed calls that were left out: {reasons}")
    for block in list(unreached.values())[:_MOST_WORDS]:
        remarks.append(f"no call reaches {block.place}" + (f": {block.words}" * bool(block.words)))
    return replace(
        verdict,
        varied=sum(one.compared for one in found),
        blocks=blocks,
        reached=blocks - len(unreached),
        unreached=tuple(unreached)[:_MOST_PLACES],
        remarks=(*verdict.remarks, *remarks),
    )
