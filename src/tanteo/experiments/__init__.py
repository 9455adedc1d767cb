"""Studies: many runs by plan, here or on a cluster, and what they say together."""
