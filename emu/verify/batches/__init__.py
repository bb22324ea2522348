"""Batches of calls: made on the images of scenes, and compared with what they should leave."""
