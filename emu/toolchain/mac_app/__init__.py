"""Builds Mac applications with only Debian's cross compilers and macproof's own runtime."""
