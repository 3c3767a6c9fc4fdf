"""Makes articles of the reference from pages in Documentation. Used by docs.py."""

import collections
import pathlib
import re
import sys

FOLDER = pathlib.Path("Documentation")
# Topics of the product Tarmac, above those that its own page states.
TOPICS = {
    "Learn Tarmac in ten pages": [FOLDER / "Start/ten-minutes.md", *sorted(FOLDER.glob("Start/[0-9]*[a-z].md"))],
    "Guides": [FOLDER / "Guide.md", FOLDER / "Cookbook.md"],
    "Tables": [FOLDER / "Reference" / name for name in ("Settings.md", "Errors.md", "Events.md", "Glossary.md")],
}
LINK = re.compile(r"\[([^]]*)\]\(([^)\s]*)\)")
FENCE = re.compile(r"^(```.*?^```)", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{2,6} (.+?) *$", re.MULTILINE)


def name(page):
    return f"Page-{page.stem}"


def anchors(page):
    """{the anchor of a heading on GitHub: that on the site}. DocC keeps the case, and leaves out the punctuation."""
    found, seen = {}, collections.Counter()
    for heading in HEADING.findall("".join(FENCE.split(page.read_text(encoding="utf-8"))[::2])):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        repeat = f"-{seen[slug]}" if seen[slug] else ""
        seen[slug] += 1
        found[slug + repeat] = re.sub(r"[\s–—-]+", "-", re.sub(r"[^\w\s–—-]", "", words).strip())
    return found


def link(match, page, included):
    """A link to another article or to a heading, to the web, or, for what the site leaves out, the words alone."""
    words, target = match.groups()
    if re.match(r"https?://", target):
        return match[0]
    file, _, anchor = target.partition("#")
    path = (page.parent / file).resolve() if file else page.resolve()
    if path not in included:
        return words
    if anchor and anchor not in anchors(path):
        sys.exit(f"docs: {page}: there is no heading for {target}")
    return f"[{words}](doc:{name(path)}{'#' + anchors(path)[anchor] if anchor else ''})"


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
