"""Which values are right: what a reference, an old program or a library answers."""
