#!/usr/bin/env python3
"""Checks README.md, CHANGELOG.md, CONTRIBUTING.md, the English pages of Documentation, the pages of the targets and the doc comments of Sources for
words and sentence shapes that readers stumble over, and that the prose of README.md, Documentation and the targets has 100 columns. A link or code in one piece may be longer, and
so may tables, headings, the links between pages and what scripts write.

    scripts/support/vocabulary.py            fails where there is one
    scripts/support/vocabulary.py FILE...    prints those of the files
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
DOC_COMMENT = re.compile(r"^\s*/// ?(.*)$")
# Of pages alone: a doc comment says “before it had a request”.
PAGE_RULES = [(re.compile(r"\bhad\b"), "use the present tense")]
RULES = [
    (re.compile(r"(?:^|(?<=[.!?:;] )|(?<=[.!?]\) )|(?<=\| ))(?:\*\*)?(?:What|Who|Whose|Nobody)\b(?![^.!?|]*\?)"), "begin the sentence with its subject"),
    (re.compile(r"\banew\b"), "write “again”"),
    (re.compile(r"\b(?:thereof|whereof|hereof|therein|wherein|thereby)\b"), "name the thing"),
    (re.compile(r"\b[Ss]t(?:ands?|ood)\b(?! for\b| in for\b)(?!-)"), "write “is”"),
    (re.compile(r"\b(?:go(?:es|ing|ne)?|went) with\b(?!out\b)"), "use a plain verb"),
    (re.compile(r"\b(?:is|are|was|were|be|been|being)(?: not| never)? told\b(?! apart\b)|\btold of\b"), "write “is reported” or “learns”"),
    (re.compile(r"\b(?:somebody|nobody|whoever)\b(?:['’]s)?", re.I), "name the person or the thing"),
    (re.compile(r"\bby which\b"), "use a plain verb"),
    (re.compile(r"\b(?:flies|flew|flown|fly)\b", re.I), "write “runs” or “sends”: the airport is for the product's face"),
    (re.compile(r"\bthe house\b", re.I), "write “Tarmac”"),
]

COLUMNS = 100
# Pages that scripts/tables and scripts/seed-coverage write.
MADE = ["Reference/Settings.md", "Reference/Errors.md", "Reference/Events.md", "Reference/Stages.md", "SeedParity.md"]
# A table, HTML, a heading, a quotation, the links of a page's head, and the address of a link.
FREE = re.compile(r"\s*(?:[|<#>]|\[简体中文\]|\[[^\]]+\]:\s)")
# Links and code keep their spaces.
PIECE = re.compile(r"\[(?:`[^`]*`|[^\]`])*\]\([^)]*\)|`[^`]*`")
MARKER = re.compile(r"\s*(?:(?:[-*+]|\d+\.)\s+)?")
# The second column of the tables of SeedParity.md quotes the documents of other systems.
SEEDS = "SeedParity.md"
QUOTED = re.compile(r"^(\| [A-Z]+-B?\d+ \| ).*?(?= \| )", re.MULTILINE)


def long_lines(text: str) -> list[int]:
    """The numbers of the lines of prose that are too long and could be broken."""
    found: list[int] = []
    is_code = is_comment = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        is_comment = (is_comment or line.startswith("<!--")) and "-->" not in line
        if is_code or is_comment or len(line) <= COLUMNS or FREE.match(line):
            continue
        pieces = PIECE.sub(lambda match: "x" * len(match[0]), line[MARKER.match(line).end():])
        if " " in pieces:
            found.append(number)
    return found


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


def comments(text: str) -> str:
    """The doc comments of a Swift file, each on the line that it has there."""
    found = [DOC_COMMENT.match(line) for line in text.split("\n")]
    return "\n".join(match[1] if match else "" for match in found)


def found(path: Path) -> list[str]:
    text, rules = path.read_text(encoding="utf-8"), RULES + PAGE_RULES
    if path.suffix == ".swift":
        text, rules = comments(text), RULES
    if path.name == SEEDS:
        text = QUOTED.sub(r"\1", text)
    name = path.relative_to(ROOT)
    is_wrapped = path.suffix == ".md" and str(name) not in PAGES[1:] and not str(name).endswith(tuple(MADE))
    widths = [f"{name}:{number}: longer than {COLUMNS} columns" for number in (long_lines(text) if is_wrapped else [])]
    return widths + [
        f"{name}:{number}: “{match[0].strip()}”: {why}"
        for number, line in prose(text) for pattern, why in rules for match in pattern.finditer(line)
    ]


def files() -> list[Path]:
    documents = (path for path in (ROOT / "Documentation").rglob("*.md") if not path.name.endswith(".zh-CN.md"))
    return [*(ROOT / name for name in PAGES), *sorted(documents), *sorted((ROOT / "Sources").glob("*/README.md")), *sorted((ROOT / "Sources").rglob("*.swift"))]


def main() -> int:
    named = [ROOT / name for name in sys.argv[1:]]
    faults = [fault for path in named or files() for fault in found(path)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
