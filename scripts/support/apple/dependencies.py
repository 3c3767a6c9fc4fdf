"""The packages that Tarmac is built on, compiled for an Apple target from their own sources.

Only their declarations are compiled: bodies are skipped. The flags follow their manifests, as far as they change what is
declared.
"""

import dataclasses
import pathlib
import re
import subprocess

from toolchain import CheckFailure

EMPTY = "/dev/null"


@dataclasses.dataclass(frozen=True)
class Dependency:
    """A module, and the checkout and folder it is in. `clang`: folders of C modules whose headers it reads.

    `without`: names of files that are left out. `hollow`: only bodies name the module, so it is made of an empty file.
    """

    module: str
    checkout: str
    folder: str = ""
    flags: tuple = ()
    clang: tuple = ()
    language: str = "6"
    without: tuple = ()
    hollow: bool = False


def macros(name, versions, meaning):
    return tuple(part for version in versions for part in ("-define-availability", f"{name} {version}: {meaning}"))


def upcoming(*names):
    return tuple(part for name in names for part in ("-enable-upcoming-feature", name))


def experimental(*names):
    return tuple(part for name in names for part in ("-enable-experimental-feature", name))


def includes(checkout, *names):
    return tuple(f"{checkout}/Sources/{name}/include" for name in names)


MEMBERS = upcoming("MemberImportVisibility")
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

COLLECTIONS = (
    *experimental(
        "BuiltinModule", "Lifetimes", "InoutLifetimeDependence", "AddressableParameters", "AddressableTypes",
        "SuppressedAssociatedTypesWithDefaults"),
    *MEMBERS,
    *macros("SwiftStdlib", ["5.0"], "macOS 10.14.4, iOS 12.2, watchOS 5.2, tvOS 12.2"),
    *macros("SwiftStdlib", ["5.1"], "macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0"),
    *macros("SwiftStdlib", ["5.6"], "macOS 12.3, iOS 15.4, watchOS 8.5, tvOS 15.4"),
    *macros("SwiftStdlib", ["5.7"], "macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0"),
    *macros("SwiftStdlib", ["5.8"], "macOS 13.3, iOS 16.4, watchOS 9.4, tvOS 16.4"),
    *macros("SwiftStdlib", ["5.9"], "macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0"),
    *macros("SwiftStdlib", ["5.10"], "macOS 14.4, iOS 17.4, watchOS 10.4, tvOS 17.4, visionOS 1.1"),
    *macros("SwiftStdlib", ["6.0"], "macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0"),
    *macros("SwiftStdlib", ["6.1"], "macOS 15.4, iOS 18.4, watchOS 11.4, tvOS 18.4, visionOS 2.4"),
    *macros("SwiftStdlib", ["6.2"], "macOS 26.0, iOS 26.0, watchOS 26.0, tvOS 26.0, visionOS 26.0"),
    *macros("SwiftStdlib", ["6.3"], "macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4"),
    *macros("SwiftStdlib", ["6.4", "6.5"], "macOS 9999, iOS 9999, watchOS 9999, tvOS 9999, visionOS 9999"),
)
ATOMICS = includes("swift-atomics", "_AtomicsShims")
LIFETIMES = (*experimental("Lifetimes"), *MEMBERS)
LOGGING = upcoming("ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault", "NonisolatedNonsendingByDefault")
NIO_CLANG = ATOMICS + includes("swift-nio", "CNIOAtomics", "CNIODarwin", "CNIOLinux", "CNIOOpenBSD", "CNIOPosix", "CNIOWindows", "CNIOLLHTTP")
SSL = includes("swift-nio-ssl", "CNIOBoringSSL", "CNIOBoringSSLShims")
ZLIB = includes("swift-nio-extras", "CNIOExtrasZlib")


def nio(module):
    return Dependency(module, "swift-nio", flags=LIFETIMES, clang=NIO_CLANG)


NIO = [
    Dependency("Atomics", "swift-atomics", flags=experimental("BuiltinModule"), clang=ATOMICS, language="5"),
    Dependency("InternalCollectionsUtilities", "swift-collections", flags=COLLECTIONS),
    Dependency("ContainersPreview", "swift-collections", flags=COLLECTIONS),
    Dependency("DequeModule", "swift-collections", flags=COLLECTIONS),
    *map(nio, ["NIOConcurrencyHelpers", "_NIODataStructures", "_NIOBase64", "NIOCore", "NIOPosix", "NIOEmbedded", "NIO", "NIOTLS", "NIOHTTP1"]),
    Dependency("NIOHPACK", "swift-nio-http2", flags=MEMBERS, clang=NIO_CLANG),
    Dependency("NIOHTTP2", "swift-nio-http2", flags=MEMBERS, clang=NIO_CLANG),
    Dependency("NIOSSL", "swift-nio-ssl", flags=MEMBERS, clang=NIO_CLANG + SSL),
    Dependency("NIOHTTPCompression", "swift-nio-extras", flags=MEMBERS, clang=NIO_CLANG + ZLIB),
    Dependency("NIOSOCKS", "swift-nio-extras", flags=MEMBERS, clang=NIO_CLANG),
    Dependency("Logging", "swift-log", flags=LOGGING),
    Dependency("Instrumentation", "swift-distributed-tracing"),
    Dependency("ServiceContextModule", "swift-distributed-tracing"),
    Dependency("Tracing", "swift-distributed-tracing"),
    Dependency("Algorithms", "swift-algorithms", hollow=True),
    # The file left out reads options from swift-configuration. Tarmac names nothing of it.
    Dependency(
        "AsyncHTTPClient", "async-http-client", flags=MEMBERS, clang=NIO_CLANG + SSL + ZLIB + includes("async-http-client", "CAsyncHTTPClient"),
        without=("HTTPClientConfiguration+SwiftConfiguration.swift",)),
]
SYSTEM_VERSIONS = ["0.0.1", "0.0.2", "0.0.3", "1.1.0", "1.1.1", "1.2.0", "1.2.1", "1.3.0", "1.3.1", "1.3.2", "1.4.0", "1.7.0", "199"]
SYSTEM = macros("System", SYSTEM_VERSIONS, "macOS 10.10, iOS 8.0, watchOS 2.0, tvOS 9.0, visionOS 1.0")
SYSTEM_CLANG = includes("swift-system", "CSystem")
# The file left out needs the submodule Darwin.Mach.
SYSTEM_PACKAGE = Dependency(
    "SystemPackage", "swift-system", "Sources/System", clang=SYSTEM_CLANG, without=("MachPort.swift",),
    flags=SYSTEM + LIFETIMES + ("-D", "SYSTEM_PACKAGE", "-D", "SYSTEM_PACKAGE_DARWIN", "-D", "ENABLE_MOCKING"))
TOOLS = [
    Dependency("_NIOFileSystem", "swift-nio", flags=LIFETIMES + ("-D", "ENABLE_MOCKING"), clang=NIO_CLANG + SYSTEM_CLANG),
    Dependency("ArgumentParserToolInfo", "swift-argument-parser"),
    Dependency("ArgumentParser", "swift-argument-parser"),
]
ASYNC_ALGORITHMS = (
    *macros("AsyncAlgorithms", ["1.0"], "macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0"),
    *macros("AsyncAlgorithms", ["1.1", "1.2", "1.3"], "macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0"),
)
CONFIGURATION = (
    *upcoming("ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault", "NonisolatedNonsendingByDefault"), "-D", "JSON",
    *macros("Configuration", ["1.0"], "macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0"),
)
# What TarmacTelemetry needs besides what AsyncHTTPClient brings.
TELEMETRY_OWN = [
    SYSTEM_PACKAGE,
    Dependency("CoreMetrics", "swift-metrics", flags=MEMBERS),
    Dependency("OrderedCollections", "swift-collections", flags=COLLECTIONS),
    Dependency("AsyncAlgorithms", "swift-async-algorithms", flags=ASYNC_ALGORITHMS),
    Dependency("ConcurrencyHelpers", "swift-service-lifecycle"),
    Dependency("UnixSignals", "swift-service-lifecycle"),
    Dependency("ServiceLifecycle", "swift-service-lifecycle"),
    Dependency("Configuration", "swift-configuration", flags=CONFIGURATION, clang=SYSTEM_CLANG),
]
SHARED = {"InternalCollectionsUtilities", "ContainersPreview", "DequeModule", "Logging", "Instrumentation", "ServiceContextModule", "Tracing"}
TELEMETRY = [*(one for one in NIO if one.module in SHARED), *TELEMETRY_OWN]
# The executables are for macOS, so nothing of theirs is made for 32 bits.
EVERYWHERE = [*ALWAYS, *SQLITE, *CRYPTO, *MOCK_SERVER, *NIO, *TELEMETRY_OWN]
ALL = EVERYWHERE + TOOLS


def build(workshop, checkouts, dependencies):
    for dependency in dependencies:
        if workshop.has(dependency.module):
            continue
        if dependency.hollow:
            workshop.compile_module(dependency.module, [EMPTY], label="the dependency")
            continue
        folder = checkouts / dependency.checkout / (dependency.folder or f"Sources/{dependency.module}")
        left_out = [name for name in dependency.without if not list(folder.rglob(name))]
        if left_out:
            raise CheckFailure(f"{dependency.module} no longer has {left_out[0]} in {folder}")
        sources = sorted(path for path in folder.rglob("*.swift") if path.name not in dependency.without and ".docc" not in str(path))
        if not sources:
            raise CheckFailure(f"there are no sources of {dependency.module} in {folder}")
        flags = ["-swift-version", dependency.language, "-package-name", identifier(dependency.checkout), "-D", "SWIFT_PACKAGE", *dependency.flags]
        for place in dependency.clang:
            flags += ["-I", str(clang_module(workshop.cache, checkouts / place))]
        workshop.compile_module(dependency.module, sources, flags, label="the dependency")


def build_all(workshop, checkouts):
    """Builds every dependency; gives what went wrong, by dependency."""
    failures = {}
    for dependency in ALL if workshop.platform.bits == 64 else EVERYWHERE:
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
    # In Apple's SDK the libc headers belong to the module Darwin, so a module that includes one exports them all.
    written(made / "umbrella.h", f'#include "{folder / name}.h"\n#include <darwin.h>\n')
    written(made / "module.modulemap", f'module {name} {{ header "umbrella.h" export * }}\n')
    return made


def written(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


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
    return {dependency.checkout for dependency in ALL if not dependency.hollow}


def pins(folder):
    """What says which versions are checked out."""
    state = folder.parent / "workspace-state.json"
    found = sorted(re.findall(r'"revision" : "(\w+)"', state.read_text(encoding="utf-8"))) if state.exists() else []
    return "\n".join(found)
