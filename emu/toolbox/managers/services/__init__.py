"""Managers that a program asks now and then: help, components, folders, notices."""
