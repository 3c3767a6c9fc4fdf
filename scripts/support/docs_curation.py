"""Checks that each product has a page whose topics have every public symbol, and that no doc comment documents its parameters in
part (docs_parameters.py). Called by scripts/docs and scripts/lint.

It reads the dumps in Documentation/API and the pages Sources/PRODUCT/PRODUCT.docc/PRODUCT.md. A type, a function or a variable at
the top level of a product must be in one topic, and a module of this package that a product extends in one too: its additions
are listed there. DocC itself warns about a link to a symbol that does not exist.
"""

import pathlib
import re
import sys

import docs_parameters

DUMPS = pathlib.Path("Documentation/API")
LINK = re.compile(r"^- ``([^`]+)``$", re.MULTILINE)


def page(product):
    return pathlib.Path(f"Sources/{product}/{product}.docc/{product}.md")


def topics(product):
    """The links in the topics of a product's page, in order."""
    return LINK.findall(page(product).read_text(encoding="utf-8").partition("\n## Topics\n")[2])


def dumped():
    """{product: (the symbols at its top level, the types it has members of)}"""
    found = {}
    for path in sorted(DUMPS.glob("*.txt")):
        names = [line.split(" | ")[0] for line in path.read_text(encoding="utf-8").splitlines()]
        top = {name for name in names if "." not in name}
        found[path.stem] = top, {name.partition(".")[0] for name in names} - top
    return found


def faults():
    dumps = dumped()
    for product, (top, extended) in dumps.items():
        if product == "Tarmac":
            # Its dump repeats those of the rooms: it extends the kernel, and has no type of its own.
            top, extended = set(), {"Client"}
        if not page(product).exists():
            yield f"{page(product)}: there is no such page"
            continue
        links = topics(product)
        needed = top | {module for module, (types, _) in dumps.items() if module != "Tarmac" and types & extended}
        yield from (f"{page(product)}: {name} is in no topic" for name in sorted(needed - set(links)))
        yield from (f"{page(product)}: {name} is in more than one topic" for name in sorted(set(links)) if links.count(name) > 1)


def main():
    problems = [*faults(), *docs_parameters.faults()]
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
