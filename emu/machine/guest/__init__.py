"""What a guest program has, as Python sees it: values, globals, functions, callbacks."""
