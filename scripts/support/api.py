"""Dumps and counts the public declarations of the package's library products. Called by scripts/api."""

import collections
import concurrent.futures
import difflib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(".build/debug")
DUMPS = pathlib.Path("Documentation/API")
REEXPORT = re.compile(r"^\s*@_exported\s+(?:public\s+)?import\s+(?:\w+\s+)?(\w+)", re.MULTILINE)
# The compiler adds them by itself to nearly every type.
IMPLICIT = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}


def library_products(package):
    """The targets of each library product."""
    return {product["name"]: product["targets"] for product in package["products"] if "library" in product["type"]}


def source_folders(package):
    return {target["name"]: pathlib.Path(target.get("path") or f"Sources/{target['name']}") for target in package["targets"]}


def modules_of(targets, folders):
    """The targets and what they re-export, of this package."""
    found = []
    waiting = list(targets)
    while waiting:
        module = waiting.pop(0)
        if module in found or module not in folders:
            continue
        found.append(module)
        for path in sorted(folders[module].rglob("*.swift")):
            waiting += REEXPORT.findall(path.read_text(encoding="utf-8"))
    return found


def module_maps():
    """The module maps the build was made with."""
    manifest = pathlib.Path(".build/debug.yaml").read_text(encoding="utf-8")
    return sorted(set(re.findall(r"-fmodule-map-file=([^\"\s]+)", manifest)))


def symbol_graphs(module, maps):
    """The symbol graphs of a module: its own, and one for each module it extends."""
    if not (BUILD / "Modules" / f"{module}.swiftmodule").exists():
        sys.exit(f"api: {module} is not built; run scripts/build first")
    triple = BUILD.resolve().parent.name
    with tempfile.TemporaryDirectory() as folder:
        command = ["swift-symbolgraph-extract", "-module-name", module, "-target", triple, "-I", str(BUILD / "Modules")]
        command += ["-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folder]
        for path in maps:
            command += ["-Xcc", f"-fmodule-map-file={path}"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"api: the symbol graph of {module} cannot be extracted\n{done.stderr}")
        return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(pathlib.Path(folder).glob("*.symbols.json"))]


def is_declared(symbol):
    """Whether it stands in a source file: what the compiler derives, such as `init(rawValue:)`, has no place."""
    return "location" in symbol


def declaration(symbol, conformances, defaults):
    text = re.sub(r"\s+", " ", "".join(part["spelling"] for part in symbol["declarationFragments"])).strip()
    identifier = symbol["identifier"]["precise"]
    if identifier in defaults:
        return text + " (default)"
    # The text of a protocol has them already.
    protocols = [] if symbol["kind"]["identifier"] == "swift.protocol" else sorted(conformances.get(identifier, ()))
    return text + (" : " + ", ".join(protocols) if protocols else "")


def lines_of(graphs):
    """A line for each declaration; that of a type names its conformances."""
    conformances, defaults = collections.defaultdict(set), set()
    for graph in graphs:
        for relationship in graph["relationships"]:
            if relationship["kind"] == "defaultImplementationOf":
                defaults.add(relationship["source"])
            protocol = (relationship.get("targetFallback") or "").removeprefix("Swift.")
            if relationship["kind"] == "conformsTo" and protocol not in IMPLICIT:
                conformances[relationship["source"]].add(protocol or relationship["target"])
    names = {symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"]) for graph in graphs for symbol in graph["symbols"]}
    conformances = {source: {names.get(protocol, protocol) for protocol in protocols} for source, protocols in conformances.items()}
    lines = []
    for graph in graphs:
        for symbol in filter(is_declared, graph["symbols"]):
            path = ".".join(symbol["pathComponents"])
            lines.append(f"{path} | {declaration(symbol, conformances, defaults)}")
    return sorted(lines)


def main():
    mode = sys.argv[1]
    # With a folder of its own it does not wait for a build.
    manifest = ["swift", "package", "--scratch-path", ".build-api", "dump-package"]
    package = json.loads(subprocess.run(manifest, capture_output=True, text=True, check=True).stdout)
    products, folders, maps = library_products(package), source_folders(package), module_maps()
    modules = {product: modules_of(targets, folders) for product, targets in products.items()}
    needed = sorted({module for found in modules.values() for module in found})
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        graphs = dict(zip(needed, pool.map(lambda module: symbol_graphs(module, maps), needed)))
    DUMPS.mkdir(parents=True, exist_ok=True)
    stale = False
    for product, found in sorted(modules.items()):
        lines = lines_of([graph for module in found for graph in graphs[module]])
        print(f"{len(lines):6}  {product}" + (f" with {', '.join(found[1:])}" if len(found) > 1 else ""))
        path = DUMPS / f"{product}.txt"
        old = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        if mode == "write":
            path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        elif old != lines:
            stale = True
            sys.stdout.writelines(line + "\n" for line in difflib.unified_diff(old, lines, str(path), "this build", lineterm="", n=0))
    for path in sorted(DUMPS.glob("*.txt")):
        if path.stem not in modules:
            if mode == "write":
                path.unlink()
            else:
                stale = True
                print(f"{path}: there is no such product")
    if stale:
        sys.exit("api: the dumps in Documentation/API are not current; run scripts/api")


main()
