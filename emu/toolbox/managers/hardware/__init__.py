"""The hardware: its devices, its buses, and what Gestalt says of it."""
