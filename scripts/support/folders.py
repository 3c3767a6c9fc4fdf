#!/usr/bin/env python3
"""Checks that the folders of the kernel refer to each other in one direction, and prints the cycle if they do not.

The same holds for the folders within a folder, except for those of KNOT.

It reads the index of the last debug build. Where that is missing or older than the sources, it builds the kernel first. Files
for Apple platforms are not in an index made on Linux; in them it looks for the names of types.

    scripts/support/folders.py           prints nothing, or a cycle
    scripts/support/folders.py --order   prints the folders, each above all that it refers to
"""
import re
import subprocess
import sys
from pathlib import Path

from indexstore import Index

ROOT = Path(__file__).resolve().parents[2]
# A call, and below it what it is made of.
KERNELS = [ROOT / "Sources/TarmacHTTP", ROOT / "Sources/TarmacCore"]
# Settings, chain, service and context of a call refer to each other by their nature (Documentation/Decisions/0166): these folders may,
# and each pair at most as often as here, so that the knot only gets looser.
KNOT = {
    ("Call/Chain", "Call/Context"): 12, ("Call/Chain", "Call/Service"): 1,
    ("Call/Service", "Call/Chain"): 2, ("Call/Service", "Call/Context"): 18, ("Call/Settings", "Call/Context"): 14,
    ("Call/Settings", "Call/Service"): 20,
}
STORE = ROOT / ".build/debug/index/store"


def current_index(kernel: Path) -> Index:
    index = Index(STORE, kernel)
    if not is_current(index, kernel):
        build = [ROOT / "scripts/support/swift-build", "--enable-all-traits", "--target", kernel.name]
        subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        index = Index(STORE, kernel)
    return index


def is_current(index: Index, kernel: Path) -> bool:
    return all(index.times.get(file, 0) >= file.stat().st_mtime for file in kernel.rglob("*.swift") if "Darwin" not in file.parts)


def inside(file: Path) -> Path:
    """The path of a file within its module."""
    return file.relative_to(next(kernel for kernel in KERNELS if kernel in file.parents))


def folder(file: Path) -> str:
    return inside(file).parts[0]


def subfolder(file: Path) -> str:
    """The folder and the one in it. The files of a platform belong to the folder that has them."""
    parts = inside(file).parts
    return "/".join(parts[:2]) if len(parts) > 2 and parts[1] not in ("Darwin", "Linux") else parts[0]


def inner_edges(index: Index, kernel: Path) -> tuple[dict[str, dict[str, str]], list[str]]:
    """For each folder in a folder its neighbours that it refers to, without those of KNOT, and what KNOT does not allow."""
    found: dict[str, dict[str, str]] = {}
    counts: dict[tuple[str, str], int] = {}
    for file, line, identifier in index.references:
        target, name = index.definitions.get(identifier, (None, ""))
        if target is None or folder(target) != folder(file) or subfolder(target) == subfolder(file):
            continue
        pair = subfolder(file), subfolder(target)
        counts[pair] = counts.get(pair, 0) + 1
        if pair not in KNOT:
            where = f"{file.relative_to(ROOT)}:{line} refers to {name} in {inside(target)}"
            found.setdefault(pair[0], {}).setdefault(pair[1], where)
    faults = [f"Sources/TarmacCore: {source} refers to {target} {counts.get((source, target), 0)} times, and scripts/support/folders.py says {limit}"
              for (source, target), limit in KNOT.items() if kernel.name == "TarmacCore" and counts.get((source, target), 0) != limit]
    return found, faults


def edges(index: Index, kernel: Path) -> dict[str, dict[str, str]]:
    """For each folder those it refers to, with one reference for each."""
    found: dict[str, dict[str, str]] = {folder(file): {} for file in index.times}
    for file, line, identifier in index.references:
        target, name = index.definitions.get(identifier, (None, ""))
        if target is None or folder(target) == folder(file):
            continue
        found[folder(file)].setdefault(folder(target), f"{file.relative_to(ROOT)}:{line} refers to {name} in {inside(target)}")
    add_uncompiled(found, index, kernel)
    return found


def add_uncompiled(found: dict[str, dict[str, str]], index: Index, kernel: Path) -> None:
    """Adds the references of files that are not in the index, by the names of types."""
    types: dict[str, set[Path]] = {}
    for file, name in index.definitions.values():
        if re.fullmatch(r"[A-Z]\w+", name):
            types.setdefault(name, set()).add(file)
    # On Linux these are in the index too, empty.
    unread = {file for file in kernel.rglob("*.swift") if file not in index.times or "Darwin" in file.parts}
    for file in sorted(unread):
        code = "\n".join(line.split("//")[0] for line in file.read_text(encoding="utf-8").splitlines())
        for name in sorted(set(re.findall(r"\b[A-Z]\w+", code)) & set(types)):
            target = min(types[name])
            if len(types[name]) == 1 and folder(target) != folder(file):
                found[folder(file)].setdefault(folder(target), f"{file.relative_to(ROOT)} names {name} in {inside(target)}")


def sort(graph: dict[str, dict[str, str]]) -> tuple[list[str], list[str]]:
    """The folders, lowest first, and a cycle as the list of its folders; one of the two is empty."""
    done: list[str] = []
    path: list[str] = []

    def visit(name: str) -> list[str]:
        if name in path:
            return path[path.index(name):]
        if name in done:
            return []
        path.append(name)
        for other in sorted(graph.get(name, {})):
            if cycle := visit(other):
                return cycle
        done.append(path.pop())
        return []

    for name in sorted(graph):
        if cycle := visit(name):
            return [], cycle
    return done, []


def report(graph: dict[str, dict[str, str]], cycle: list[str]) -> bool:
    """Prints a cycle with one reference for each of its arrows; returns whether there is one."""
    if cycle:
        print("folders refer to each other in a cycle: " + " → ".join(cycle + cycle[:1]))
        for name, other in zip(cycle, cycle[1:] + cycle[:1]):
            print(f"    {graph[name][other]}")
    return bool(cycle)


def check(kernel: Path) -> int:
    index = current_index(kernel)
    graph = edges(index, kernel)
    if len(graph) < 2:
        print(f"folders: the index of {kernel.name} is empty")
        return 1
    order, cycle = sort(graph)
    if report(graph, cycle):
        return 1
    inner, faults = inner_edges(index, kernel)
    print("\n".join(faults), end="\n" if faults else "")
    if report(inner, sort(inner)[1]) or faults:
        return 1
    if "--order" in sys.argv[1:]:
        print(" → ".join(reversed(order)))
    return 0


def main() -> int:
    return max(check(kernel) for kernel in KERNELS)


if __name__ == "__main__":
    sys.exit(main())
