"""Types and prototypes that a program does not hold, and a header or a case gives."""
