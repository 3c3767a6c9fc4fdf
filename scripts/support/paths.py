"""Checks that the repository paths in Documentation/Platforms.md and in the pages of the targets exist, and the links of all pages.

A path is code with a slash and without a space, from the root or from Sources, with or without `.swift`. In the page of a target,
Sources/TARGET/README.md, which has 60 lines at most, a path may begin at the target, and the name of a file in it needs no folder. In
Platforms.md, in the table of the files for Apple platforms, a name without a slash is a file beside the one before it, and `…+Name` is an
extension of it. Each file of a folder Darwin must be in that table. Each record of Documentation/Decisions has a number and a heading of its
own and one line in the index; there are 60 at most.
"""

import pathlib
import re
import sys

PAGE = pathlib.Path("Documentation/Platforms.md")
RECORDS = pathlib.Path("Documentation/Decisions")
SOURCES = pathlib.Path("Sources")
LONGEST = 60
CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]*))?\)")
PATH = re.compile(r"[\w.+…-]+(?:/[\w.+…-]+)+")
RECORD = re.compile(r"# (\d{4}): .+\n\n")
MOST = 60
FILE = re.compile(r"[\w.+-]+\.swift")
TABLE = "| file | what it calls | what decides |"


def found(path):
    """The file or folder that a path names; `None` when there is none."""
    places = [pathlib.Path(path), SOURCES / path, SOURCES / f"{path}.swift"]
    return next((place for place in places if place.exists()), None)


def files(cell):
    """(name, its file or `None`) for each name in the first column of the table."""
    last = None
    for name in CODE.findall(cell):
        if "/" in name:
            last = found(name)
            yield name, last
        elif last:
            yield name, found(f"{last.parent.relative_to(SOURCES)}/{name.replace('…', last.stem)}")


def faults():
    named, is_table = set(), False
    for number, line in enumerate(PAGE.read_text(encoding="utf-8").splitlines(), 1):
        is_table = line == TABLE or (is_table and line.startswith("|"))
        pairs = list(files(line.split(" | ")[0])) if is_table else []
        named.update(file for _, file in pairs)
        pairs += [(code, found(code)) for code in CODE.findall(line) if not is_table and PATH.fullmatch(code)]
        yield from (f"{PAGE}:{number}: there is no {name}" for name, file in pairs if file is None)
    for target in sorted({file.parts[1] for file in SOURCES.glob("*/**/*.swift")}):
        yield from target_faults(SOURCES / target / "README.md")
    for file in sorted(SOURCES.glob("**/Darwin/*.swift")):
        if file not in named and file.name != "Bridging.swift":
            yield f"{PAGE}: the table of the files for Apple platforms leaves out {file}"


def target_faults(page):
    """A target without a page, a long one, and paths of it that lead nowhere."""
    if not page.exists():
        yield f"{page}: each target has a page for its owners"
        return
    lines = page.read_text(encoding="utf-8").splitlines()
    if len(lines) > LONGEST:
        yield f"{page}: longer than {LONGEST} lines"
    for number, line in enumerate(lines, 1):
        for code in CODE.findall(line):
            is_path = PATH.fullmatch(code) or FILE.fullmatch(code)
            if is_path and not found(code) and not any(page.parent.glob(f"**/{code}")):
                yield f"{page}:{number}: there is no {code}"


def anchors(page):
    """The anchors of the headings of a page, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    titles = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title) for title in re.findall(r"^#+ (.*)$", text, re.M)]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def link_faults():
    """Links between pages that lead nowhere."""
    for page in [*pathlib.Path(".").glob("*.md"), *sorted(pathlib.Path("Documentation").rglob("*.md")), *sorted(SOURCES.glob("*/README.md"))]:
        is_code = False
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            is_code ^= line.startswith("```")
            for link, anchor in LINK.findall(re.sub(r"`[^`]*`", "", line)) if not is_code else []:
                target = page.parent / link if link else page
                if not target.exists():
                    yield f"{page}:{number}: there is no {link}"
                elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                    yield f"{page}:{number}: {link or page.name} has no heading #{anchor}"


def record_faults():
    """Records of decisions without a number or a line in the index, numbers that two records have, and too many records."""
    index, numbers, files = (RECORDS / "README.md").read_text(encoding="utf-8"), set(), sorted(RECORDS.glob("[0-9]*.md"))
    if len(files) > MOST:
        yield f"{RECORDS}: {len(files)} records, {MOST} at most"
    for file in files:
        match = RECORD.match(file.read_text(encoding="utf-8"))
        number = file.name[:4]
        if not match or match[1] != number:
            yield f"{file}: it begins with \"# {number}: title\""
        if number in numbers:
            yield f"{file}: another record has the number {number}"
        numbers.add(number)
        if index.count(f"[{number}]({file.name})") != 1:
            yield f"{file}: {RECORDS}/README.md has no line for it, or several"


def main():
    problems = [*faults(), *link_faults(), *record_faults()]
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
