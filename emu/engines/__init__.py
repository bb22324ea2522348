"""Engines beside Unicorn. They execute the same bytes, and know nothing of cases and scenes."""
