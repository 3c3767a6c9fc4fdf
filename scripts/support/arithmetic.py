#!/usr/bin/env python3
"""Finds arithmetic that ends the process when a server, a file or a setting states an extreme number.

Swift traps on overflow, and on a floating-point number that an integer or a `Duration` cannot hold. The patterns are
few, so that each hit is worth reading: integers made of floating-point numbers without a bound on the line, durations
made of differences of dates, the components of durations, whose seconds have 64 bits and not 128, sums of lengths that come from outside, and
counts of a stored record. A line that is
bounded elsewhere is in `BOUNDED`, with the place.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = {"TarmacBench", "TarmacTesting"}

INTEGER = r"(?<![\w.])U?Int(?:8|16|32|64)?\("
FLOATING = r"\.rounded\(|timeInterval|\.time\b.*\* 1|/ (?:Duration)?\.(?:seconds|milliseconds|microseconds)\(|\w - \w+\) / \w|(?:\bfraction|\bspeed|\brate|\bseconds) \*"
BOUND = re.compile(r"\bmin\(|\bmax\(|clamping:|exactly:|Clamped|\.clamped\b|withinACentury|storedSeconds")
PATTERNS = [
    (re.compile(rf"{INTEGER}[^\n]*(?:{FLOATING})"), "an integer is made of a floating-point number without a bound"),
    (re.compile(r"\.seconds\([^)\n]*timeInterval"), "a duration is made of a difference of dates without a bound"),
    (re.compile(r"\.components\.(?:atto)?seconds|seconds\) = [^\n]*\.components\b"), "the components of a duration are taken without a bound"),
    (re.compile(r"\.(?:attempts|arrivals|retries|interruptions) \+ \d"), "a stored count is increased without a bound"),
    (re.compile(r"\.(?:limit|bytes|length|size|total) \+= "), "sizes are added to another without a bound"),
    (re.compile(r"\.reduce\((?!0\)|\()[^)]*\) \{ \$0 \+ "), "lengths are added to another without a bound"),
]
# Part of a line, and the place of its bound.
BOUNDED = {
    "Int((fraction * Double(room))": "TransferProgress.fraction is 0 to 1",
    "Int(fraction * 100)": "TransferProgress.fraction is 0 to 1",
    "Int(elapsed.seconds * 10)": "the time since the program started",
    "let tenths = Int((value * 10).rounded())": "a 64-bit number of bytes in TiB",
    "UInt64((bytes.count - place) / 4)": "compared with the count of bytes",
    "state.size += item.size": "lengths in memory",
    "state.size += Int64(chunk.count)": "bytes that were received",
    "path[last].object.size += size": "each sum is bounded, three lines below",
    "state.length += Int64(bytes.count)": "bytes that were received",
    "record.attempts + 1": "bounded in `OutboxRecord`",
    "var end: Double": "a floating-point sum",
    "var steps: Int {": "counts in memory",
    "var waiting: Int { queues": "counts in memory",
    "unfinished.reduce(output.count": "lengths in memory",
    "attributes.reduce(open.last?": "counts in memory",
    "Int((rounded * 1000).rounded())": "within `range`, two lines above",
    "var unixSeconds: Int64": "the client's own clock",
    "Int64((timestampUnit == .seconds": "the client's own clock",
    "time: Int64(date.timeIntervalSince1970": "the client's own clock",
    ".microseconds(Int64((value * 1_000)": "bounded in `Milliseconds.init`",
    "now: Int64(Date().timeIntervalSince1970)": "the client's own clock",
    "let wanted = Int((Double(total) * percentile)": "at most a thousand requests, and a part of 1",
    "Int64(clock().timeIntervalSince1970 * 1e6)": "the client's own clock",
    "Self.lifetime.components": "a constant",
    "let stamp = Int64(Date().timeIntervalSince1970)": "the client's own clock",
}


def faults(path: Path) -> list[str]:
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        code = line.split("//", 1)[0]
        if BOUND.search(code) or any(part in code for part in BOUNDED):
            continue
        found += [f"{path.relative_to(ROOT)}:{number}: {reason}: {code.strip()}" for pattern, reason in PATTERNS if pattern.search(code)]
    return found


PLANTED = [
    ("let number = Int((now - start) / .seconds(1))", 1), ("Int64(date.timeIntervalSince1970)", 1), ("Int(max(0, min(1e9, age.rounded())))", 0),
    ("let number = Int((now - start) / slice)", 1), ("attempts: entry.attempts + 1", 1), ("flights.reduce(longest) { $0 + $1.missing }", 1), ("names.reduce(0) { $0 + $1.count }", 0),
    (".seconds(max(date.timeIntervalSince(now), 0))", 0), (".seconds(end.timeIntervalSince(start))", 1), ("Int(text)", 0),
    ("let (seconds, attoseconds) = duration.components", 1), ("let limit = age.components.seconds", 1), ("let all = path.components", 0),
    ("let (seconds, attoseconds) = duration.withinACentury.components", 0),
]


def main() -> int:
    for line, count in PLANTED:
        hits = 0 if BOUND.search(line) else sum(1 for pattern, _ in PATTERNS if pattern.search(line))
        assert hits == count, f"{line}: {hits} hits"
    found = [fault for path in sorted((ROOT / "Sources").rglob("*.swift")) if path.relative_to(ROOT).parts[1] not in SKIPPED for fault in faults(path)]
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
