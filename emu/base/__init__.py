"""What every room may use: errors, files, YAML with line numbers, named functions, workers."""
