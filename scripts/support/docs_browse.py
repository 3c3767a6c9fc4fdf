"""Opens every page of the API reference in Chromium, from a plain file server on loopback. Called by scripts/docs --browse.

A page must have the heading that its data states, a text, and a dark background, as the user prefers one. The front page, searches, the
landing page, the pages of the products, the articles and a sample of the other pages are loaded as from a bookmark; so many that it
would take half an hour are followed to as a click on a link does, which leaves the scripts of the site in place. The former are opened
for a user who prefers a light background too. A search must find what it looks for.

Every link of a page must lead to a file, and to a heading of its page where it names one. So must every reference to a page in all
of DocC's data, which has also what a page shows only after a click. The server counts each request that it has no file for.
"""

import functools
import http.server
import json
import os
import pathlib
import queue
import random
import re
import sys
import threading
import time
import urllib.parse

from docs_chromium import Browser, Tab

SITE = pathlib.Path(".build-docs/site")
TABS = 2 * (os.cpu_count() or 1)
SAMPLE = 100
# The text of every page is longer: it has a title, a kind and a declaration or a list.
SHORTEST = 20
# Waits until the scripts of the page have made it, 15 s at most, and looks at it.
LOOK = """(async () => {
  const followed = FOLLOWED;
  if (followed) {
    const app = document.getElementById("app").__vue__;
    await app.$router.push(followed);
    await app.$nextTick();
  }
  const made = () => document.querySelector("main h1") && (!location.search || document.querySelector("#results a"));
  for (const start = Date.now(); Date.now() - start < 15000 && !made();) await new Promise(resolve => setTimeout(resolve, 50));
  const main = document.querySelector("main"), heading = document.querySelector("main h1");
  const canvas = document.body.appendChild(document.createElement("div"));
  canvas.style.backgroundColor = "Canvas";
  let behind = heading ?? main ?? document.body;
  const color = element => getComputedStyle(element).backgroundColor;
  while (behind && color(behind).endsWith(", 0)")) behind = behind.parentElement;
  const found = {
    address: location.href,
    heading: heading?.innerText ?? "",
    text: heading ? main.innerText : "",
    background: color(behind ?? canvas),
    foreground: getComputedStyle(heading ?? document.body).color,
    links: [...document.querySelectorAll("a[href]")].map(link => link.href),
    names: [...document.querySelectorAll("[id]")].map(element => element.id),
    results: [...document.querySelectorAll("#results a")].map(link => link.textContent),
  };
  canvas.remove();
  return found;
})()"""
# A search, and what its first result is.
SEARCHES = {"retryrule": "RetryRule", "client": "Client", "bearer": "static func bearer(String) -> Authentication"}


class Server(http.server.SimpleHTTPRequestHandler):
    missing = set()

    def log_message(self, *arguments):
        pass

    def send_error(self, code, *arguments, **more):
        self.missing.add(f"{code} {self.path}")
        super().send_error(code, *arguments, **more)


def serve():
    """The address of a server that has the site; it ends with the script."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/"


def title(path):
    """The title of a page in DocC's data; None for a page that DocC did not make."""
    file = SITE / "data" / (path.strip("/") + ".json")
    return json.loads(file.read_text(encoding="utf-8")).get("metadata", {}).get("title") if path and file.exists() else None


def leads_nowhere(link):
    """Whether a path of the site has no file."""
    path = SITE / urllib.parse.unquote(link.partition("#")[0].partition("?")[0]).strip("/")
    return not (path.is_file() or (path / "index.html").exists())


def reference_faults():
    """References to pages, in the data that all pages are made from, to which there is no page."""
    for file in sorted((SITE / "data").rglob("*.json")):
        for reference in json.loads(file.read_text(encoding="utf-8")).get("references", {}).values():
            url = reference.get("url", "")
            if url.startswith("/documentation") and leads_nowhere(url):
                yield f"{file.relative_to(SITE)}: there is no {url}"


def brightness(color):
    """Of a CSS color, from 0 to 255."""
    red, green, blue = (float(part) for part in re.findall(r"[\d.]+", color)[:3])
    return 0.299 * red + 0.587 * green + 0.114 * blue


class Site:
    """The site as the tabs have seen it so far."""

    def __init__(self, root):
        self.root = root
        # {path: the names that a link can lead to}, {(path, name): a page with such a link}
        self.names, self.anchors = {}, {}
        self.checked = set()

    def address(self, path):
        return self.root + urllib.parse.quote(path, safe="/?=:(),@&+%")

    def look(self, tab, path, scheme, follows):
        """The faults of a page."""
        address = self.address(path)
        tab.prefer(scheme)
        if not follows:
            tab.open(address)
        found = tab.value(LOOK.replace("FOLLOWED", json.dumps("/" + path) if follows else "null"))
        text, heading = (re.sub(r"\s+", " ", found[part]).strip() for part in ("text", "heading"))
        if leads_nowhere(path) or urllib.parse.unquote(found["address"]).strip("/") != urllib.parse.unquote(address).strip("/"):
            yield f"/{path}: there is no such page, but {found['address']}"
        if len(text) < SHORTEST or "can’t be found" in text or "can't be found" in text or heading != (title(path) or heading):
            yield f"/{path}: the page is empty: {heading}: {text[:80]}"
            return
        behind, before = brightness(found["background"]), brightness(found["foreground"])
        if not (behind < 60 and before > 180 if scheme == "dark" else behind > 195 and before < 75):
            yield f"/{path}: not {scheme}: {found['foreground']} on {found['background']}"
        if "?q=" in path:
            wanted = SEARCHES[urllib.parse.unquote(path.partition("=")[2])]
            if found["results"][:1] != [wanted]:
                yield f"/{path}: the first result is {found['results'][:1]} and not {wanted}"
        yield from self.link_faults(path, found)

    def link_faults(self, path, found):
        self.names[path.strip("/")] = set(found["names"])
        for link in set(found["links"]):
            if not link.startswith(self.root):
                continue
            target, _, name = link.removeprefix(self.root).partition("#")
            target = urllib.parse.unquote(target)
            if name:
                self.anchors.setdefault((target.strip("/"), urllib.parse.unquote(name)), path)
            if target not in self.checked:
                self.checked.add(target)
                if leads_nowhere(target):
                    yield f"/{path}: there is no /{target}"

    def anchor_faults(self):
        for (target, name), path in sorted(self.anchors.items()):
            if name not in self.names.get(target.partition("?")[0], ()):
                yield f"/{path}: there is no heading {name} on /{target}"


def visits():
    """Each page, the scheme to open it with, and whether the site is loaded already."""
    paths = [path + "/" for _, path, _, _ in json.loads((SITE / "search.json").read_text(encoding="utf-8"))]
    searches = ["?q=" + urllib.parse.quote(query) for query in SEARCHES]
    first = ["", *searches, "documentation/", *(path for path in paths if path.count("/") == 2 or "/page-" in path)]
    rest = sorted(set(paths) - set(first))
    # The same ones for the same site.
    first += random.Random(0).sample(rest, min(SAMPLE, len(rest)))
    return [(path, scheme, False) for path in first for scheme in ("light", "dark")], [(path, "dark", True) for path in rest]


def browse(site, tabs, pages):
    """Opens pages in several tabs; the faults."""
    waiting, problems = queue.SimpleQueue(), []
    for page in pages:
        waiting.put(page)

    def work(tab):
        while True:
            try:
                page = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                problems.extend(site.look(tab, *page))
            except Exception as error:  # The other pages are to be opened all the same.
                problems.append(f"/{page[0]}: cannot be opened: {error!r}")

    threads = [threading.Thread(target=work, args=(tab,)) for tab in tabs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return problems


def open_all(site, loaded, followed):
    with Browser() as browser:
        tabs = [Tab(browser) for _ in range(TABS)]
        problems = browse(site, tabs, loaded)
        for tab in tabs:
            problems += site.look(tab, "documentation/", "dark", False)
        return problems + browse(site, tabs, followed)


def main():
    if not (SITE / "search.json").exists():
        sys.exit("docs: there is no site; run scripts/docs first")
    start, site = time.monotonic(), Site(serve())
    loaded, followed = visits()
    problems = [*reference_faults(), *open_all(site, loaded, followed), *site.anchor_faults()]
    problems += (f"the server has no file for {path}" for path in sorted(Server.missing))
    print("\n".join(problems))
    pages = {path for path, _, _ in [*loaded, *followed]}
    print(f"docs: {len(pages)} pages opened, {len(loaded)} times loaded and {len(followed)} times followed to;",
          f"{len(site.checked)} links, {len(site.anchors)} to headings; {len(problems)} faults, {time.monotonic() - start:.0f} s")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
