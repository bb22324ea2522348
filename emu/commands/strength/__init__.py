"""The commands that say how far a verdict goes: how strong its scenes are, or for which inputs."""
