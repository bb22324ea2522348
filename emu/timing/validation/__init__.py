"""Programs of the time run on the cycle models, beside what was published or compiled then."""
