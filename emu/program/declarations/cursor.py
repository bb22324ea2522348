"""Goes through the tokens of a source, and says what is missing where."""

from __future__ import annotations

from collections.abc import Sequence

from emu.program.declarations.tokens import CToken, DeclarationError, SourceText

_CLOSING = {"(": ")", "[": "]", "{": "}"}


class TokenCursor:
    """A place among tokens.

    Args:
        tokens: the tokens.
        source: what they stand in, for messages about its end.

    Attributes:
        next: the number of the next token.
    """

    def __init__(self, tokens: Sequence[CToken], source: SourceText) -> None:
        self.tokens = tokens
        self.next = 0
        self._source = source

    def word(self, further: int = 0) -> str:
        """The text of a token from the next on; "" behind the last."""
        place = self.next + further
        return self.tokens[place].text if place < len(self.tokens) else ""

    def is_name(self) -> bool:
        """Whether the next token is a word."""
        return self.next < len(self.tokens) and self.tokens[self.next].is_name

    def take(self, *words: str) -> bool:
        """Go on if the next token is one of these; whether it is."""
        is_there = self.next < len(self.tokens) and self.word() in words
        self.next += is_there
        return is_there

    def require(self, word: str, why: str) -> None:
        """Go on if the next token is this one; else it is missing."""
        if not self.take(word):
            raise self.error(f"{word} is missing {why}")

    def name(self, what: str) -> str:
        """The next token, which must be a name."""
        if not self.is_name():
            raise self.error(f"{what} is missing")
        self.next += 1
        return self.tokens[self.next - 1].text

    def error(self, problem: str, at: int | None = None) -> DeclarationError:
        """An error at a token, else at the next one, or at the end."""
        place = self.next if at is None else at
        if place < len(self.tokens):
            return self.tokens[place].error(problem)
        return self._source.error(len(self._source.text.rstrip()), problem)

    def token(self) -> CToken:
        """The next token."""
        return self.tokens[self.next]

    def between(self, start: int) -> str:
        """The words from a token to the next."""
        first = self.tokens[start]
        last = self.tokens[min(self.next, len(self.tokens) - 1)]
        if first.source is last.source and last.at > first.at:
            return " ".join(first.source.text[first.at : last.at].split())
        return first.text

    def skip(self) -> None:
        """Go behind the bracket that closes what the next token opens."""
        start, open_brackets = self.next, 0
        while self.next < len(self.tokens):
            open_brackets += self.word() in _CLOSING
            open_brackets -= self.word() in _CLOSING.values()
            self.next += 1
            if not open_brackets:
                return
        raise self.error(f"{_CLOSING[self.tokens[start].text]} is missing", start)

    def to(self, word: str) -> None:
        """Go to the next token that is this one, or to the end."""
        while self.next < len(self.tokens) and self.word() != word:
            self.next += 1

    def initial_value(self) -> None:
        """Go behind the value that a variable begins with, or the trap words of a routine."""
        if self.take("="):
            while self.word() not in (",", ";", ""):
                if self.word() in _CLOSING:
                    self.skip()
                else:
                    self.next += 1

    def end_of_function(self) -> bool:
        """Go behind the body of a function, or its trap words; whether nothing follows."""
        if self.word() == "{":
            self.skip()
            return True
        if self.is_name() and self.word().endswith("INLINE"):  # as Apple's headers write them
            self.next += 1
            self.skip()
        self.initial_value()
        return False

    def leave_out(self, start: int) -> None:
        """Go behind the declaration that began at a token and was not understood."""
        self.next = start
        while self.next < len(self.tokens):
            if self.word() in _CLOSING:
                is_body = self.word() == "{"
                self.skip()
                if is_body and self.word() not in (";", "=", ",") and not self.is_name():
                    return
            else:
                self.next += 1
                if self.tokens[self.next - 1].text == ";":
                    return
