"""Recorded calls as typed values, which other processors and this computer can be given."""
