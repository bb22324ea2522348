"""What a command has to say: a `Document`, and one renderer for each form it can take.

A room that has results makes a `Document` of them; this room knows documents and nothing of what
is in them. Every form (terminal, JSON, JUnit, Markdown, HTML) is made from the same document, so
none of them can say more than another.
"""
