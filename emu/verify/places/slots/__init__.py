"""Places of single values: fields, arguments of a call, and what callbacks leave."""
