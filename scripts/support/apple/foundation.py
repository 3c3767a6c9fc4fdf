"""Foundation for an Apple target: FoundationEssentials as the toolchain prints it, and the rest by hand (shims/Foundation).

FoundationEssentials carries Apple's availability. What it lacks (URLSession, NSError, XMLParser ...) is written after
Apple's headers, as far as Tarmac and its dependencies name it.
"""

import pathlib
import re

HERE = pathlib.Path(__file__).parent
HEADER = """// swift-interface-format-version: 1.0
// swift-compiler-version: {version}
// swift-module-flags: -target arm64-apple-ios16.0 -disable-objc-interop -enable-library-evolution -swift-version 5 -Onone \
-module-name {module} -enable-experimental-feature LifetimeDependence -enable-experimental-feature Lifetimes
"""
IMPORTS = """@_exported import CoreFoundation
@_exported import Darwin
@_exported import Dispatch
@_exported import ObjectiveC
import Security
import Swift
import Synchronization
import _Concurrency
import _StringProcessing
"""


def interface(toolchain):
    parts = sorted((HERE / "shims/Foundation").glob("*.swiftinterface"))
    text = converted(toolchain.printed("FoundationEssentials"))
    header = HEADER.format(version=toolchain.version, module="Foundation")
    return header + IMPORTS + text + "\n" + "\n".join(part.read_text(encoding="utf-8") for part in parts)


def converted(printed):
    """A printed interface as a module interface: accessors spelled out, modules renamed."""
    lines = []
    for line in printed.split("\n"):
        if re.match(r"^\s*///|^(@_exported )?import ", line):
            continue
        line = re.sub(r"\bFoundationEssentials\.", "Foundation.", line)
        line = re.sub(r"\bGlibc\.", "Darwin.", line)
        line = re.sub(r"\b(private|internal|fileprivate|package)\(set\) ", "", line)
        is_open = not line.rstrip().endswith(("}", "{"))
        is_subscript = re.search(r"\bsubscript\b.*->", line)
        is_variable = re.search(r"^\s*(@\S+ )*(public|open) .*\bvar\b [^=]*:", line)
        if is_open and (is_subscript or is_variable):
            line = line.rstrip() + " { get set }"
        lines.append(line)
    text = "\n".join(lines)
    # It conforms to a protocol that is printed without its requirements.
    return re.sub(r"\n(@available[^\n]*\n)?extension Foundation\.URL\.Template\.Element[^\n]*\n\}", "", text)
