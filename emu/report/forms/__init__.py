"""The forms in which a document is written: HTML, Markdown, a terminal, JUnit XML."""
