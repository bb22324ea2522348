"""What is installed on this computer, and what is not possible without the rest."""
