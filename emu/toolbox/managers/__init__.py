"""The managers of the Toolbox, a room each."""
