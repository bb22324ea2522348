"""A case's call with inputs that are not known: laid, answered, compared, and replayed."""
