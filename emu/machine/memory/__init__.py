"""Guest memory: where what lies, what it holds at first, and what surrounds a call."""
