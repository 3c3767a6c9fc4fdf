"""Checks that the pages of each product name every public symbol in a topic, and that no doc comment documents its parameters in
part (docs_parameters.py). Called by scripts/docs and scripts/lint.

It reads the dumps in Documentation/API and the pages in Sources/PRODUCT/PRODUCT.docc. A type, a function or a variable at the top
level of a product must be in one topic of PRODUCT.md, and a module of this package that a product extends in one too: its additions
are listed there. A type with many members has a page Members/TYPE.md, whose topics name each of them once; so has a type of another
module that a product adds many members to. What a type has from a protocol of the standard library, such as `description`, may be in
no topic. DocC itself warns about a link to a symbol that does not exist.
"""

import collections
import pathlib
import re
import sys

import api
import docs_parameters

DUMPS = pathlib.Path("Documentation/API")
# A type with this number of members needs no topics.
FEW = 12
TITLE = re.compile(r"\A# ``([^`]+)``$", re.MULTILINE)
LINK = re.compile(r"^- ``([^`]+)``$", re.MULTILINE)
# `-2aeml`, `-type.property`, `-swift.struct`, `-(Int,_)` and `->_`, at the end of a link.
DISAMBIGUATION = re.compile(r"->.*$|-\(.*\)$|-(?:swift\.)?[a-z]+(?:\.[a-z]+)*$|-[0-9a-z]{4,6}$")
TYPE = re.compile(r"\b(?:struct|class|enum|protocol|actor) [^:]*?(?: : (.*))?$")


def catalogue(product):
    return pathlib.Path(f"Sources/{product}/{product}.docc")


def topics(page):
    """The links in the topics of a page, in order."""
    return LINK.findall(page.read_text(encoding="utf-8").partition("\n## Topics\n")[2])


def pages(product):
    """{type: its page}. A type of another module is there by its own name too."""
    found = {}
    for page in sorted(catalogue(product).rglob("*.md")):
        title = TITLE.match(page.read_text(encoding="utf-8"))
        if title and "/" in title[1]:
            found[".".join(title[1].split("/")[1:])] = page
    return found


def dumped():
    """{product: its declarations as (name, declaration)}. Tarmac's dump repeats those of the rooms."""
    found = {}
    for path in sorted(DUMPS.glob("*.txt")):
        found[path.stem] = [tuple(line.split(" | ", 1)) for line in path.read_text(encoding="utf-8").splitlines()]
    rooms = {line for product, lines in found.items() if product != "Tarmac" for line in lines}
    found["Tarmac"] = [line for line in found["Tarmac"] if line not in rooms]
    return found


def types(lines):
    """{type: the names that it has from protocols of the standard library}"""
    found = {}
    for name, declaration in lines:
        if declared := TYPE.search(declaration):
            found[name] = {witness for protocol in (declared[1] or "").split(", ") for witness in api.STANDARD.get(protocol, ())}
    return found


def owner(name, known):
    """The type that a name is a member of. The name of an operator can have dots, so types are tried, the longest first."""
    ends = [index for index, character in enumerate(name) if character == "."]
    return next((name[:end] for end in reversed(ends) if name[:end] in known), None)


def members(lines, known):
    """{type: the names of its members}, without those from protocols of the standard library. Overloads count each."""
    found = collections.defaultdict(list)
    for name, declaration in lines:
        kind = owner(name, known)
        if kind and not declaration.endswith(" (default)") and name[len(kind) + 1:] not in known[kind]:
            found[kind].append(name[len(kind) + 1:])
    return found


def repeated(links):
    return sorted(link for link, count in collections.Counter(links).items() if count > 1)


def product_faults(product, needed):
    page = catalogue(product) / f"{product}.md"
    if not page.exists():
        yield f"{page}: there is no such page"
        return
    links = topics(page)
    yield from (f"{page}: {name} is in no topic" for name in sorted(needed - set(links)))
    yield from (f"{page}: {name} is in more than one topic" for name in repeated(links))


def member_faults(product, found):
    stated = pages(product)
    for kind, names in sorted(found.items()):
        page = stated.get(kind)
        if not page and len(names) > FEW:
            yield f"{catalogue(product)}/Members/{kind}.md: there is no such page, and the type has {len(names)} members"
        if page:
            links = [DISAMBIGUATION.sub("", link) for link in topics(page)]
            yield from (f"{page}: {name} is in no topic" for name in sorted(set(names) - set(links)))
            yield from (f"{page}: {link} is in more than one topic" for link in repeated(topics(page)))
    yield from (f"{page}: {kind} has no members" for kind, page in sorted(stated.items()) if kind not in found)


def faults():
    dumps = dumped()
    tops = {product: {name for name, _ in lines if "." not in name} for product, lines in dumps.items()}
    known = {name: witnesses for lines in dumps.values() for name, witnesses in types(lines).items()}
    for product, lines in dumps.items():
        extended = {name.partition(".")[0] for name, _ in lines} - tops[product]
        modules = {module for module, top in tops.items() if top & extended}
        yield from product_faults(product, tops[product] | modules)
        yield from member_faults(product, members(lines, known))


def main():
    problems = [*faults(), *docs_parameters.faults()]
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
