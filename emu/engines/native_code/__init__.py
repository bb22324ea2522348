"""The engine translated: a program's code as native code, in a process of its own.

`engine` makes the calls, `process` drives the process and `driver` is what runs in it. `kept` has
translations in the cache. What is not translated is left to Unicorn.
"""
