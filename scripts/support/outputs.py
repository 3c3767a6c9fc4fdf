#!/usr/bin/env python3
"""Checks that every public type that can show a user's data is in outputs.txt, and that the masking tests look at it.

Swift prints every value: by its description, or by reflection where a type has none. So each public type of the libraries that
holds anything has a line in outputs.txt; see its head for the words. The types come from the dumps in Documentation/API.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = ROOT / "scripts/support/outputs.txt"
MATRIX = ROOT / "Tests/TarmacTests/Laws/Masked/MaskedOutput.swift"

TYPE = re.compile(r"^(?:@\S+ )*(?:final |indirect )*(struct|enum|class|actor) ")
CASE = re.compile(r"^(?:indirect )?case \w+\((.*)\)")
PROPERTY = re.compile(r"^(?:@\S+ )*(?:weak |final |override )*(?:let|var) \w+: ([^{]+)")
OUTPUT = re.compile(r'MaskedOutput\("([^"]+)"')
# The types of properties and payloads that are shown as they are. Other types, such as Request and TarmacError, mask themselves.
CARRIERS = re.compile(r"\b(?:HTTPFields|HTTPField|Data|JSON|ParameterValue|any Error)\b(?!\.)|\[String : String\]|\[UInt8\]")
REASONS = {
    "plain": {"rule", "name", "code", "handle"},
    "data": {"value", "test", "record"},
    "shown": {""},
    "output": {""},
}
ADVICE = (
    'a public type that is in no line of scripts/support/outputs.txt. If it can hold anything of a user, give it a description and a mirror that '
    'mask, a line "shown", and an entry in Tests/TarmacTests/Laws/Masked/MaskedOutput.swift; otherwise a line "plain" with its reason')


def declared():
    """The public types that hold something, and the declarations by which some of them carry data."""
    kinds, payloads, carriers = {}, set(), {}
    for dump in sorted((ROOT / "Documentation/API").glob("*.txt")):
        for line in dump.read_text(encoding="utf-8").splitlines():
            path, _, declaration = line.partition(" | ")
            owner = path.rpartition(".")[0]
            if found := TYPE.match(declaration):
                kinds[path] = found[1]
                continue
            if CASE.match(declaration):
                payloads.add(owner)
            found = CASE.match(declaration) or PROPERTY.match(declaration)
            # A closure shows nothing of what it is given.
            if found and "->" not in found[1] and CARRIERS.search(found[1]):
                carriers.setdefault(owner, declaration)
    return {name for name, kind in kinds.items() if kind != "enum" or name in payloads}, carriers


def listed():
    """The lines of the list: name, word, reason."""
    lines = [line.partition("#")[0] for line in LIST.read_text(encoding="utf-8").splitlines()]
    for number, line in enumerate(lines, 1):
        if line.strip():
            name, word, reason = (re.split(r"\s{2,}|\t", line.strip()) + ["", ""])[:3]
            yield number, name, word, reason


def fault(name, word, reason, carriers, looked):
    if word == "tested":
        path = ROOT / reason
        return None if reason and path.is_file() else f'there is no test "{reason}"'
    if word not in REASONS or reason not in REASONS[word]:
        return f'"{word} {reason}" is no word of the list; its head has them'
    if word in ("shown", "output") and name not in looked:
        return "Tests/TarmacTests/Laws/Masked/MaskedOutput.swift has no entry of this name"
    if word == "plain" and reason != "handle" and name in carriers:
        return f'it is "plain", but it has "{carriers[name]}"'
    return None


def main() -> int:
    types, carriers = declared()
    looked = set(OUTPUT.findall(MATRIX.read_text(encoding="utf-8")))
    faults, names = [], {}
    for number, name, word, reason in listed():
        place = f"scripts/support/outputs.txt:{number}: {name}"
        if name in names:
            faults.append(f"{place}: listed twice")
        names[name] = word
        if word != "output" and " " not in name and name not in types:
            faults.append(f"{place}: no public type of the dumps that holds anything")
        elif found := fault(name, word, reason, carriers, looked):
            faults.append(f"{place}: {found}")
    faults += [f"{name}: {ADVICE}" for name in sorted(types - set(names))]
    faults += [f"Tests/TarmacTests/Laws/Masked/MaskedOutput.swift: {name} is in no line of outputs.txt" for name in sorted(looked - set(names))]
    for line in faults:
        print(line)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
