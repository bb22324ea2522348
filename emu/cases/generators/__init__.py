"""Makes inputs of kinds that chance alone seldom makes."""
