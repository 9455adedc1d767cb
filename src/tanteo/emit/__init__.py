"""Sequences as source."""
