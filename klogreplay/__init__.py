"""A trace-replay debugger for the kube-scheduler's queue."""

__version__ = "0.1.0"
