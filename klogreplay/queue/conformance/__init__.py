"""Replays recordings of a real scheduling queue through the model and compares every state (see `__main__`)."""
