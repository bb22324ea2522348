"""All cases there are, at one glance."""
