"""What a quick script does with a klog file: two regular expressions on each line, and nothing else.

`python benchmarks/two_regexes.py FILE` prints the number of lines that have a header.
"""

from __future__ import annotations

import re
import sys

HEADER = re.compile(
    r"([IWEF])(\d{2})(\d{2}) (\d{2}:\d{2}:\d{2}\.\d{6})\s+(\d+) ([^:\]]+):(\d+)\] (?:\"((?:[^\"\\]|\\.)*)\"|(.*))"
)
PAIR = re.compile(r"(\S+?)=(\"(?:[^\"\\]|\\.)*\"|\S+)")


def main(path: str) -> int:
    found = 0
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            match = HEADER.match(line)
            if match is not None:
                dict(PAIR.findall(line, match.end()))
                found += 1
    return found


if __name__ == "__main__":
    print(main(sys.argv[1]))
