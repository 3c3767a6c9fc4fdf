#!/usr/bin/env python3
"""Counts the English words of the Markdown that people write, as `wc -w` does, code included. Chinese pages, pages made by scripts and the
tables that scripts/fault-storm writes into a page do not count.

    scripts/support/words.py           fails if there are more than MOST, and names the longest pages
    scripts/support/words.py --list    prints every page with its words, the longest first
"""
import re
import subprocess
import sys
from pathlib import Path

MOST = 74_750
CHINESE = ".zh-CN.md"
# Written by scripts/seed-coverage, scripts/tables, scripts/bench growth and leaks, and scripts/api.
MADE = {"Documentation/SeedParity.md", *(f"Documentation/Reference/{name}.md" for name in ("Settings", "Errors", "Events", "Stages", "Growth"))}
MADE_FOLDERS = ("Documentation/API/",)
MADE_PART = re.compile(r"<!-- storm (\w+): begin -->.*?<!-- storm \1: end -->", re.DOTALL)
NAMED = 10


def pages() -> list[tuple[int, str]]:
    """(words, page), the longest first."""
    names = subprocess.run(["git", "ls-files", "-z", "*.md"], capture_output=True, text=True, check=True).stdout.split("\0")
    counted = (name for name in names if name and not name.endswith(CHINESE) and name not in MADE and not name.startswith(MADE_FOLDERS))
    return sorted(((len(MADE_PART.sub("", Path(name).read_text(encoding="utf-8")).split()), name) for name in counted if Path(name).is_file()), reverse=True)


def main() -> int:
    found = pages()
    total = sum(words for words, _ in found)
    if "--list" in sys.argv[1:]:
        print(*(f"{words:6,} {name}" for words, name in found), f"{total:6,} in all", sep="\n")
        return 0
    if total <= MOST:
        return 0
    print(f"The English pages have {total:,} words, and {MOST:,} are allowed. The longest:")
    print(*(f"{words:6,} {name}" for words, name in found[:NAMED]), sep="\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
