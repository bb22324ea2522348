"""The computer round a manager: host, settings, clock, outputs, declared routines."""
