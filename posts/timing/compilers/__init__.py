"""Speeds that were published, predicted by compilers that were measured on other programs."""
