"""A session as a summary on the terminal and as a JSON file."""
