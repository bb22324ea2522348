"""Icons: colour icons, families of icons, and suites."""
