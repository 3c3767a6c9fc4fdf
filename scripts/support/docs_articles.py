"""Makes articles of the reference from pages in Documentation. Used by docs.py."""

import pathlib
import re

FOLDER = pathlib.Path("Documentation")
# Topics of the product Tarmac, above those that its own page states.
TOPICS = {
    "Learn Tarmac in ten pages": [FOLDER / "Start/ten-minutes.md", *sorted(FOLDER.glob("Start/[0-9]*[a-z].md"))],
    "Guides": [FOLDER / "Guide.md", FOLDER / "Cookbook.md"],
    "Tables": [FOLDER / "Reference" / name for name in ("Settings.md", "Errors.md", "Events.md", "Glossary.md")],
}
LINK = re.compile(r"\[([^]]*)\]\(([^)\s]*)\)")
FENCE = re.compile(r"^(```.*?^```)", re.MULTILINE | re.DOTALL)


def name(page):
    return f"Page-{page.stem}"


def link(match, page, included):
    """A link to another article, to the web, or, for what the site leaves out, the words alone."""
    words, target = match.groups()
    if re.match(r"https?://", target):
        return match[0]
    path = (page.parent / target.partition("#")[0]).resolve()
    return f"[{words}](doc:{name(path)})" if target.partition("#")[0] and path in included else words


def article(page, included):
    text = re.sub(r"<!--.*?-->\n?", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    # The line of links at the top is the site's navigation.
    text = re.sub(r"\A(# .*\n)\n\[(?:All pages|简体中文)\].*\n", r"\1", text)
    parts = FENCE.split(text)
    parts = [re.sub(r"\A```(\w+) .*", r"```\1", part) if part.startswith("```") else LINK.sub(lambda match: link(match, page, included), part)
             for part in parts]
    return "".join(parts)


def add(catalogue):
    """Writes the articles into the catalogue of Tarmac, and names them in the topics of its page."""
    included = {page.resolve() for pages in TOPICS.values() for page in pages}
    for page in (page for pages in TOPICS.values() for page in pages):
        (catalogue / f"{name(page)}.md").write_text(article(page, included), encoding="utf-8")
    topics = "".join(f"\n### {title}\n\n" + "".join(f"- <doc:{name(page)}>\n" for page in pages) for title, pages in TOPICS.items())
    path = catalogue / "Tarmac.md"
    path.write_text(path.read_text(encoding="utf-8").replace("\n## Topics\n", "\n## Topics\n" + topics), encoding="utf-8")
