"""Why a function of a port is refuted: what the new one does differently first."""
