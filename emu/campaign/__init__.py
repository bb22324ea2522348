"""Long verifications in shards, which go on where they were interrupted."""
