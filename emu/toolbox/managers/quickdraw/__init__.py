"""QuickDraw, a module for each of its topics."""
