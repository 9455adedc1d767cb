"""Classes with contracts, twice: correct in `repaired`, with seeded defects in `defective`."""
