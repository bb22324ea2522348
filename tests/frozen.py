"""Imported last by the fork server of the tests, whose children leave alone what it has imported.

A child shares the memory of the server until it writes there. A search for garbage writes a mark
into every object that it looks at, and so copies nearly all of it.
"""

import gc

gc.collect()
gc.freeze()
