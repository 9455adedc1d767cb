"""The session on disk."""
