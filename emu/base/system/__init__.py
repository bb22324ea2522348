"""What differs between the operating systems that macproof runs on."""
