"""Checks that a doc comment documents each parameter or none, and only parameters that exist. Called by docs_curation.py.

The parameters of public functions, initialisers and subscripts count. DocC warns about a parameter without a line beside parameters
with one. A comment that explains the parameters in its prose has no lines, and DocC says nothing. The check reads the sources of the
modules that have a page, without a build.
"""

import pathlib
import re

SINGLE = re.compile(r"^ ?- Parameter (\S+?):")
OUTLINE = re.compile(r"^ ?- Parameters:")
NESTED = re.compile(r"^ {2,}- (\S+?):")
# What opens a public protocol at the margin: its requirements are public without the word.
PROTOCOL = re.compile(r"^public (?:nonisolated )?protocol\b")
PUBLIC = re.compile(r"\b(?:public|open)\b")
DECLARATION = re.compile(r"\b(?:func\s+\S+?|init[?!]?|subscript)\s*(?:<[^(]*>)?\(")
# A line of attributes: `@MainActor @discardableResult`, `@available(macOS 14, *)`.
ATTRIBUTE = re.compile(r"^@\w+(?:\([^)]*\))?(?:\s+@\w+(?:\([^)]*\))?)*$")


def documented(comment):
    """The names with a line, in order. `comment` has the lines without their slashes."""
    names = []
    inside = False
    for line in comment:
        if single := SINGLE.match(line):
            names.append(single[1])
            inside = False
        elif OUTLINE.match(line):
            inside = True
        elif inside and (nested := NESTED.match(line)):
            names.append(nested[1])
        elif not line.startswith("  "):
            inside = False
    return names


def declared(text):
    """The names of the parameters in a text that begins after the opening parenthesis, or None if it does not end."""
    parts = [""]
    opened = ""
    previous = ""
    # The arrow of a function type is no bracket, and neither is the operator in `100 << 20`.
    for character in text.replace("->", "  "):
        if character in "([{" or (character == "<" and previous.isalnum()):
            opened += character
        elif character in ")]}" or (character == ">" and opened.endswith("<")):
            if not opened:
                return [part.partition(":")[0].split()[-1] for part in parts if ":" in part]
            opened = opened[:-1]
        if character == "," and not opened:
            parts.append("")
        else:
            parts[-1] += character
        previous = character
    return None


def described(lines):
    """Each doc comment of a public function, initialiser or subscript: (line number, names with a line, names declared)."""
    comment = []
    in_protocol = False
    for index, line in enumerate(lines):
        text = line.strip()
        if line[:1].strip() and not text.startswith("//"):
            in_protocol = bool(PROTOCOL.match(line))
        if text.startswith("///"):
            comment.append(text[3:])
        elif text.startswith("//") or text.startswith("#") or ATTRIBUTE.match(text):
            continue
        elif comment:
            opening = DECLARATION.search(text)
            if opening and (in_protocol or PUBLIC.search(text[:opening.start()])):
                rest = "\n".join(re.sub(r"//.*", "", other) for other in [text[opening.end():], *lines[index + 1: index + 40]])
                yield index + 1, documented(comment), declared(rest)
            comment = []


def faults():
    for path in sorted(path for page in pathlib.Path("Sources").glob("*/*.docc") for path in page.parent.rglob("*.swift")):
        for number, stated, names in described(path.read_text(encoding="utf-8").splitlines()):
            if not stated:
                continue
            if names is None:
                yield f"{path}:{number}: the parameters cannot be read"
                continue
            missing = [name for name in names if name not in stated]
            unknown = [name for name in stated if name not in names]
            if missing:
                yield f"{path}:{number}: parameters documented in part: {', '.join(missing)} not"
            if unknown:
                yield f"{path}:{number}: a documented parameter that does not exist: {', '.join(unknown)}"
