"""Guest instructions executed on terms, along every path that inputs can take."""
