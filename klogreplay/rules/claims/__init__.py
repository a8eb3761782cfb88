"""KR3xx: rules about resource claims."""
