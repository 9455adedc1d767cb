"""Three classes of the paper on stateful testing, each with a fault that random testing hardly meets."""
