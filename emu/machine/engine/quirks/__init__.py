"""Workarounds: what macproof does because the engine does it wrongly, or not at all."""
