#!/usr/bin/env python3
"""Finds questions of the kind "do all of these …?" over what may be empty, where the answer is yes.

A server that states nothing, a file without entries and a setting that is not given agree with everything. Characters of a text are left out;
so are lines that count the elements as well. Every other line is in `EMPTY`, with the meaning that an empty collection has there.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = {"TarmacBench", "TarmacTesting", "TarmacCLI"}
TEXT = re.compile(r"(?:utf8|unicodeScalars)\.allSatisfy|is(?:Digit|HexDigit|Whitespace|Number|WholeNumber|Word|Space)\b|0x|UInt8\(ascii")
COUNTED = re.compile(r"\.isEmpty|\bcount (?:==|>|<)")
# Part of a line, and the meaning of an empty collection.
EMPTY = {
    "left.parameters.allSatisfy": "both have none: their counts are compared on the line above",
    "components.allSatisfy(covered.contains)": "the lists are constants of one or two",
    "(0..<bits).allSatisfy": "a prefix of no bits is every address, as /0 says",
    "names.indices.allSatisfy": "a variant without Vary fits every request",
    "ranges.dropFirst().allSatisfy": "the first one is the only one",
    "members.allSatisfy { key, value in": "both objects are empty: their counts are compared",
    "digits.suffix(Int(-exponent)).allSatisfy": "the exponent is 0, and the number has no fraction",
    "set.pattern.claims.allSatisfy": "a pattern has at least one claim",
    'host.split(separator: ".").allSatisfy': "a URL's host is not empty",
    "zip(parameters, parameters.dropFirst()).allSatisfy": "one parameter or none is sorted",
    "$0.readers.values.allSatisfy": "a feed without readers waits for none",
    "segments.allSatisfy { $0.start < $0.end }": "first and last are there, on the lines above",
    "zip(segments, segments.dropFirst()).allSatisfy": "one segment has no neighbour",
    "segments.enumerated().allSatisfy": "first and last are there, on the lines above",
    "parts.allSatisfy(\\.isReplayable)": "a form without parts is bytes of its own",
    "streams.allSatisfy(\\.isSteady)": "a body of no streams is steady",
    "place.principal, place.name].allSatisfy": "four texts",
    "emptyLimit = Self.codings(fields).allSatisfy": "the limit of a body without a coding is not asked for",
    "codings(fields).allSatisfy { decodable": "a body without a coding needs no decoder",
    "target.allSatisfy(isTarget)": "an empty target has nothing to encode",
    "locations.allSatisfy({ $0 == location })": "the first one is there, on the line above",
    "allSatisfy { $0.mainWillStart == nil": "no hooks have none on the main actor",
    "counts.allSatisfy { $0 ?? 0 <=": "three counts",
    'contains { $0.allSatisfy(" \\t".contains) }': "an empty element of a list is what is looked for",
    "state.peers.values.allSatisfy(\\.isAtRest)": "without connections all are at rest",
    "outcomes.allSatisfy { $0.map": "a graph without members has run to its end",
    "dependencies.allSatisfy({ has(": "a member that depends on none can run",
    "(0..<word.utf8CodeUnitCount).allSatisfy": "the words are constants",
    "(0..<count - 1).allSatisfy": "one word alone has none before it",
    "(found.end + 1..<count).allSatisfy": "nothing follows what was found",
    "range.indices.allSatisfy": "the name is not empty",
    "scalars.allSatisfy { scalar in": "a label with characters outside ASCII has some",
    "output.allSatisfy({ ($0 >= 48": "an encoded label is not empty",
}


def main() -> int:
    faults, seen = [], set()
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        if path.relative_to(ROOT / "Sources").parts[0] in SKIPPED:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if "allSatisfy" not in line or TEXT.search(line) or COUNTED.search(line):
                continue
            known = [part for part in EMPTY if part in line]
            seen.update(known)
            if not known:
                faults.append(f"{path.relative_to(ROOT)}:{number}: what does it mean if there are none? Count them, or say it in {Path(__file__).name}")
    faults += [f"{Path(__file__).name}: no line has {part!r}" for part in EMPTY if part not in seen]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


sys.exit(main())
