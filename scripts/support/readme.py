"""Checks that README.md, the guide, the pages in Documentation/MovingFrom and their Chinese versions show the same code, and that
the Swift they show is compiled, as is that of the reference's pages (Sources/PRODUCT/PRODUCT.docc).

A page and its Chinese version, those of Documentation/Start, the cookbook and the page of servers too, have the same levels of headings, the same rows in each
table with the same links, and link to the same pages; a Chinese page may also link to the glossary.

In the tables of the migration pages each identifier in code of the right column must be one that Sources know.

A line of a ```swift block counts as compiled when it stands, indentation and trailing comment aside, in a file of
a folder CallSites of Tests, in Tests/SeedTests, in Examples or in a consumer package. Lines that are comments are not looked for, nor is a
`@testable import` of the reader's own module.
"""

import pathlib
import re
import sys

# These pages and their Chinese versions.
READMES = ["README.md", "Documentation/Guide.md", "Documentation/Products.md", "Documentation/CommandLine.md"]
PAGES = "Documentation/MovingFrom"
# The code of these pages is checked by scripts/start-pages.
START = "Documentation/Start"
OTHERS = [pathlib.Path("Documentation/Cookbook.md"), pathlib.Path("Documentation/Servers.md")]
GLOSSARY = "Glossary.md"
COMPILED = [*map(str, pathlib.Path("Tests").glob("*Tests/CallSites")), "Tests/SeedTests", "Tests/Consumers", "Examples"]
WORD = re.compile(r"\b[A-Za-z_]\w+")
CODE = re.compile(r"`([^`]+)`")
STRING = re.compile(r'"[^"]*"')
HEADING = re.compile(r"^(#+) ", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s#:]+)(?:#[^)]*)?\)")
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


def known_words():
    """Every identifier of the library and of what is compiled besides."""
    words = {folder.name for folder in pathlib.Path("Sources").iterdir()}
    for folder in ["Sources", *COMPILED]:
        for path in pathlib.Path(folder).rglob("*.swift"):
            if ".build" not in str(path):
                words.update(WORD.findall(path.read_text(encoding="utf-8")))
    return words


def unknown_words(path, words):
    """(identifier, its piece of code) in the right column of a table that nothing has."""
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        cells = line.split(" | ")
        if line.startswith("| ") and len(cells) == 2:
            for code in CODE.findall(cells[1]):
                yield from ((word, code) for word in WORD.findall(STRING.sub("", code)) if word not in words)


def pairs():
    """(page, its Chinese version or None) of everything that shows code."""
    for page in READMES:
        yield page, page.replace(".md", ".zh-CN.md")
    for path in sorted(pathlib.Path(PAGES).glob("*.md")):
        if not path.name.endswith(".zh-CN.md"):
            yield str(path), str(path.with_suffix(".zh-CN.md"))
    for path in sorted(pathlib.Path("Sources").glob("*/*.docc/*.md")):
        yield str(path), None


def faults():
    known, words = compiled_lines(), known_words()
    for page, chinese in pairs():
        missing = [path for path in (page, chinese) if path and not pathlib.Path(path).exists()]
        if missing:
            yield from (f"{path} is missing" for path in missing)
            continue
        for path in (page, chinese):
            if path and path.startswith(PAGES):
                yield from (f"{path}: nothing is named {word}: {code}" for word, code in unknown_words(path, words))
        shown = blocks(page)
        if chinese:
            yield from differences(page, shown, chinese)
            yield from outline_differences(page, chinese)
        for language, code in shown:
            for line in code if language == "swift" else []:
                if line not in known and not line.startswith("@testable import "):
                    yield f"{page}: not compiled by any test: {line}"
    for page, chinese in start_pairs():
        if pathlib.Path(chinese).exists():
            yield from outline_differences(page, chinese)


def prose(path):
    return FENCE.sub("", pathlib.Path(path).read_text(encoding="utf-8"))


def links(text, path):
    """The files that a text links to, without the language, the page itself and the glossary."""
    found = {link.replace(".zh-CN.md", ".md") for link in LINK.findall(text)}
    return {link for link in found if not link.endswith(GLOSSARY) and link != pathlib.Path(path).name.replace(".zh-CN.md", ".md")}


def rows(text, path):
    """The links of each row of the tables, in order. `None` is the end of a table."""
    for line, after in zip(text.splitlines(), text.splitlines()[1:] + [""]):
        if line.startswith("|"):
            yield sorted(links(line, path))
            if not after.startswith("|"):
                yield None


def outline_differences(page, chinese):
    """What a page and its Chinese version have differently: headings, rows of tables, links."""
    left, right = prose(page), prose(chinese)
    if HEADING.findall(left) != HEADING.findall(right):
        yield f"{page} and {chinese} have different headings: {len(HEADING.findall(left))} and {len(HEADING.findall(right))}, or other levels"
    ours, theirs = list(rows(left, page)), list(rows(right, chinese))
    if len(ours) != len(theirs) or ours.count(None) != theirs.count(None):
        yield f"the tables of {page} have {len(ours) - ours.count(None)} rows, and those of {chinese} {len(theirs) - theirs.count(None)}"
    elif ours != theirs:
        number = next(number for number, pair in enumerate(zip(ours, theirs), 1) if pair[0] != pair[1])
        yield f"row {number} of the tables of {page} links to other pages than that of {chinese}: {ours[number - 1]}, {theirs[number - 1]}"
    for name, missing in ((chinese, links(left, page) - links(right, chinese)), (page, links(right, chinese) - links(left, page))):
        yield from (f"{name} has no link to {link}" for link in sorted(missing))


def start_pairs():
    """(page, its Chinese version) of the pages whose code scripts/start-pages writes."""
    for path in [*OTHERS, *sorted(pathlib.Path(START).glob("*.md"))]:
        if not path.name.endswith(".zh-CN.md"):
            yield str(path), str(path.with_suffix(".zh-CN.md"))


def differences(page, shown, chinese):
    other = blocks(chinese)
    if len(shown) != len(other):
        yield f"{page} has {len(shown)} code blocks, {chinese} has {len(other)}"
    for number, (left, right) in enumerate(zip(shown, other), 1):
        if left != right:
            yield f"code block {number} of {page} differs from that of {chinese}"


def main():
    found = list(faults())
    for fault in found:
        print(fault)
    sys.exit(1 if found else 0)


main()
