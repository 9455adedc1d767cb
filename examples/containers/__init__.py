"""Four textbook containers that can record which shapes reached which branch."""
