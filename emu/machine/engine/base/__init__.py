"""Unicorn opened: its models, native functions, registers and memory, the watchdog."""
