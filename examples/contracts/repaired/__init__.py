"""Classes that keep their contracts."""
