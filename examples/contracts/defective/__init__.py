"""The same classes with seeded defects, each of which breaks a contract or raises an exception."""
