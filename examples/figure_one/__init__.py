"""Ordered sets and read-only views of them."""
