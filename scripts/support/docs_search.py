"""Writes the front page of the reference: a list of the products, and a search over all symbols. Used by docs.py."""

import html
import json
import pathlib

TEMPLATE = pathlib.Path("scripts/support/docs_front.html")


def entries(nodes, product):
    """(title, path, kind, product) of each page in the navigator's index, once."""
    for node in nodes:
        if node.get("path"):
            yield node["title"], node["path"], node["type"], product
        yield from entries(node.get("children", []), product)


def abstract(site, module):
    page = json.loads((site / f"data/documentation/{module.lower()}.json").read_text(encoding="utf-8"))
    return "".join(part.get("text") or part.get("code", "") for part in page.get("abstract", []))


def write(site, index):
    """Writes index.html and search.json; the number of pages."""
    found = {}
    for product in index:
        for title, path, kind, name in entries([product], product["title"]):
            found.setdefault(path, (title, path.strip("/"), kind, name))
    (site / "search.json").write_text(json.dumps(list(found.values()), ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    rows = "".join(
        f'<li><a href="{product["path"].strip("/")}/">{product["title"]}</a><span>{html.escape(abstract(site, product["title"]))}</span></li>\n'
        for product in index)
    (site / "index.html").write_text(TEMPLATE.read_text(encoding="utf-8").replace("<!-- products -->", rows), encoding="utf-8")
    return len(found)
