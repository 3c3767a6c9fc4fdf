"""House rules a formatter cannot see. Prints path:line: what is wrong; exits 1 when anything is."""

import pathlib
import re
import subprocess
import sys

# What the compiler no longer checks needs a reason; what nobody awaits needs an end.
UNCHECKED = re.compile(r"@unchecked\s+Sendable|nonisolated\(unsafe\)")
UNSTRUCTURED = re.compile(r"\bTask\s*\{|\bTask\s*\(|\bTask\.detached\b|\bTask\.immediate\b|\bTask\s*<[^>]*>\s*\{")
REASON = re.compile(r"\b(SAFETY|LIFETIME)\b")
ABOVE, INSIDE = 10, 4

EVERYWHERE = [
    (re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b"), "unfinished work belongs into an issue"),
    (re.compile(r"(?<![\w.:/])/(?:Users|home|work|private/tmp)/\w"), "a path of one machine"),
]
SOURCES = [
    (re.compile(r"@_exported|@_spi(?!\(TarmacRooms\))|@_implementationOnly|@preconcurrency import"), "an import or attribute the house does without"),
    (re.compile(r"\b(NSLock|NSRecursiveLock|pthread_mutex_t|os_unfair_lock|DispatchSemaphore)\b"), "locks go through Locked"),
    (re.compile(r"^\s*print\("), "a library does not print"),
]
# Names of types that are images. “Line” is not among them: a line of text is one.
IMAGE = re.compile(r"\b(?:struct|class|enum|actor|protocol|typealias)\s+\w*(?:Visit|Shelf|Trip|Veil|Eye|Patience)s?\b")
# The files that are the exception to a rule above, and what they are.
EXCEPT = {
    "Sources/TarmacHTTP/Support/CLibrary.swift": "locks go through Locked",
    # TarmacJSON stands alone, without the kernel's lock.
    "Sources/TarmacJSON/Memory/DocumentLock.swift": "locks go through Locked",
    "Sources/TarmacMasking/Names/PlatformLock.swift": "locks go through Locked",
    "Sources/Tarmac/Exports.swift": "an import or attribute the house does without",
    "Sources/TarmacCore/Exports.swift": "an import or attribute the house does without",
    "Sources/TarmacTesting/Conformance/TransportConformance.swift": "a library does not print",
    "Sources/TarmacLog/ConsoleLogger.swift": "a library does not print",
}
# Where TarmacJSON, whose compiler setting makes it mark them, may have unsafe constructs.
UNSAFE = re.compile(r"\bunsafe\b|\bUnsafe\w*Pointer\b|\bunsafeBitCast\b|@unchecked")
UNSAFE_PLACES = ("Sources/TarmacJSON/Memory/", "Sources/TarmacJSON/Document/JSONDocument.swift")
LONGEST = 500
# What Linux cannot compile holds calls alone, and few of them.
LONGEST_FOR_APPLE = 150


def tracked(*suffixes):
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True, check=True)
    paths = [pathlib.Path(line) for line in listing.stdout.splitlines()]
    return [path for path in paths if path.suffix in suffixes and path.is_file()]


def code_of(line):
    """The line without its comment; good enough for what is searched here."""
    return re.split(r"(?<!:)//", line, maxsplit=1)[0]


def missing_reason(lines, index):
    """Whether no SAFETY or LIFETIME stands within reach of a line, above it or inside what it opens."""
    near = lines[max(0, index - ABOVE): index + INSIDE + 1]
    return not any(REASON.search(line) for line in near)


def faults_of(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    name = str(path)
    is_library = name.startswith("Sources/") and not re.match(r"Sources/Tarmac(CLI|Bench)/", name)
    rules = EVERYWHERE + (SOURCES if is_library else [])
    # Data made by a script is as long as it is.
    is_made = bool(lines) and lines[0].startswith("// Made by scripts/")
    if len(lines) > LONGEST and not is_made:
        yield len(lines), f"longer than {LONGEST} lines"
    if "Darwin" in path.parts and len(lines) > LONGEST_FOR_APPLE:
        yield len(lines), f"longer than {LONGEST_FOR_APPLE} lines: a file for Apple platforms holds calls and no decisions"
    is_bounded = name.startswith("Sources/TarmacJSON/") and not name.startswith(UNSAFE_PLACES)
    if name.startswith(UNSAFE_PLACES[0]) and not any("SAFETY:" in line for line in lines):
        yield 1, "no SAFETY: comment argues what bounds the pointers of this file"
    for index, line in enumerate(lines):
        code = code_of(line)
        if name.startswith("Sources/") and IMAGE.search(code):
            yield index + 1, "a type is named by the field, not by an image"
        if is_bounded and UNSAFE.search(code):
            yield index + 1, "unsafe constructs of TarmacJSON stand in its folder Memory"
        for pattern, why in rules:
            text = line if (pattern, why) in EVERYWHERE else code
            if pattern.search(text) and EXCEPT.get(name) != why:
                yield index + 1, why
        # Tests and benchmarks await their tasks; what they mark unchecked needs the reason all the same.
        ships = name.startswith("Sources/") and not name.startswith("Sources/TarmacBench/")
        risky = UNCHECKED.search(code) or (ships and UNSTRUCTURED.search(code))
        if risky and missing_reason(lines, index):
            yield index + 1, "no SAFETY: or LIFETIME: comment says why it holds or who ends it"


def main():
    count = 0
    for path in tracked(".swift"):
        if path.parts[0] not in ("Sources", "Tests", "Package.swift"):
            continue
        for line, why in faults_of(path):
            print(f"{path}:{line}: {why}")
            count += 1
    sys.exit(1 if count else 0)


main()
