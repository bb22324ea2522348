"""GDB's remote serial protocol: packets, descriptions of processors, the server."""
