"""From a trap or an import to the method that does its work."""
