#!/usr/bin/env python3
"""Checks that the floors of Sources/Tarmac hold: the kernel names no room, and a room names another one only where ROOMS allows it.

A reference is a type that is declared at the top level of one room alone and named in a file of another place.
"""
import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2] / "Sources/Tarmac"

# A room, and the rooms it may name.
ROOMS = {
    "Auth": set(),
    "Cache": set(),
    "Groups": {"Presentation"},
    "Outbox": {"Resilience", "Transfer"},
    "Presentation": set(),
    "Resilience": set(),
    "Transfer": {"Resilience"},
}
# What an everyday room brings to `explain` stands above all of them.
ABOVE = {"EverydaySettings.swift"}
# References that are still there, each with its reason. The list may only become shorter.
KNOWN: dict[tuple[str, str], str] = {}

DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))? )*(?:public |package |final |open |indirect |nonisolated )*"
    r"(?:struct|class|enum|protocol|actor|typealias) (\w+)", re.M)


def place(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    if parts[0] == "Kernel":
        return "Kernel"
    if parts[0] == "Rooms":
        return parts[1]
    return "above" if path.name in ABOVE else "nowhere"


def code(text: str) -> str:
    """The text without comments and without the insides of strings."""
    text = re.sub(r"//[^\n]*", "", text)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def main() -> int:
    files = {path: code(path.read_text()) for path in sorted(ROOT.rglob("*.swift"))}
    faults = [f"{path.relative_to(ROOT.parents[1])}: belongs neither to Kernel nor to a room" for path in files if place(path) == "nowhere"]
    faults += [f"Sources/Tarmac/Rooms/{name}: no room of scripts/support/floors.py" for name in
               {place(path) for path in files} - set(ROOMS) - {"Kernel", "above", "nowhere"}]
    owners = defaultdict(set)
    for path, text in files.items():
        for name in DECLARATION.findall(text):
            owners[name].add(place(path))
    seen = set()
    for path, text in files.items():
        here = place(path)
        if here in ("above", "nowhere"):
            continue
        allowed = {here, "Kernel"} | ROOMS.get(here, set())
        for name in sorted(set(re.findall(r"\b[A-Z]\w+", text))):
            homes = owners.get(name, set())
            # A nested type of the same name elsewhere makes a name ambiguous; such a name says nothing.
            if len(homes) != 1 or homes <= allowed or re.search(rf"\b(?:struct|class|enum|case|typealias|associatedtype) {name}\b", text):
                continue
            key = (str(path.relative_to(ROOT)), name)
            seen.add(key)
            if key not in KNOWN:
                faults.append(f"{path.relative_to(ROOT.parents[1])}: names {name} of the room {next(iter(homes))}")
    faults += [f"scripts/support/floors.py: {path} does not name {name} any more" for path, name in sorted(set(KNOWN) - seen)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
