"""Studies of the posts: defects, claims, systems compared; of compilers: their habits."""
