"""How calls are made: at full speed, slowly, counted, within a number, and on another engine."""
