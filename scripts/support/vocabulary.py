#!/usr/bin/env python3
"""Checks README.md and the English pages of Documentation for words and sentence shapes that readers stumble over.

A page that is in vocabulary.txt may have as many as its number says; a page that is not may have none. The numbers only fall:

    scripts/support/vocabulary.py            fails where a page has more
    scripts/support/vocabulary.py PAGE...    prints all of them in the pages
    scripts/support/vocabulary.py --write    writes the numbers again, if none is higher
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = ROOT / "scripts/support/vocabulary.txt"
HEAD = "# The pages that have words or sentences which scripts/support/vocabulary.py refuses, and how many. A number may only fall.\n"

RULES = [
    (re.compile(r"(?:^|(?<=[.!?:;] )|(?<=\| ))(?:\*\*)?(?:What|Who|Whose|Nobody)\b(?![^.!?|]*\?)"), "begin the sentence with its subject"),
    (re.compile(r"\bhad\b"), "use the present tense"),
    (re.compile(r"\banew\b"), "write “again”"),
    (re.compile(r"\b(?:thereof|whereof|hereof|therein|wherein|thereby)\b"), "name the thing"),
    (re.compile(r"\bstands?\b(?! for\b)(?!-)"), "write “is”"),
    (re.compile(r"\b(?:goes|go|went) with\b"), "use a plain verb"),
    (re.compile(r"\b(?:is|are|was|were|be) told\b"), "write “is reported” or “learns”"),
    (re.compile(r"\b(?:somebody|nobody)\b(?:['’]s)?", re.I), "name the person or the thing"),
    (re.compile(r"\bby which\b"), "use a plain verb"),
    (re.compile(r"\b(?:flies|flew|flown|fly)\b", re.I), "write “runs” or “sends”: the airport is for the product's face"),
    (re.compile(r"\bthe house\b", re.I), "write “Tarmac”"),
]


def prose(text: str) -> list[tuple[int, str]]:
    """The lines outside of code, without code, comments and addresses, with their numbers. A paragraph is one line."""
    text = re.sub(r"<!--.*?-->", lambda match: "\n" * match[0].count("\n"), text, flags=re.S)
    out: list[tuple[int, str]] = []
    is_code = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
            continue
        # A heading is no sentence.
        if is_code or not line.strip() or line.startswith("#"):
            out.append((number, ""))
            continue
        line = re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "`x`", line))
        continues = out and out[-1][1] and not re.match(r"\s*(?:[-*|#]|\d+\.)", line)
        if continues:
            first, before = out.pop()
            out.append((first, f"{before} {line.strip()}"))
        else:
            out.append((number, re.sub(r"^\s*(?:[-*#]+|\d+\.)\s+", "", line.strip())))
    return out


def found(path: Path) -> list[str]:
    name = path.relative_to(ROOT)
    return [
        f"{name}:{number}: “{match[0].strip()}”: {why}"
        for number, line in prose(path.read_text(encoding="utf-8")) for pattern, why in RULES for match in pattern.finditer(line)
    ]


def pages() -> list[Path]:
    documents = (ROOT / "Documentation").rglob("*.md")
    return [ROOT / "README.md", *sorted(path for path in documents if not path.name.endswith(".zh-CN.md"))]


def allowed() -> dict[str, int]:
    lines = LIST.read_text(encoding="utf-8").splitlines() if LIST.exists() else []
    pairs = [line.rsplit(" ", 1) for line in lines if line and not line.startswith("#")]
    return {name: int(count) for name, count in pairs}


def main() -> int:
    arguments = sys.argv[1:]
    named = [ROOT / name for name in arguments if not name.startswith("--")]
    if named:
        for path in named:
            print("\n".join(found(path)))
        return 0
    limits = allowed()
    counts = {str(path.relative_to(ROOT)): found(path) for path in pages()}
    risen = {name: faults for name, faults in counts.items() if len(faults) > limits.get(name, 0)}
    if "--write" in arguments and (not LIST.exists() or not risen):
        rows = [f"{name} {len(faults)}\n" for name, faults in sorted(counts.items()) if faults]
        LIST.write_text(HEAD + "".join(rows), encoding="utf-8")
        return 0
    for name, faults in sorted(risen.items()):
        print("\n".join(faults))
        print(f"{name}: {len(faults)} of these, and {limits.get(name, 0)} are allowed (scripts/support/vocabulary.txt)")
    return 1 if risen else 0


if __name__ == "__main__":
    sys.exit(main())
