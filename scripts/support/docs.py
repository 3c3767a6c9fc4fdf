"""Writes the API reference of the library products to .build-docs/site. Called by scripts/docs.

The modules link to each other in both directions: the kernel names the rooms that read a setting, and the rooms name the kernel.
So each module is converted twice. The first round makes the lists of what can be linked to; the second reads those of all other
modules. DocC looks for a name in the module alone unless the link begins with a module, and doc comments do not: `qualified`
completes such a link when one other module declares the name.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import api
import docs_articles
import docs_curation
import docs_search

OUTPUT = pathlib.Path(".build-docs")
GRAPHS = OUTPUT / "graphs"
CATALOGUES = OUTPUT / "catalogues"
SITE = OUTPUT / "site"
SYMBOL_LINK = re.compile(r"``([^`/][^`]*)``")
# `name-2aeml`, `name-swift.struct`, `name-(Int)` and `name->_`.
DISAMBIGUATION = re.compile(r"-[0-9a-z]{4,6}$|-swift\.[a-z.]+$|-\([^)]*\)$|->.*$")
WARNING = re.compile(r"^(?:warning|error): .*$(?:\n(?!(?:warning|error): ).*$)*", re.MULTILINE)


def in_parallel(work, items):
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return list(pool.map(work, items))


def run(command, what):
    """The output of a command that must succeed."""
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"docs: {what}\n{done.stdout}")
    return done.stdout


def warnings_of(output):
    """Each warning and error, with the lines that explain it. None is left out."""
    return [warning.strip() for warning in WARNING.findall(output)]


def with_floor(name, floor="TarmacHTTP", kernel="TarmacCore"):
    """Moves what `floor` declares into the graphs of `kernel`, which exports it and has its pages, in the graphs of the module `name`."""
    folder = GRAPHS / name
    found = {}
    for path in [*sorted(folder.glob("*.json")), *(sorted((GRAPHS / floor).glob("*.json")) if name == kernel else [])]:
        file = path.name.replace(floor, kernel).replace(f"{kernel}@{kernel}.", f"{kernel}.")
        found.setdefault(file, []).append(json.loads(path.read_text(encoding="utf-8")))
        path.unlink()
    for file, parts in found.items():
        graph = parts[0] | {key: [entry for part in parts for entry in part[key]] for key in ("symbols", "relationships")}
        graph["module"]["name"] = name
        if file == f"{kernel}.symbols.json":
            # An extension within a module has no page: its members belong to the type.
            types = {link["source"]: link["target"] for link in graph["relationships"] if link["kind"] == "extensionTo"}
            graph["symbols"] = [symbol for symbol in graph["symbols"] if symbol["identifier"]["precise"] not in types]
            graph["relationships"] = [link | {end: types.get(link[end], link[end]) for end in ("source", "target")}
                                      for link in graph["relationships"] if link["kind"] != "extensionTo"]
        for symbol in graph["symbols"]:
            extension = symbol.get("swiftExtension", {})
            if extension.get("extendedModule") == floor:
                extension["extendedModule"] = kernel
        (folder / file).write_text(json.dumps(graph), encoding="utf-8")


def products():
    """The library products. Each has one module, of its name."""
    command = ["swift", "package", "--scratch-path", ".build-api", "dump-package"]
    package = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return list(api.library_products(package))


def extract(module):
    """Writes the symbol graphs of a module: its own, and one for each module that it extends. Returns the warnings."""
    if not (api.BUILD / "Modules" / f"{module}.swiftmodule").exists():
        sys.exit(f"docs: {module} is not built; run scripts/docs without --skip-build")
    folder = GRAPHS / module
    folder.mkdir(parents=True)
    command = ["swift-symbolgraph-extract", "-module-name", module, "-target", api.BUILD.resolve().parent.name]
    command += ["-I", api.BUILD / "Modules", "-minimum-access-level", "public", "-skip-synthesized-members"]
    command += ["-emit-extension-block-symbols", "-output-dir", folder]
    for path in api.module_maps():
        command += ["-Xcc", f"-fmodule-map-file={path}"]
    return warnings_of(run(command, f"the symbol graph of {module} cannot be extracted"))


def graphs(module):
    return {path: json.loads(path.read_text(encoding="utf-8")) for path in sorted((GRAPHS / module).glob("*.json"))}


def scoped(path, symbol):
    """The path of a symbol, as a tuple. That of one in a graph `Room@Kernel.symbols.json` begins with `Kernel`."""
    extended = path.name.removesuffix(".symbols.json").partition("@")[2]
    return (*([extended] if extended else []), *symbol["pathComponents"])


def declared(module):
    return {scoped(path, symbol) for path, graph in graphs(module).items() for symbol in graph["symbols"]}


def qualified(link, scope, module, names):
    """A link as DocC resolves it from the symbol at `scope`: with a module in front when another module declares the name."""
    path = tuple(DISAMBIGUATION.sub("", part) for part in re.split(r"/(?![^(]*\))", link))
    if path[0] in names or any((*scope[:length], *path) in names[module] for length in range(len(scope) + 1)):
        return link
    owners = [other for other in names if path in names[other]]
    if len(owners) == 1:
        return f"/{owners[0]}/{link}"
    # What a module adds to another one: its own additions, or those of one other module.
    added = {other: [name[0] for name in names[other] if name[1:] == path and name[0] in names] for other in names}
    if added[module]:
        return f"{added[module][0]}/{link}"
    owners = [other for other in names if added[other]]
    return f"/{owners[0]}/{added[owners[0]][0]}/{link}" if len(owners) == 1 else link


def complete_links(module, names):
    """Completes the links to other modules in the doc comments of a module's symbol graphs."""
    for path, graph in graphs(module).items():
        for symbol in graph["symbols"]:
            for line in symbol.get("docComment", {}).get("lines", []):
                scope = scoped(path, symbol)
                line["text"] = SYMBOL_LINK.sub(lambda match: f"``{qualified(match[1], scope, module, names)}``", line["text"])
        path.write_text(json.dumps(graph), encoding="utf-8")


def convert(module, folder, dependencies, base):
    """Makes the archive of a module; the warnings."""
    command = ["docc", "convert", CATALOGUES / f"{module}.docc", "--additional-symbol-graph-dir", GRAPHS / module]
    command += ["--fallback-display-name", module, "--fallback-bundle-identifier", module, "--fallback-default-module-kind", "Product"]
    command += ["--enable-experimental-external-link-support", "--hosting-base-path", base]
    command += ["--output-path", folder / f"{module}.doccarchive"]
    for other in dependencies:
        command += ["--dependency", other]
    return warnings_of(run(command, f"{module} cannot be converted"))


def convert_all(modules, base):
    """The archives, and the warnings of all modules. Those of the first round are again in the second, but for links to other modules."""
    with tempfile.TemporaryDirectory() as folder:
        first = pathlib.Path(folder)
        in_parallel(lambda module: convert(module, first, [], base), modules)
        archives = {module: first / f"{module}.doccarchive" for module in modules}
        warnings = in_parallel(
            lambda module: convert(module, OUTPUT, [archives[other] for other in modules if other != module], base), modules)
    return [OUTPUT / f"{module}.doccarchive" for module in modules], [warning for found in warnings for warning in found]


def automatic_topics():
    """The topics that DocC made for symbols that no page names: of a product, and of a type with many members.

    What a type has from a protocol of another module, such as `description`, is on a page for each protocol.
    """
    for file in sorted((SITE / "data/documentation").rglob("*.json")):
        page = json.loads(file.read_text(encoding="utf-8"))
        topics = [topic for topic in page.get("topicSections", []) if topic["title"] != "Default Implementations"]
        made = [topic["title"] for topic in topics if topic.get("generated")]
        is_product = page["metadata"].get("symbolKind") == "module"
        if is_product or sum(len(topic["identifiers"]) for topic in topics) > docs_curation.FEW:
            path = page["identifier"]["url"].partition("/documentation/")[2]
            yield from (f"{path}: symbols under \"{title}\" are in no topic of its page" for title in made)


def main():
    base = sys.argv[1]
    modules = products()
    shutil.rmtree(OUTPUT, ignore_errors=True)
    for module in modules:
        shutil.copytree(f"Sources/{module}/{module}.docc", CATALOGUES / f"{module}.docc")
    docs_articles.add(CATALOGUES / "Tarmac.docc")
    problems = [warning for found in in_parallel(extract, [*modules, "TarmacHTTP"]) for warning in found]
    for module in modules:
        with_floor(module)
    names = {module: declared(module) for module in modules}
    in_parallel(lambda module: complete_links(module, names), modules)
    archives, warnings = convert_all(modules, base)
    merge = ["docc", "merge", *archives, "--synthesized-landing-page-name", "Tarmac", "--output-path", SITE]
    problems += warnings + warnings_of(run(merge, "the archives cannot be merged"))
    # The navigator's index has one root, the landing page that `docc merge` makes.
    index = json.loads((SITE / "index/index.json").read_text(encoding="utf-8"))["interfaceLanguages"]["swift"][0]["children"]
    problems += automatic_topics()
    for archive in archives:
        shutil.rmtree(archive)
    # DocC's scripts ask for it on every page, and do without it.
    (SITE / "theme-settings.json").write_text("{}", encoding="utf-8")
    pages = docs_search.write(SITE, index)
    print("\n\n".join([*problems, f"docs: {pages} pages in {SITE}, {len(problems)} warnings"]))
    sys.exit(1 if problems else 0)


main()
