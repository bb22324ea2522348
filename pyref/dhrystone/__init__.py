"""The Dhrystone benchmark and the scenes it is called on."""
