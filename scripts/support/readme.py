"""Checks that README.md and README.zh-CN.md show the same code, and that the Swift they show is compiled by a test.

A line of a ```swift block counts as compiled when it stands, indentation and trailing comment aside, in a file of
Tests/TarmacTests/CallSites or in a consumer package. Lines that are comments are not looked for.
"""

import pathlib
import re
import sys

READMES = ["README.md", "README.zh-CN.md"]
COMPILED = ["Tests/TarmacTests/CallSites", "Tests/Consumers"]
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(path):
    """(language, code without comments) of every fenced block."""
    return [(language, [code for code in map(bare, text.splitlines()) if code])
            for language, text in FENCE.findall(pathlib.Path(path).read_text(encoding="utf-8"))]


def bare(line):
    """A line without its comment and with single spaces: comments are translated, layout is free."""
    line = re.sub(r"(?<![:\w\"])//.*$|(?:^|\s)#\s.*$", "", line)
    return re.sub(r"\s+", " ", line).strip()


def compiled_lines():
    lines = set()
    for folder in COMPILED:
        for path in pathlib.Path(folder).rglob("*.swift"):
            if ".build" not in str(path):
                lines.update(map(bare, path.read_text(encoding="utf-8").splitlines()))
    return lines


def faults():
    shown = {path: blocks(path) for path in READMES}
    first, second = (shown[path] for path in READMES)
    if len(first) != len(second):
        yield f"{READMES[0]} has {len(first)} code blocks, {READMES[1]} has {len(second)}"
    for number, (left, right) in enumerate(zip(first, second), 1):
        if left != right:
            yield f"code block {number} differs between the READMEs"
    known = compiled_lines()
    for language, code in first:
        for line in code if language == "swift" else []:
            if line not in known:
                yield f"{READMES[0]}: not compiled by any test: {line}"


def main():
    missing = [path for path in READMES if not pathlib.Path(path).exists()]
    found = [f"{path} is missing" for path in missing] or list(faults())
    for fault in found:
        print(fault)
    sys.exit(1 if found else 0)


main()
