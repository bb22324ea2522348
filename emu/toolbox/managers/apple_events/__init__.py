"""The Apple Event Manager: descriptors, events and their handlers."""
