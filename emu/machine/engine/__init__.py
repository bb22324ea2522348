"""The execution engine: the only package that knows Unicorn.

There are three engines, which share one guest memory. The *fast* engine runs scenes by the
thousand; it has only one hook, which answers page faults. The *traced* engine runs a single call
again, counts blocks, keeps the last ones, enforces the budget and says exactly which access failed.
In both, every run begins with the processor as it was when the engine was opened. The *hosted*
engine runs a whole program and stops at every trap, so that Python can answer it. Each defect of
Unicorn 2.1.4 that is worked around here has a test in ``tests/machine/test_engine_pitfalls.py``.
"""
