"""The packages that Tarmac is built on, compiled for an Apple target from their own sources.

Only their declarations are compiled: bodies are skipped. The flags follow their manifests, as far as they change what is
declared.
"""

import dataclasses
import pathlib
import re
import subprocess

from toolchain import CheckFailure


@dataclasses.dataclass(frozen=True)
class Dependency:
    """A module, and the checkout and folder it is in. `clang`: folders of C modules whose headers it reads."""

    module: str
    checkout: str
    folder: str = ""
    flags: tuple = ()
    clang: tuple = ()
    language: str = "6"


def macros(name, versions, meaning):
    return tuple(part for version in versions for part in ("-define-availability", f"{name} {version}: {meaning}"))


MEMBERS = ("-enable-upcoming-feature", "MemberImportVisibility")
HTTP_TYPES = macros("HTTPTypes", [f"1.{minor}" for minor in range(10)], "macOS 10.0")

ALWAYS = [Dependency("HTTPTypes", "swift-http-types", flags=HTTP_TYPES + ("-enable-upcoming-feature", "InternalImportsByDefault"))]
SQLITE = [
    Dependency("GRDB", "GRDB.swift", "GRDB", flags=("-D", "SQLITE_ENABLE_FTS5", "-D", "SQLITE_DISABLE_SNAPSHOT"), clang=("GRDB.swift/Sources/GRDBSQLite",)),
]
CRYPTO = [
    # On Apple platforms swift-crypto is CryptoKit. Its own declarations carry CryptoKit's availability.
    Dependency(
        "CryptoBoringWrapper", "swift-crypto", flags=MEMBERS + ("-D", "CRYPTO_IN_SWIFTPM", "-D", "CRYPTO_IN_SWIFTPM_FORCE_BUILD_API"),
        clang=("swift-crypto/Sources/CCryptoBoringSSL/include", "swift-crypto/Sources/CCryptoBoringSSLShims/include")),
    Dependency(
        "Crypto", "swift-crypto", flags=MEMBERS + ("-D", "CRYPTO_IN_SWIFTPM", "-D", "CRYPTO_IN_SWIFTPM_FORCE_BUILD_API", "-D", "MODULE_IS_CRYPTO"),
        clang=tuple(f"swift-crypto/Sources/{name}/include" for name in ("CCryptoBoringSSL", "CCryptoBoringSSLShims", "CXKCP", "CXKCPShims"))),
    Dependency("RawStructuredFieldValues", "swift-http-structured-headers", flags=MEMBERS),
]
MOCK_SERVER = [
    Dependency("FlyingSocks", "FlyingFox", "FlyingSocks/Sources"),
    Dependency("FlyingFox", "FlyingFox", "FlyingFox/Sources"),
]

# Not listed: the graphs of AsyncHTTPClient and swift-argument-parser. README.md says what they need.
NIO = []
TOOLS = []
UNAVAILABLE = {"TarmacNIO", "TarmacCLI", "TarmacBench"}


def build(workshop, checkouts, dependencies):
    for dependency in dependencies:
        if workshop.has(dependency.module):
            continue
        folder = checkouts / dependency.checkout / (dependency.folder or f"Sources/{dependency.module}")
        sources = sorted(path for path in folder.rglob("*.swift") if "Windows" not in path.name)
        if not sources:
            raise CheckFailure(f"there are no sources of {dependency.module} in {folder}")
        flags = ["-swift-version", dependency.language, "-package-name", identifier(dependency.checkout), "-D", "SWIFT_PACKAGE", *dependency.flags]
        for place in dependency.clang:
            flags += ["-I", str(clang_module(workshop.cache, checkouts / place))]
        workshop.compile_module(dependency.module, sources, flags, label="the dependency")


def build_all(workshop, checkouts):
    """Builds every dependency; gives what went wrong, by dependency."""
    failures = {}
    for dependency in [*ALWAYS, *SQLITE, *CRYPTO, *MOCK_SERVER, *NIO, *TOOLS]:
        try:
            build(workshop, checkouts, [dependency])
        except CheckFailure as failure:
            failures[dependency] = str(failure)
    return failures


def clang_module(cache, folder):
    """A folder whose headers are a module: itself when it has a module map, else one that refers to its umbrella header."""
    if (folder / "module.modulemap").exists():
        return folder
    name = folder.parent.name
    made = cache / "maps" / name
    made.mkdir(parents=True, exist_ok=True)
    (made / "module.modulemap").write_text(f'module {name} {{ umbrella header "{folder / name}.h" export * }}\n', encoding="utf-8")
    return made


def identifier(checkout):
    return re.sub(r"\W", "_", checkout.lower())


def header_flags(cache, checkouts, packages):
    """The C modules that a module's own dependencies read."""
    places = dict.fromkeys(place for package in packages for place in package.clang)
    return [flag for place in places for flag in ("-I", str(clang_module(cache, checkouts / place)))]


def checkouts(repository, cache):
    """The folder of the dependencies' sources: that of the last build, or one that is resolved for this check."""
    built = repository / ".build/checkouts"
    if built.exists() and all((built / name).exists() for name in needed_checkouts()):
        return built
    scratch = cache / "packages"
    if not all((scratch / "checkouts" / name).exists() for name in needed_checkouts()):
        result = subprocess.run(
            ["swift", "package", "--package-path", str(repository), "--scratch-path", str(scratch), "--enable-all-traits", "resolve"],
            capture_output=True, text=True)
        if result.returncode:
            raise CheckFailure(f"the dependencies cannot be resolved: {result.stderr.strip()}")
    return scratch / "checkouts"


def needed_checkouts():
    return {dependency.checkout for group in (ALWAYS, SQLITE, CRYPTO, MOCK_SERVER, NIO, TOOLS) for dependency in group}


def pins(folder):
    """What says which versions are checked out."""
    state = folder.parent / "workspace-state.json"
    found = sorted(re.findall(r'"revision" : "(\w+)"', state.read_text(encoding="utf-8"))) if state.exists() else []
    return "\n".join(found)
