"""GraftPlaces functions of a port's source into the memory of the old program that runs."""
