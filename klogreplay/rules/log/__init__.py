"""KR9xx: rules about what the log itself lacks."""
