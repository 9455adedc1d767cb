"""What to try next. A strategy is any object with `propose`, `learn` and `state`."""
