"""The rules: one file each, listed in `klogreplay.rules.registry`."""
