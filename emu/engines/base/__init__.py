"""What several engines need: a process that is driven, and versions of packages."""
