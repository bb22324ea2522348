"""What a museum adds to macproof: what there is, and nothing that takes long to import."""

from macproof import Command

MUSEUM = Command("say in how many rooms of the museum a case is shown", "museum.rooms")
