"""The calls that a verification makes besides those that it judges."""
