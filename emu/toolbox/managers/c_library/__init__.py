"""The C library, as far as PowerPC programs import it."""
