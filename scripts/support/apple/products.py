"""The modules of Package.swift that are checked, in the order in which they need each other."""

import dataclasses
import hashlib

import dependencies
import seams

# The settings that Package.swift gives every target.
SETTINGS = [
    "-swift-version", "6", "-package-name", "tarmac", "-parse-as-library", "-D", "SWIFT_PACKAGE",
    "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature", "InternalImportsByDefault",
    "-enable-upcoming-feature", "MemberImportVisibility",
]
TRAITS = ["NIO", "Crypto", "SQLite", "Redis", "Inspector", "Telemetry", "MockServer", "Tools"]


@dataclasses.dataclass(frozen=True)
class Product:
    module: str
    trait: str = ""
    flags: tuple = ()
    needs: tuple = ("TarmacCore",)
    packages: tuple = ()
    platforms: tuple = ()


EVERYDAY = ("TarmacReform", "TarmacLog", "TarmacAuth", "TarmacCache", "TarmacTransfer", "TarmacGroups")
LIBRARIES = [
    Product("TarmacMasking", needs=()),
    Product("TarmacDigest", needs=()),
    Product("TarmacJSON", flags=("-strict-memory-safety",), needs=("TarmacMasking",)),
    Product("TarmacHTTP", needs=("TarmacMasking", "TarmacDigest", "TarmacJSON")),
    Product("TarmacCore", needs=("TarmacHTTP",)),
    Product("TarmacSupport"),
    *(Product(room) for room in ("TarmacReform", "TarmacFormats", "TarmacLog", "TarmacSigning", "TarmacResilience", "TarmacAuth", "TarmacPresentation")),
    Product("TarmacCallLog", needs=("TarmacLog",)),
    Product("TarmacHAR", needs=("TarmacCallLog",)),
    Product("TarmacCache", needs=("TarmacResilience",)),
    Product("TarmacTransfer", needs=("TarmacResilience",)),
    Product("TarmacResumableUpload", needs=("TarmacTransfer",)),
    Product("TarmacStreams", needs=("TarmacResilience",)),
    Product("TarmacTraffic", needs=("TarmacResilience",)),
    Product("TarmacGroups", needs=("TarmacPresentation",)),
    Product("TarmacOutbox", needs=("TarmacResumableUpload",)),
    Product("Tarmac", needs=EVERYDAY),
    Product("TarmacConnection"),
    Product("TarmacResolver"),
    Product("TarmacURLSession", needs=("TarmacConnection",)),
    Product("TarmacBackground", needs=("TarmacTransfer", "TarmacURLSession")),
    Product("TarmacXML", needs=("TarmacFormats",)),
    Product("TarmacCookies"),
    Product("TarmacCrypto", "Crypto", needs=("TarmacSigning", "TarmacTransfer"), packages=tuple(dependencies.CRYPTO)),
    Product("TarmacInspector", "Inspector", needs=("TarmacHAR",), packages=tuple(dependencies.MOCK_SERVER)),
    Product("TarmacSQLite", "SQLite", needs=("TarmacCache", "TarmacCookies", "TarmacOutbox"), packages=tuple(dependencies.SQLITE)),
    Product("TarmacRedis", "Redis", needs=("TarmacAuth", "TarmacCache", "TarmacTraffic")),
    Product("TarmacTesting", "MockServer", needs=("TarmacCache", "TarmacOutbox"), packages=tuple(dependencies.MOCK_SERVER)),
    Product("TarmacTelemetry", "Telemetry", needs=("TarmacResilience",), packages=tuple(dependencies.TELEMETRY)),
    Product("TarmacNIO", "NIO", needs=("TarmacConnection", "TarmacResolver"), packages=tuple(dependencies.NIO)),
]
EVERYTHING = (
    "Tarmac", "TarmacCallLog", "TarmacHAR", "TarmacOutbox", "TarmacSigning", "TarmacCookies", "TarmacURLSession", "TarmacBackground", "TarmacCrypto", "TarmacInspector",
    "TarmacSQLite", "TarmacStreams", "TarmacTesting", "TarmacTraffic", "TarmacResumableUpload", "TarmacNIO",
)
TOOLS = [
    Product("TarmacCLI", "Tools", needs=EVERYTHING, packages=tuple(dependencies.ALL), platforms=("macos",)),
    Product("TarmacBench", "Tools", needs=EVERYTHING, packages=tuple(dependencies.ALL), platforms=("macos",)),
]
ALL = LIBRARIES + TOOLS


@dataclasses.dataclass
class Row:
    """One line of the table: a module on one platform, with or without its trait."""

    module: str
    platform: str
    traits: str
    errors: list
    note: str = ""


class Inspection:
    """The modules of one platform. A module whose dependency has errors is not compiled: its own would not be true."""

    def __init__(self, repository, workshop):
        self.repository, self.workshop = repository, workshop
        self.failed, self.digests = set(), {}

    def rows(self, product):
        without = self.row(product, [], "without" if product.trait else "-")
        if not product.trait:
            return [without]
        failures = [self.workshop.failures[name] for name in product.packages if name in self.workshop.failures]
        if failures:
            self.failed.add(product.module)
            return [without, Row(product.module, self.workshop.platform.name, f"with {product.trait}", failures)]
        traits = TRAITS if product.trait == "Tools" else [product.trait]
        return [without, self.row(product, traits, "with")]

    def row(self, product, traits, label):
        row = Row(product.module, self.workshop.platform.name, f"{label} {product.trait}".strip(), [])
        blocked = [name for name in product.needs if name in self.failed]
        if blocked:
            self.failed.add(product.module)
            row.note = f"not compiled: {', '.join(blocked)} has errors"
            return row
        sources = sorted((self.repository / "Sources" / product.module).rglob("*.swift"))
        flags = SETTINGS + ["-I", str(self.repository / "Sources/CZlib"), *product.flags]
        flags += [flag for trait in traits for flag in ("-D", trait)]
        flags += dependencies.header_flags(self.workshop.cache, self.workshop.checkouts, product.packages if traits else ())
        row.errors, row.note = self.diagnosed(product.module, sources, flags, product.needs, label)
        if row.errors:
            self.failed.add(product.module)
        return row

    def diagnosed(self, module, sources, flags, needs, label):
        """The errors of a module; from the last run when nothing it depends on has changed since."""
        compiled = seams.with_stand_ins(self.repository, sources)
        digest = hashlib.sha256("\0".join([str(self.workshop.base.modules), self.workshop.platform.triple] + flags + [self.digests.get(name, "") for name in needs]).encode())
        for path in compiled:
            digest.update(str(path).encode() + b"\0" + path.read_bytes())
        if label != "without":
            self.digests[module] = digest.hexdigest()
        output = self.workshop.modules / ("without" if label == "without" else "") / f"{module}.swiftmodule"
        output.parent.mkdir(exist_ok=True)
        stamp = output.with_suffix(".clean")
        if output.exists() and stamp.exists() and stamp.read_text() == digest.hexdigest():
            return [], "unchanged"
        stamp.unlink(missing_ok=True)
        errors = errors_of(self.workshop.diagnose(module, compiled, flags, output))
        if not errors:
            stamp.write_text(digest.hexdigest())
        return errors, ""


def errors_of(text):
    seen = {}
    for line in text.splitlines():
        if " error: " in line:
            seen.setdefault(line)
    return list(seen)
