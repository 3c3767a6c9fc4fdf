#!/usr/bin/env python3
"""Checks that the floors of the package hold: the kernel imports no room, and a room imports another one only where ROOMS allows it.

A target is compiled with the modules of all others within reach, so an import that Package.swift does not allow may compile. And
a dependency in Package.swift links a room even if no file imports it. So both are compared with ROOMS. And no comment of the kernel
links to what a room declares.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"

# A room, and the rooms it may import besides the kernel.
ROOMS = {
    "TarmacReform": set(),
    "TarmacFormats": set(),
    "TarmacLog": set(),
    "TarmacCallLog": {"TarmacLog"},
    "TarmacHAR": {"TarmacCallLog"},
    "TarmacSigning": set(),
    "TarmacResilience": set(),
    "TarmacTraffic": {"TarmacResilience"},
    "TarmacAuth": set(),
    "TarmacCache": {"TarmacResilience"},
    "TarmacPresentation": set(),
    "TarmacTransfer": {"TarmacResilience"},
    "TarmacResumableUpload": {"TarmacTransfer"},
    "TarmacStreams": {"TarmacResilience"},
    "TarmacGroups": {"TarmacPresentation"},
    "TarmacOutbox": {"TarmacResilience", "TarmacResumableUpload", "TarmacTransfer"},
    "TarmacConnection": set(),
    "TarmacURLSession": {"TarmacConnection"},
    "TarmacBackground": {"TarmacTransfer", "TarmacURLSession"},
    "TarmacResolver": set(),
    "TarmacNIO": {"TarmacConnection", "TarmacResolver"},
    "TarmacXML": {"TarmacFormats"},
    "TarmacCookies": set(),
    "TarmacCrypto": {"TarmacSigning", "TarmacTransfer"},
    "TarmacInspector": {"TarmacCallLog", "TarmacHAR"},
    "TarmacSQLite": {"TarmacCache", "TarmacCookies", "TarmacOutbox", "TarmacTransfer"},
    "TarmacRedis": {"TarmacAuth", "TarmacCache", "TarmacResilience", "TarmacTraffic"},
    "TarmacTelemetry": {"TarmacResilience"},
    "TarmacTesting": {"TarmacCache", "TarmacOutbox", "TarmacTransfer"},
}
KERNEL = {"TarmacMasking", "TarmacDigest", "TarmacJSON", "TarmacHTTP", "TarmacCore", "TarmacSupport"}
ALLOWED = {
    "TarmacMasking": set(),
    "TarmacDigest": set(),
    "TarmacJSON": {"TarmacMasking"},
    "TarmacHTTP": {"TarmacMasking", "TarmacDigest", "TarmacJSON"},
    "TarmacCore": {"TarmacMasking", "TarmacDigest", "TarmacJSON", "TarmacHTTP"},
    "TarmacSupport": {"TarmacCore"},
    **{room: KERNEL | others for room, others in ROOMS.items()},
}
# These stand above all rooms.
ABOVE = {"Tarmac", "TarmacCLI", "TarmacBench"}
# The other modules that the kernel may import.
SYSTEM = {
    "Android", "Compression", "CoreFoundation", "CZlib", "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc",
    "HTTPTypes", "Musl", "Network", "ObjectiveC", "Security",
}
# A capability that does not fit is a room.
LONGEST = {"TarmacCore": 9_720, "TarmacHTTP": 8_710}
# The one file that makes a module of several.
EXPORTS = SOURCES / "Tarmac/Exports.swift"

ATTRIBUTES = r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public |package |internal |fileprivate |private )?"
IMPORT = re.compile(ATTRIBUTES + r"import (?:(?:struct|class|enum|protocol|func|var|let|typealias) )?(\w+)", re.M)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


def imported(text: str) -> set[str]:
    # A comment or a semicolon before an import hides it from no compiler.
    return set(IMPORT.findall(COMMENT.sub(" ", text).replace(";", "\n")))


def imports(path: Path) -> set[str]:
    return imported(path.read_text(encoding="utf-8"))


def wrong(module: str, found: set[str]) -> list[str]:
    """What a module imports and may not: the kernel any module that is not of the system, a room those of this package."""
    counted = found - SYSTEM if module in KERNEL else {name for name in found if name.startswith("Tarmac")}
    return sorted(counted - ALLOWED[module])


# Imports that must be noticed, or must not, whatever becomes of the expressions above.
PLANTED = [
    ("TarmacCore", "import TarmacCache", ["TarmacCache"]),
    ("TarmacCore", "@_spi(TarmacRooms) package import TarmacAuth", ["TarmacAuth"]),
    ("TarmacCore", "/* why */ import TarmacLog", ["TarmacLog"]),
    ("TarmacCore", "import HTTPTypes; import NIOCore", ["NIOCore"]),
    ("TarmacMasking", "import TarmacCore", ["TarmacCore"]),
    ("TarmacHTTP", "import TarmacCore", ["TarmacCore"]),
    ("TarmacAuth", "@preconcurrency public import TarmacCache", ["TarmacCache"]),
    ("TarmacLog", "internal import struct TarmacCache.CacheRule", ["TarmacCache"]),
    ("TarmacResilience", "import TarmacCore\nimport Tarmac", ["Tarmac"]),
    ("TarmacCore", "// import TarmacCache\nimport Foundation", []),
    ("TarmacCache", "import TarmacCore\nimport TarmacResilience\nimport CZlib", []),
]


def blind() -> list[str]:
    faults = [f"scripts/support/floors.py: finds {wrong(module, imported(text))} in {text!r} of {module}, and not {expected}"
              for module, text, expected in PLANTED if wrong(module, imported(text)) != expected]
    linked = strange({"a": "/// See ``Known/part(_:)``, ``Room`` and ``Known/other``.\nstruct Known {\n    func part(_ n: Int) {}\n}"})
    if len(linked) != 2:
        faults.append(f"scripts/support/floors.py: finds {linked}, and not two links to rooms")
    return faults


DECLARED = re.compile(r"\b(?:struct|class|enum|protocol|actor|typealias|associatedtype|func|var|let|case)\s+`?(\w+)")
CASES = re.compile(r"\bcase\s+([^\n{=]*)")
LINK = re.compile(r"``([^`]+)``")


def strange(texts: dict[str, str]) -> list[str]:
    """The links in comments of the kernel to what it does not declare: they name a room."""
    declared = {"init", "subscript"}
    for text in texts.values():
        declared.update(DECLARED.findall(text))
        declared.update(word for cases in CASES.findall(text) for word in re.findall(r"\w+", cases))
        declared.update(word for name in re.findall(r"\bextension\s+([\w.]+)", text) for word in name.split("."))
    found = []
    for path, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            for link in LINK.findall(line):
                names = [re.match(r"\w+", part) for part in re.split("[/.]", link)]
                if any(name and name.group() not in declared for name in names):
                    found.append(f"{path}:{number}: ``{link}`` is not declared in the kernel, so it names a room")
    return found


def dependencies() -> dict[str, set[str]]:
    """The targets of this package that each target depends on."""
    manifest = json.loads(subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    names = {target["name"] for target in manifest["targets"]}
    return {target["name"]: {name for entry in target["dependencies"] for kind in ("byName", "target")
                             if kind in entry and (name := entry[kind][0]) in names} for target in manifest["targets"]}


def main() -> int:
    faults = blind()
    for folder in sorted(SOURCES.iterdir()):
        module = folder.name
        if module in ABOVE or not any(folder.rglob("*.swift")):
            continue
        if module not in ALLOWED:
            faults.append(f"Sources/{module}: no module of scripts/support/floors.py")
            continue
        for path in sorted(folder.rglob("*.swift")):
            for name in wrong(module, imports(path)):
                faults.append(f"{path.relative_to(ROOT)}: imports {name}, which {module} may not")
    targets = dependencies()
    for module, found in targets.items():
        bad = {name for name in found if name.startswith("Tarmac")} - ALLOWED.get(module, found)
        faults += [f"Package.swift: {module} depends on {name}, which it may not import" for name in sorted(bad)]
    kernel = {}
    for name, limit in LONGEST.items():
        texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in sorted((SOURCES / name).rglob("*.swift"))}
        lines = sum(len(text.splitlines()) for text in texts.values())
        if lines > limit:
            faults.append(f"Sources/{name}: {lines} lines, more than {limit}")
        kernel |= texts
    faults += strange(kernel)
    exported = {name for name in imports(EXPORTS) if name.startswith("Tarmac")}
    # What rooms share among themselves is for rooms alone.
    everyday = {name for name in targets["Tarmac"] if name.startswith("Tarmac")} - {"TarmacSupport"}
    faults += [f"{EXPORTS.relative_to(ROOT)}: exports {name}, on which Tarmac does not depend" for name in sorted(exported - everyday)]
    faults += [f"{EXPORTS.relative_to(ROOT)}: does not export {name}, on which Tarmac depends" for name in sorted(everyday - exported)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
