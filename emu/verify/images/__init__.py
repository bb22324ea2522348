"""Images of guest memory: scenes and answers, written to the places that a program has for them.

An image is a copy of all data memory of the program, uint8 of shape (image size,). Scenes go in;
`SceneImages` and then `ExpectedImages` come out, which the room ``batches`` calls and compares.
"""
