"""Commands about whole programs: build, inspect, run, put on a disk, read results."""
