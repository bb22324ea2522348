"""The Resource Manager, and templates read from resources."""
