#!/usr/bin/env python3
"""Checks that the floors of the package hold: the kernel imports no room, and a room imports another one only where ROOMS allows it.

A target is compiled with the modules of all others within reach, so an import that Package.swift does not allow may compile.
"""
import re
import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "Sources"

# A room, and the rooms it may import besides the kernel.
ROOMS = {
    "TarmacReform": set(),
    "TarmacFormats": set(),
    "TarmacLog": set(),
    "TarmacSigning": set(),
    "TarmacResilience": set(),
    "TarmacAuth": set(),
    "TarmacCache": {"TarmacResilience"},
    "TarmacPresentation": set(),
    "TarmacTransfer": {"TarmacResilience"},
    "TarmacGroups": {"TarmacPresentation"},
    "TarmacOutbox": {"TarmacResilience", "TarmacTransfer"},
    "TarmacConnection": set(),
    # TarmacTransfer for the background transport alone.
    "TarmacURLSession": {"TarmacConnection", "TarmacTransfer"},
    "TarmacNIO": {"TarmacConnection"},
    "TarmacXML": {"TarmacFormats"},
    "TarmacCookies": set(),
    "TarmacCrypto": {"TarmacSigning", "TarmacTransfer"},
    "TarmacInspector": {"TarmacLog"},
    "TarmacSQLite": {"TarmacCache", "TarmacCookies", "TarmacOutbox", "TarmacTransfer"},
    "TarmacTelemetry": {"TarmacResilience"},
    "TarmacTesting": {"TarmacCache", "TarmacOutbox", "TarmacTransfer"},
}
KERNEL = {"TarmacMasking", "TarmacJSON", "TarmacCore", "TarmacSupport"}
ALLOWED = {
    "TarmacMasking": set(),
    "TarmacJSON": {"TarmacMasking"},
    "TarmacCore": {"TarmacMasking", "TarmacJSON"},
    "TarmacSupport": {"TarmacCore"},
    **{room: KERNEL | others for room, others in ROOMS.items()},
}
# These stand above all rooms.
ABOVE = {"Tarmac", "TarmacCLI", "TarmacBench"}
# The one file that makes a module of several.
EXPORTS = SOURCES / "Tarmac/Exports.swift"

IMPORT = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public |package |internal |fileprivate |private )?import (?:\w+ )?(Tarmac\w*)", re.M)


def main() -> int:
    faults = []
    for folder in sorted(SOURCES.iterdir()):
        module = folder.name
        if module in ABOVE or not any(folder.rglob("*.swift")):
            continue
        if module not in ALLOWED:
            faults.append(f"Sources/{module}: no module of scripts/support/floors.py")
            continue
        for path in sorted(folder.rglob("*.swift")):
            for name in sorted(set(IMPORT.findall(path.read_text())) - ALLOWED[module]):
                faults.append(f"{path.relative_to(SOURCES.parent)}: imports {name}, which {module} may not")
    exported = set(IMPORT.findall(EXPORTS.read_text()))
    faults += [f"{EXPORTS.relative_to(SOURCES.parent)}: exports {name}, which does not exist" for name in exported if not (SOURCES / name).is_dir()]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
