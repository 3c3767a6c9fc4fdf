#!/usr/bin/env python3
"""Holds the loops of the sources that wait against loops.txt, where each has an end and a test.

A loop that waits is `while` or `repeat` with an `await` in it: its turns depend on a server, a store or a clock. One that
binds what `next()` returns, and `for await`, end with what they read. A function that starts itself again by a task or a timer is no loop
of the language: its row begins its end with "again:". A row names a test that is in Tests.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
table = pathlib.Path(__file__).with_name("loops.txt")
LOOP = re.compile(r"^\s*(\w+: )?(while\b.*\{|repeat \{)")
READS = re.compile(r"while let \w+ = (try )?await [\w.]*(next\w*|head)\(")
FUNC = re.compile(r"\bfunc (\w+)|\b(init)\(")


def waiting_loops():
    for path in sorted(root.glob("Sources/**/*.swift")):
        # What an app does not have.
        if {"TarmacBench", "TarmacCLI", "TarmacTesting"} & set(path.parts):
            continue
        lines = path.read_text().split("\n")
        for number, line in enumerate(lines):
            if not LOOP.match(line) or READS.search(line):
                continue
            indent = len(line) - len(line.lstrip())
            body = []
            for following in lines[number + 1:]:
                if following.strip() and len(following) - len(following.lstrip()) <= indent:
                    break
                body.append(following)
            if "await" not in "\n".join([line, *body]):
                continue
            name = next((m for l in reversed(lines[:number]) if (m := FUNC.search(l))), None)
            yield f"{path.relative_to(root / 'Sources')} {name and (name[1] or name[2])}"


def main():
    faults, rows = [], {}
    for number, line in enumerate(table.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("|")]
        if len(parts) != 3 or not all(parts):
            faults.append(f"{table.name}:{number}: not three columns")
            continue
        rows[parts[0]] = (number, parts[2], parts[1].startswith("again:"))
    tests = "\n".join(path.read_text() for path in root.glob("Tests/**/*.swift"))
    found = set(waiting_loops())
    faults += [f"{place}: a loop that waits is not in {table.name}: what ends it, and which test shows that?" for place in sorted(found - rows.keys())]
    for place, (number, test, is_again) in rows.items():
        file, name = place.split()
        is_there = f"func {name}(" in (root / "Sources" / file).read_text() if is_again else place in found
        if not is_there:
            faults.append(f"{table.name}:{number}: there is no such loop: {place}")
        if f"func {test}(" not in tests and f'name: "{test}", end:' not in tests:
            faults.append(f"{table.name}:{number}: there is no such test: {test}")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


sys.exit(main())
