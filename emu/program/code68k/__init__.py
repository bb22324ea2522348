"""The CODE resources of 68K applications."""
