"""The Event Manager, the keyboard, and the Desk Manager."""
