"""Tests of the reference scheduling queue."""
