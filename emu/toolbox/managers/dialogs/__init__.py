"""The Dialog Manager: dialogs and alerts."""
