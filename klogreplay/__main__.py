"""`python -m klogreplay`."""

from __future__ import annotations

import sys

from klogreplay.cli import main

if __name__ == "__main__":
    sys.exit(main())
