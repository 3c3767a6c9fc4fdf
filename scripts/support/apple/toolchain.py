"""The installed Swift toolchain, and the Apple targets that its compiler is asked for."""

import dataclasses
import pathlib
import re
import shutil
import subprocess


@dataclasses.dataclass(frozen=True)
class Platform:
    name: str
    triple: str
    bits: int = 64

    def same_length(self, other):
        """The triple, with zeros in its version until it is as long as another's."""
        triple = self.triple
        while len(triple) < len(other.triple):
            triple += ".0" if len(triple) + 1 < len(other.triple) and triple.count(".") < 2 else "0"
        return triple


# The floors of Package.swift. arm64_32 is the watch's ABI with a 32-bit `Int`.
PLATFORMS = {
    platform.name: platform for platform in (
        Platform("ios", "arm64-apple-ios16.0"),
        Platform("macos", "arm64-apple-macosx13.0"),
        Platform("tvos", "arm64-apple-tvos16.0"),
        Platform("watchos", "arm64_32-apple-watchos9.0", bits=32),
        Platform("visionos", "arm64-apple-xros1.0"),
    )
}


class CheckFailure(Exception):
    """Something that the check itself needs does not work. The text says which."""


class Toolchain:
    def __init__(self):
        compiler = shutil.which("swiftc")
        if not compiler:
            raise CheckFailure("there is no swiftc on the PATH")
        self.root = pathlib.Path(compiler).resolve().parent.parent
        self.version = self.output("swiftc", "--version").splitlines()[0]

    @property
    def short_version(self):
        found = re.search(r"Swift version ([\w.]+)", self.version)
        return f"swift{found[1]}" if found else "swift"

    @property
    def interfaces(self):
        """The folder of the standard library's textual interfaces for Linux."""
        return self.root / "lib/swift/linux"

    def output(self, *command):
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            raise CheckFailure(f"{command[0]} fails: {result.stderr.strip() or result.stdout.strip()}")
        return result.stdout

    def interface(self, module):
        """The text of a module's interface, as the toolchain ships it."""
        folder = self.interfaces / f"{module}.swiftmodule"
        found = sorted(path for path in folder.glob("*.swiftinterface") if ".private." not in path.name)
        if not found:
            raise CheckFailure(f"the toolchain has no interface of {module} in {folder}")
        return found[0].read_text(encoding="utf-8")

    def printed(self, module):
        """The interface of a module that has no textual one, printed from its binary form."""
        triple = re.search(r"Target: (\S+)", self.output("swiftc", "--version")) or re.search(
            r'"triple": "([^"]+)"', self.output("swiftc", "-print-target-info"))
        return self.output(
            "swift-synthesize-interface", "-module-name", module, "-target", triple[1], "-print-fully-qualified-types",
            "-o", "/dev/stdout")


class Workshop:
    """A folder of modules, and the compiler that fills it.

    What Apple's SDK and the dependencies would give is made once for each architecture and lent to every platform of
    it: a module has the availability of all platforms.
    """

    def __init__(self, toolchain, cache, platform, base=None, name=None):
        self.toolchain, self.cache, self.platform, self.base = toolchain, cache, platform, base
        self.modules = cache / (name or platform.name)
        self.modules.mkdir(parents=True, exist_ok=True)

    def prefix(self, mode):
        # Objective-C interop needs Apple's Objective-C headers, which no open source carries.
        return [
            "swift-frontend", mode, "-target", self.platform.triple, "-sdk", str(self.cache / "sdk"),
            "-resource-dir", str(self.cache / "resource"), "-module-cache-path", str(self.cache / "clang"),
            "-plugin-path", str(self.toolchain.root / "lib/swift/host/plugins"),
            "-disable-objc-interop", "-I", str(self.modules),
            *(part for base in self.bases() for part in ("-I", str(base.modules))),
        ]

    def lend(self, platform):
        """The same modules under the name of another platform. A module names its target once, byte by byte."""
        ours, theirs = self.platform.triple.encode(), platform.same_length(self.platform).encode()
        lent = Workshop(self.toolchain, self.cache, platform, name=f"{self.modules.name}-{platform.name}")
        for workshop in [self, *self.bases()]:
            for module in workshop.modules.glob("*.swiftmodule"):
                copy = lent.modules / module.name
                if not copy.exists() or copy.stat().st_mtime < module.stat().st_mtime:
                    copy.write_bytes(module.read_bytes().replace(ours, theirs))
        return lent

    def bases(self):
        return [self.base, *self.base.bases()] if self.base else []

    def compile_interface(self, module, text, arguments=()):
        """Makes the module of a textual interface."""
        source = self.modules / f"{module}.in.swiftinterface"
        source.write_text(re.sub(r"-target \S+", f"-target {self.platform.triple}", text, count=1), encoding="utf-8")
        command = self.prefix("-compile-module-from-interface") + [
            str(source), "-module-name", module, "-o", str(self.modules / f"{module}.swiftmodule"),
            "-disable-availability-checking", *arguments,
        ]
        self.demand(command, f"the interface of {module} for {self.platform.name}")

    def compile_module(self, module, sources, arguments=(), label="the module"):
        """Makes the module of sources that only have to declare something: bodies are not looked at."""
        command = self.prefix("-emit-module") + [
            "-parse-as-library", "-module-name", module, "-o", str(self.modules / f"{module}.swiftmodule"),
            "-disable-availability-checking", "-experimental-skip-all-function-bodies", "-suppress-warnings",
            *arguments, *map(str, sources),
        ]
        self.demand(command, f"{label} {module} for {self.platform.name}")

    def has(self, module):
        return (self.modules / f"{module}.swiftmodule").exists()

    def diagnose(self, module, sources, arguments, output):
        """Compiles sources up to their diagnosed SIL, and gives what the compiler writes."""
        command = self.prefix("-emit-module") + [
            "-module-name", module, "-o", str(output), "-diagnostic-style", "llvm", *arguments, *map(str, sources),
        ]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode and "error:" not in result.stderr:
            return result.stderr + f"\n<unknown>:0: error: the compiler ended with status {result.returncode}"
        return result.stderr

    def demand(self, command, what):
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            errors = [line for line in result.stderr.splitlines() if "error:" in line] or result.stderr.splitlines()[-5:]
            raise CheckFailure("\n".join([f"{what} does not compile:", *errors[:20]]))
