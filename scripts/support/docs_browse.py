"""Opens pages of the API reference in Chromium, from a plain file server on loopback. Called by scripts/docs --browse.

It opens the front page, a search, the landing page, each product's page, each article and a sample of the other pages. A page must
have a heading and a text. Every link of an opened page, and every reference to a page of the site in all of DocC's data, must lead
to a file; that needs no browser.
"""

import concurrent.futures
import functools
import html
import http.server
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading
import urllib.parse

SITE = pathlib.Path(".build-docs/site")
SAMPLE = 100
# The text of every page is longer: it has a title, a kind and a declaration or a list.
SHORTEST = 20


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def serve():
    """The address of a server that has the site; it ends with the script."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/"


def dom(address):
    """The page after its scripts ran."""
    with tempfile.TemporaryDirectory() as profile:
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", "--virtual-time-budget=10000"]
        done = subprocess.run([*command, "--dump-dom", address], capture_output=True, text=True, timeout=120)
    return done.stdout


def text_of(page):
    """The words of the page beside the navigator: none when its scripts made no page, or one without a heading."""
    main = re.search(r"<main\b.*<h1\b.*</main>", page, re.DOTALL)
    words = re.sub(r"<(script|style|noscript)\b.*?</\1>|<[^>]*>", " ", main[0] if main else "", flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(words)).strip()


def leads_nowhere(link):
    """Whether a path of the site has no file."""
    path = SITE / urllib.parse.unquote(link.partition("#")[0].partition("?")[0]).strip("/")
    return not (path.is_file() or (path / "index.html").exists())


def page_faults(root, path):
    page = dom(root + urllib.parse.quote(path, safe="/?=:(),@&"))
    text = text_of(page)
    if len(text) < SHORTEST or "can’t be found" in text or "can't be found" in text:
        yield f"/{path}: the page is empty: {text[:80]}"
    links = (html.unescape(link) for link in re.findall(r'<a\b[^>]*\shref="([^"]+)"', page))
    for link in sorted({link for link in links if not re.match(r"https?:|#|mailto:", link)}):
        absolute = link if link.startswith("/") else "/" + urllib.parse.urljoin(path.partition("?")[0], link)
        if leads_nowhere(absolute):
            yield f"/{path}: there is no {link}"


def reference_faults():
    """References to pages, in the data that all pages are made from, to which there is no page."""
    for file in sorted((SITE / "data").rglob("*.json")):
        for reference in json.loads(file.read_text(encoding="utf-8")).get("references", {}).values():
            url = reference.get("url", "")
            if url.startswith("/documentation") and leads_nowhere(url):
                yield f"{file.relative_to(SITE)}: there is no {url}"


def chosen():
    """The pages to open: the same ones for the same site."""
    paths = [path for _, path, _, _ in json.loads((SITE / "search.json").read_text(encoding="utf-8"))]
    fixed = [path for path in paths if path.count("/") == 1 or "/page-" in path]
    rest = sorted(set(paths) - set(fixed))
    sample = random.Random(0).sample(rest, min(SAMPLE, len(rest)))
    return ["", "?q=retry", "documentation/", *(path + "/" for path in [*fixed, *sample])]


def main():
    if not (SITE / "search.json").exists():
        sys.exit("docs: there is no site; run scripts/docs first")
    root, paths = serve(), chosen()
    problems = list(reference_faults())
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for found in pool.map(lambda path: list(page_faults(root, path)), paths):
            problems += found
    print("\n".join([*problems, f"docs: {len(paths)} pages opened, {len(problems)} faults"]))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
