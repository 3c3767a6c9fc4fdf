#!/usr/bin/env python3
"""Counts and names the entry points that start work, and fails if there are more than MOST.

An entry point is a public function that sends or starts something: of a client, a service, a sender of calls, a held call, a slot, an
outbox, a socket or a work value. Overloads count separately. Functions that return a work, a call to start later or a sequence that is
read later count too, because an app finds them in the same list.

    scripts/support/entries.py          prints the number, or what is too many
    scripts/support/entries.py --list   prints each with its file
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST = 45
# The types on which an app starts something.
STARTERS = {
    "Client", "CallSender", "ServiceClient", "Call", "AnyCall", "CallSlot", "Work", "Endpoint", "Batch", "RequestChain", "RequestGraph",
    "Download", "Upload", "ClientWork", "Outbox", "InlineEndpoint", "ConfiguredEndpoint", "ReformedEndpoint",
}
# The names of functions that start something. The others of these types describe, read, cancel or change.
VERBS = {
    "send", "landed", "start", "startAnywhere", "call", "run", "get", "head", "post", "put", "patch", "delete", "options", "download",
    "upload", "startDownload", "startUpload", "batch", "chain", "stream", "events", "lines", "records", "pages", "updates",
    "enqueue", "presenting", "prefetch", "refresh", "webSocket", "connect", "terminate", "sending", "load", "revalidate",
}
# Rooms without calls of an app.
OUTSIDE = {"TarmacTesting", "TarmacBench", "TarmacCLI", "TarmacInspector"}
SCOPE = re.compile(r"^(public |open |package |private |fileprivate |internal |final |@\S+ )*(extension|struct|class|protocol|actor|enum)\s+([\w.]+)")
FUNCTION = re.compile(r"^    (?:@\S+(?:\([^)]*\))? )*(?:nonisolated\(nonsending\) |nonisolated )?public (?:override )?(?:final )?(static )?func (\w+)")
SPI = re.compile(r"@_spi\(")


def entries() -> list[tuple[str, str, str]]:
    """The type, the name with its labels and the place of each entry point."""
    found = []
    for file in sorted((ROOT / "Sources").rglob("*.swift")):
        room = file.relative_to(ROOT / "Sources").parts[0]
        if room in OUTSIDE:
            continue
        lines = file.read_text().splitlines()
        scope, isSPI = None, False
        for number, line in enumerate(lines):
            if opened := SCOPE.match(line):
                scope, isSPI = opened.group(3), bool(SPI.search(line) or (number and SPI.search(lines[number - 1])))
            # An override is the function it overrides. A static one makes an endpoint and starts nothing.
            joined = line if "func " in line else ""
            function = FUNCTION.match(joined)
            if not function or function.group(1) or isSPI or scope not in STARTERS or "override" in line or SPI.search(line):
                continue
            if function.group(2) in VERBS:
                found.append((scope, function.group(2) + labels(lines, number), f"{file.relative_to(ROOT)}:{number + 1}"))
    return found


def labels(lines: list[str], number: int) -> str:
    """The labels of a function's parameters, as in `(_:owner:)`."""
    text = " ".join(lines[number : number + 12])
    text = text[text.index("func ") :]
    depth, angle, start, parts = 0, 0, None, []
    for place, letter in enumerate(text):
        if letter in "([{":
            depth += 1
            if depth == 1 and start is None:
                start = place + 1
        elif letter in ")]}":
            depth -= 1
            if depth == 0:
                parts.append(text[start:place])
                break
        elif depth == 1 and letter == "<":
            angle += 1
        elif depth == 1 and letter == ">" and text[place - 1] != "-":
            angle -= 1
        elif letter == "," and depth == 1 and angle == 0:
            parts.append(text[start:place])
            start = place + 1
    names = [part.split()[0].rstrip(":") for part in parts if part.strip()]
    return "(" + "".join(f"{name}:" for name in names) + ")"


def main() -> int:
    found = entries()
    if "--list" in sys.argv:
        for scope, name, place in sorted(found):
            print(f"{scope + '.' + name:75} {place}")
    if len(found) > MOST:
        print(f"entry points: {len(found)} functions start work, more than {MOST}: scripts/support/entries.py --list names them")
        return 1
    if "--list" in sys.argv or sys.stdout.isatty():
        print(f"entry points: {len(found)} of at most {MOST}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
