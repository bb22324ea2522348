"""Types and prototypes for a program without debugging information: from a header or a case."""
