"""How far a port is: its functions, their verdicts, and what to port next."""
