"""Dumps and counts the public declarations of the package's library products. Called by scripts/api.

A dump has every declaration. The count leaves out what restates something that has been counted, or that every Swift
programmer knows, and prints how many these are:

- a default implementation of a requirement: the requirement is counted;
- a member of a type that witnesses a requirement of one of the package's own public protocols that the product shows: again the
  requirement is;
- a member that witnesses a protocol of the standard library (`STANDARD`), such as `description`, `==` or `encode(to:)`:
  the conformance is part of the type's declaration.

Types, enum cases, requirements and every overload count as one each.
"""

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
# `import M` gives the whole module, `import struct M.Name` one name with its members.
REEXPORT = re.compile(r"^\s*@_exported\s+(?:public\s+)?import\s+(?:\w+\s+(?=\w+\.))?(\w+)(?:\.(\w+))?", re.MULTILINE)
# The compiler adds them by itself to nearly every type.
IMPLICIT = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}
# What a conformance to a protocol of the standard library adds to a type.
STANDARD = {
    "Equatable": {"==(_:_:)"},
    "Hashable": {"hash(into:)"},
    "Comparable": {"<(_:_:)"},
    "Identifiable": {"id"},
    "CustomStringConvertible": {"description"},
    "CustomDebugStringConvertible": {"debugDescription"},
    "CustomReflectable": {"customMirror"},
    "Encodable": {"encode(to:)"},
    "Decodable": {"init(from:)"},
    "RawRepresentable": {"rawValue", "init(rawValue:)"},
    "Collection": {"startIndex", "endIndex", "index(after:)"},
    "BidirectionalCollection": {"index(before:)"},
    "RangeReplaceableCollection": {"init()", "replaceSubrange(_:with:)"},
    "_Concurrency.AsyncSequence": {"Element", "Iterator", "makeAsyncIterator()"},
    "_Concurrency.AsyncIteratorProtocol": {"Element", "next()"},
    "ExpressibleByArrayLiteral": {"init(arrayLiteral:)"},
    "ExpressibleByBooleanLiteral": {"init(booleanLiteral:)"},
    "ExpressibleByDictionaryLiteral": {"init(dictionaryLiteral:)"},
    "ExpressibleByFloatLiteral": {"init(floatLiteral:)"},
    "ExpressibleByIntegerLiteral": {"init(integerLiteral:)"},
    "ExpressibleByStringLiteral": {"init(stringLiteral:)"},
}


# The declarations that a reader of `import Tarmac` has to learn may only become fewer. The bar was 1,300.
MOST = {"Tarmac": 1_285}


def library_products(package):
    """The targets of each library product."""
    return {product["name"]: product["targets"] for product in package["products"] if "library" in product["type"]}


def source_folders(package):
    return {target["name"]: pathlib.Path(target.get("path") or f"Sources/{target['name']}") for target in package["targets"]}


def modules_of(targets, folders):
    """The modules that a program with these targets sees, each with the names that it sees of it; `None` for all."""
    found, waiting = {}, [(target, None) for target in targets]
    while waiting:
        module, name = waiting.pop(0)
        if module not in folders or (module in found and (name is None or found[module] is None)):
            continue
        if module not in found:
            for path in sorted(folders[module].rglob("*.swift")):
                waiting += [(other, one or None) for other, one in REEXPORT.findall(path.read_text(encoding="utf-8"))]
        found[module] = None if name is None else found.get(module, set()) | {name}
    return found


def outermost(symbol):
    """The name at file level that a symbol is, or belongs to."""
    return symbol["pathComponents"][0].split("(")[0]


class Shown:
    """What of some modules a program sees that imports a product."""

    def __init__(self, modules, graphs):
        self.modules, self.graphs = modules, graphs
        tops = {module: {outermost(symbol) for graph in graphs[module] for symbol in graph["symbols"] if len(symbol["pathComponents"]) == 1} for module in modules}
        seen = {module: names if names is not None else tops[module] for module, names in modules.items()}
        self.hidden = set().union(*tops.values()) - set().union(*seen.values())

    def graph_list(self):
        """The graphs with the shown symbols alone."""
        return [
            graph | {"symbols": [symbol for symbol in graph["symbols"] if outermost(symbol) not in self.hidden]}
            for module in self.modules
            for graph in self.graphs[module]
        ]


def module_maps():
    """The module maps the build was made with."""
    manifest = pathlib.Path(".build/debug.yaml").read_text(encoding="utf-8")
    return sorted(set(re.findall(r"-fmodule-map-file=([^\"\s]+)", manifest)))


def symbol_graphs(module, maps, place=BUILD / "Modules"):
    """The symbol graphs of a module in the folder `place`: its own, and one for each module it extends."""
    if not (place / f"{module}.swiftmodule").exists():
        sys.exit(f"api: {module} is not built; run scripts/build first")
    triple = BUILD.resolve().parent.name
    with tempfile.TemporaryDirectory() as folder:
        command = ["swift-symbolgraph-extract", "-module-name", module, "-target", triple, "-I", str(place), "-I", str(BUILD / "Modules")]
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


def lines_of(graphs, whole):
    """A line for each declaration; that of a type names its conformances, also those to protocols that only `whole` has."""
    conformances, defaults = collections.defaultdict(set), set()
    for graph in graphs:
        for relationship in graph["relationships"]:
            if relationship["kind"] == "defaultImplementationOf":
                defaults.add(relationship["source"])
            protocol = (relationship.get("targetFallback") or "").removeprefix("Swift.")
            if relationship["kind"] == "conformsTo" and protocol not in IMPLICIT:
                conformances[relationship["source"]].add(protocol or relationship["target"])
    names = {symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"]) for graph in whole for symbol in graph["symbols"]}
    conformances = {source: {names.get(protocol, protocol) for protocol in protocols} for source, protocols in conformances.items()}
    lines = []
    for graph in graphs:
        for symbol in filter(is_declared, graph["symbols"]):
            path = ".".join(symbol["pathComponents"])
            lines.append(f"{path} | {declaration(symbol, conformances, defaults)}")
    return sorted(lines)


class Repeats:
    """Which declarations of a product restate another one."""

    def __init__(self, graphs):
        names = {symbol["identifier"]["precise"]: symbol["pathComponents"][-1] for graph in graphs for symbol in graph["symbols"]}
        self.owners, self.defaults = {}, set()
        self.requirements, self.protocols = collections.defaultdict(set), collections.defaultdict(set)
        adopters = collections.defaultdict(set)
        for relationship in (relationship for graph in graphs for relationship in graph["relationships"]):
            kind, source, target = (relationship[key] for key in ("kind", "source", "target"))
            if kind == "memberOf":
                self.owners[source] = target
            elif kind == "defaultImplementationOf":
                self.defaults.add(source)
            elif kind in ("requirementOf", "optionalRequirementOf"):
                self.requirements[target].add(names.get(source))
            elif kind in ("conformsTo", "inheritsFrom"):
                self.protocols[source].add(target)
                adopters[target].add(source)
                standard = (relationship.get("targetFallback") or "").removeprefix("Swift.")
                self.requirements[target] |= STANDARD.get(standard, set())
        self.own = {symbol["identifier"]["precise"] for graph in graphs for symbol in graph["symbols"]}
        # A member of a protocol's extension can witness what the types that adopt the protocol conform to.
        for protocol in self.own & set(adopters):
            self.protocols[protocol] |= {found for kind in adopters[protocol] for found in self.protocols[kind]} - self.own

    def kind(self, symbol):
        """How a declaration restates another one, or `None` if it is one to count."""
        identifier, name = symbol["identifier"]["precise"], symbol["pathComponents"][-1]
        if identifier in self.defaults:
            return "default implementations"
        for protocol in self.reachable(self.owners.get(identifier)):
            if name in self.requirements[protocol]:
                return "witnesses of its own protocols" if protocol in self.own else "witnesses of the standard library's"
        return None

    def reachable(self, kind):
        found, waiting = [], list(self.protocols.get(kind, ()))
        while waiting:
            protocol = waiting.pop()
            if protocol not in found:
                found.append(protocol)
                waiting += self.protocols.get(protocol, ())
        return found


def count(product, modules, shown):
    """Prints how many declarations a product has to learn, by module, and how many are not counted. Returns whether they are not too many."""
    graphs = shown.graph_list()
    repeats = Repeats(graphs)
    by_module, left_out = collections.Counter(), collections.Counter()
    for graph in graphs:
        for symbol in filter(is_declared, graph["symbols"]):
            kind = repeats.kind(symbol)
            if kind:
                left_out[kind] += 1
            else:
                by_module[graph["module"]["name"]] += 1
    counted = sum(by_module.values())
    rest = ", ".join(f"{number} {kind}" for kind, number in sorted(left_out.items()))
    print(f"{counted:6}  {product}, of {counted + sum(left_out.values())} declarations" + (f"; not counted: {rest}" if rest else ""))
    if len(modules) > 1:
        print("        " + ", ".join(f"{module} {number}" for module, number in by_module.most_common()))
    if counted > MOST.get(product, counted):
        print(f"{product} has {counted} declarations to learn, and scripts/support/api.py allows {MOST[product]}")
        return False
    return True


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
        shown = Shown(found, graphs)
        lines = lines_of(shown.graph_list(), [graph for module in found for graph in graphs[module]])
        stale |= not count(product, found, shown)
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
        sys.exit("api: the dumps in Documentation/API are not current, or have too much; run scripts/api")


if __name__ == "__main__":
    main()
