"""Type-checks the package for Apple platforms. scripts/apple-check calls it; README.md says how it works."""

import argparse
import hashlib
import pathlib
import shutil
import subprocess
import sys
import time

import apple
import dependencies
import faults
import headers
import manifest
import products
import seams
from toolchain import PLATFORMS, CheckFailure, Toolchain, Workshop

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[2]
CACHE = REPOSITORY / ".build-apple"
# What the standard library and the headers are made by, and the rest of what Apple's SDK and the dependencies would give.
STANDARD = ["toolchain.py", "stdlib.py", "headers.py", "headers/*.*", "headers/sys/*", "SDKSettings.json"]
FRAMEWORKS = ["apple.py", "foundation.py", "dependencies.py", "shims/*.swift", "shims/Foundation/*"]
APP_PLATFORMS = ("ios", "macos")


def main():
    arguments = parsed()
    started = time.monotonic()
    toolchain = Toolchain()
    checkouts = dependencies.checkouts(REPOSITORY, CACHE)
    cache = CACHE / f"{toolchain.short_version}-{hashed(STANDARD, toolchain.version)}"
    for old in CACHE.glob("swift*-*"):
        if old != cache or arguments.cold:
            shutil.rmtree(old)
    headers.build(toolchain, cache)
    complaints = list(seams.disagreements(REPOSITORY)) + list(manifest.complaints(REPOSITORY))
    rows = []
    for name in arguments.target or PLATFORMS:
        workshop = prepared(toolchain, cache, PLATFORMS[name], checkouts)
        rows += inspected(workshop, arguments.module)
        if not arguments.module:
            complaints += faults.missed(workshop)
        print(f"apple-check: {name} after {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    report(rows, complaints)
    sys.exit(1 if complaints or any(row.errors or row.note.startswith("not compiled") for row in rows) else 0)


def parsed():
    parser = argparse.ArgumentParser(prog="scripts/apple-check", description=__doc__)
    parser.add_argument("--target", action="append", choices=list(PLATFORMS), help="one platform; may be repeated. Default: all")
    parser.add_argument("--module", action="append", help="one module and those it needs; the planted faults are left out")
    parser.add_argument("--cold", action="store_true", help="makes the interfaces again")
    return parser.parse_args()


def hashed(patterns, seed):
    """The hash of files of this folder."""
    digest = hashlib.sha256(seed.encode())
    for path in sorted(path for pattern in patterns for path in HERE.glob(pattern)):
        digest.update(str(path.relative_to(HERE)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def prepared(toolchain, cache, platform, checkouts):
    """The workshop of a platform, on top of what its architecture shares."""
    architecture = platform.triple.split("-")[0]
    # macOS for all of 64 bits: no dependency then imports UIKit.
    maker = PLATFORMS["macos"] if platform.bits == 64 else platform
    standard = Workshop(toolchain, cache, maker, name=architecture)
    name = f"{architecture}-{hashed(FRAMEWORKS, dependencies.pins(checkouts))}"
    for old in cache.glob(f"{architecture}-*"):
        if old.name != name:
            shutil.rmtree(old)
    base = Workshop(toolchain, cache, maker, base=standard, name=name)
    apple.build(base)
    failures = dependencies.build_all(base, checkouts)
    apple.build_after_dependencies(base)
    workshop = Workshop(toolchain, cache, platform, base=base if maker == platform else base.lend(platform))
    workshop.failures = failures
    workshop.checkouts = checkouts
    return workshop


def inspected(workshop, wanted):
    inspection, rows = products.Inspection(REPOSITORY, workshop), []
    apple.build_for_app(workshop)
    for product in needed(wanted):
        if product.platforms and workshop.platform.name not in product.platforms:
            continue
        rows += inspection.rows(product)
    if workshop.platform.name in APP_PLATFORMS and not wanted:
        rows += app(inspection)
    return rows


def needed(wanted):
    """The products to check: all, or those named with what they need."""
    if not wanted:
        return products.ALL
    known = {product.module: product for product in products.ALL}
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise CheckFailure(f"there is no module {unknown[0]}; known are {', '.join(known)}")
    names, waiting = set(), list(wanted)
    while waiting:
        name = waiting.pop()
        names.add(name)
        waiting += known[name].needs
    return [product for product in products.ALL if product.module in names]


def app(inspection):
    """The example app, when there is one."""
    sources = sorted((REPOSITORY / "Examples/App").rglob("*.swift"))
    sources = [path for path in sources if path.name != "Package.swift" and not any(part.startswith(".") for part in path.parts)]
    if not sources or inspection.failed:
        return []
    flags = ["-swift-version", "6", "-parse-as-library", "-I", str(REPOSITORY / "Sources/CZlib")]
    needs = tuple(product.module for product in products.LIBRARIES)
    errors, note = inspection.diagnosed("ExampleApp", sources, flags, needs, "-")
    return [products.Row("Examples/App", inspection.workshop.platform.name, "-", errors, note)]


def report(rows, complaints):
    names = list(dict.fromkeys(row.platform for row in rows))
    table = {}
    for row in rows:
        mark = "-" if row.note.startswith("not compiled") else str(len(row.errors))
        table.setdefault((row.module, row.traits), {})[row.platform] = mark
    print(f"{'errors':<18}{'trait':<20}" + "".join(f"{name:>10}" for name in names))
    for (module, traits), cells in table.items():
        print(f"{module:<18}{traits:<20}" + "".join(f"{cells.get(name, ''):>10}" for name in names))
    seen = {}
    for row in rows:
        for error in row.errors:
            seen.setdefault(error, []).append(row.platform)
    for error, platforms in seen.items():
        print(f"{error.removeprefix(str(REPOSITORY) + '/')} [{', '.join(dict.fromkeys(platforms))}]")
    for complaint in complaints:
        print(complaint.replace(str(REPOSITORY) + "/", ""))
    if not seen and not complaints:
        print("apple-check: clean")


try:
    main()
except CheckFailure as failure:
    print(f"apple-check: {failure}", file=sys.stderr)
    sys.exit(2)
