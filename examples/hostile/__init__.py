"""Ten modules of small helpers. Some of them are not to be called without a sandbox."""
