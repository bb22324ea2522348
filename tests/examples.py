"""How many examples a property is tried with."""

from hypothesis import settings

_USUAL = 100
"""What Hypothesis makes, unless a profile says otherwise."""


def examples(count: int) -> int:
    """A number of examples in the profile that is loaded: an eighth of it in the quick one."""
    return max(count * settings().max_examples // _USUAL, 1)
