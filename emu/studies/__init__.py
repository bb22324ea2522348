"""Studies of the posts: defects shown again, claims measured, collision systems compared."""
