"""The size of an iOS program that uses the package, measured on Linux: `__TEXT` of the two programs in Tests/Consumers/Size.

The toolchain's compiler makes arm64-apple-ios16.0 objects, one a module, with -Osize, and lld links them with -dead_strip. Apple's
frameworks are the stand-ins of scripts/support/apple, here with Objective-C and with the standard library's bodies, which may be inlined.
What they have not, the linker leaves undefined. So the figures are a few per cent too small, and good for comparison.

    size.py print|check|write FOLDER CHECKOUT_OF_SWIFT_HTTP_TYPES
"""

import pathlib
import re
import shutil
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
APPLE = HERE.parent / "apple"
sys.path.insert(0, str(APPLE))
import dependencies, foundation, headers, products, stdlib  # noqa: E402
from toolchain import CheckFailure, Toolchain  # noqa: E402

TRIPLE = "arm64-apple-ios16.0"
SEAMS = {
    "Sources/TarmacHTTP/Support/Darwin/Bridging.swift": HERE / "CoreBridging.swift",
    "Sources/TarmacURLSession/Darwin/Bridging.swift": HERE / "SessionBridging.swift",
}
PROGRAMS = {"SizeCore": "TarmacCore", "Size": "Tarmac"}
RECORD = ROOT / "Tests/Consumers/Size/size-ios.txt"
# How much a total may exceed its record.
SLACK = 1.05


class Measurement:
    def __init__(self, folder, http_types):
        self.folder, self.http_types, self.toolchain = folder, http_types, Toolchain()
        self.cache, self.modules, self.objects = folder / "cache", folder / "modules", folder / "objects"
        for path in (self.cache, self.modules, self.objects):
            path.mkdir(parents=True, exist_ok=True)

    def frontend(self, mode, *arguments):
        return ["swift-frontend", mode, "-target", TRIPLE, "-sdk", self.cache / "sdk", "-resource-dir", self.cache / "resource", "-module-cache-path",
                self.cache / "clang", "-plugin-path", self.toolchain.root / "lib/swift/host/plugins", "-enable-objc-interop", "-I", self.modules, *arguments]

    def run(self, what, command):
        result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        if result.returncode:
            errors = [line for line in result.stderr.splitlines() if "error:" in line][:20]
            raise CheckFailure(f"{what} does not compile:\n" + ("\n".join(errors) or result.stderr[-2000:]))
        print(f"  {what}", file=sys.stderr, flush=True)

    # The platform

    def make_platform(self):
        done = self.modules / "done"
        if done.exists() and done.read_text() == self.toolchain.version:
            return
        headers.build(self.toolchain, self.cache)
        include = self.cache / "sdk/usr/include"
        (include / "objc_umbrella.h").write_text("".join(f"#include <objc/{name}.h>\n" for name in ("objc", "NSObject", "runtime", "message")))
        modules = include / "module.modulemap"
        if "objc_umbrella" not in modules.read_text():
            modules.write_text(modules.read_text() + 'module ObjectiveC [system] { header "objc_umbrella.h" export * }\n')
        notes = self.cache / "resource/apinotes"
        if not notes.is_symlink():
            notes.symlink_to(self.toolchain.root / "lib/swift/apinotes")
        for module in stdlib.MODULES:
            self.make_standard_module(module)
        shims = APPLE / "shims"
        self.make_shim("Darwin", (shims / "Darwin.swift").read_text())
        self.make_shim("ObjectiveC", (HERE / "ObjectiveC.swift").read_text())
        dispatch = re.sub(r"open class DispatchObject \{", "import ObjectiveC\nopen class DispatchObject : NSObject {", (shims / "Dispatch.swift").read_text())
        self.make_shim("Dispatch", dispatch.replace("DispatchObject : NSObject { init() {} }", "DispatchObject : NSObject { override init() {} }"))
        for name in ("CoreFoundation", "Security", "CFNetwork"):
            self.make_shim(name, (shims / f"{name}.swift").read_text())
        self.make_foundation(shims)
        self.make_shim("os", (HERE / "os.swift").read_text())
        for name in ("CoreGraphics", "Network"):
            self.make_shim(name, (shims / f"{name}.swift").read_text())
        done.write_text(self.toolchain.version)

    def make_standard_module(self, module):
        text = self.toolchain.interface(module).replace(" -static ", " ", 1).replace("-disable-objc-interop", "-enable-objc-interop")
        text = stdlib.applied(module, stdlib.RULES.get(module, []), text)
        if module == "Swift":
            text += "\n" + (HERE / "Swift.txt").read_text()
        source = self.modules / f"{module}.in.swiftinterface"
        source.write_text(re.sub(r"-target \S+", f"-target {TRIPLE}", text, count=1))
        self.make_interface(module, source, *(["-parse-stdlib"] if module == "Swift" else []))

    def make_interface(self, module, source, *flags):
        self.run(module, self.frontend(
            "-compile-module-from-interface", source, "-module-name", module, "-o", self.modules / f"{module}.swiftmodule",
            "-disable-availability-checking", *flags))

    def make_shim(self, module, text):
        source = self.modules / f"{module}.shim.swift"
        source.write_text(text)
        self.run(module, self.frontend(
            "-emit-module", "-parse-as-library", "-enable-library-evolution", "-module-name", module, "-o", self.modules / f"{module}.swiftmodule",
            "-disable-availability-checking", "-experimental-skip-non-inlinable-function-bodies", "-suppress-warnings", "-swift-version", "5",
            "-disable-objc-attr-requires-foundation-module", source))

    def make_foundation(self, shims):
        text = foundation.converted(self.toolchain.printed("FoundationEssentials"))
        hand = "\n".join(path.read_text() for path in sorted((shims / "Foundation").glob("*.swiftinterface")))
        hand = hand.replace("Foundation.NSObjectProtocol", "ObjectiveC.NSObjectProtocol").replace("Foundation.ObjCBool", "ObjectiveC.ObjCBool")
        for there in (r"public protocol NSObjectProtocol : AnyObject \{ \}\n", r"extension ObjectiveC.NSObject : ObjectiveC.NSObjectProtocol \{ \}\n"):
            hand = re.sub(there, "", hand)
        hand = re.sub(r"@frozen public struct ObjCBool .*?\n\}\n", "", hand, flags=re.S)
        header = foundation.HEADER.format(version=self.toolchain.version, module="Foundation")
        header = header.replace("-disable-objc-interop", "-enable-objc-interop -disable-objc-attr-requires-foundation-module")
        layout = (HERE / "Data.txt").read_text()
        text, count = re.subn(r"(@frozen public struct Data : [^\n]*\{\n)", lambda found: found[1] + layout, text)
        if count != 1:
            raise CheckFailure("the interface of Foundation has no Data that is frozen (ios/size.py)")
        source = self.modules / "Foundation.in.swiftinterface"
        source.write_text(header + foundation.IMPORTS + text + "\n" + hand)
        self.make_interface("Foundation", source)

    # The package

    def compile(self, module, sources, flags):
        self.run(module, self.frontend(
            "-c", "-I", self.objects, "-Osize", "-module-name", module, "-enforce-exclusivity=checked", "-suppress-warnings",
            "-disable-objc-attr-requires-foundation-module", "-emit-module-path", self.objects / f"{module}.swiftmodule",
            "-I", ROOT / "Sources/CZlib", "-disable-all-autolinking", *flags, *sources, "-o", self.objects / f"{module}.o"))

    def compile_all(self, modules):
        self.compile("HTTPTypes", sorted((self.http_types / "Sources/HTTPTypes").rglob("*.swift")), [
            "-swift-version", "6", "-parse-as-library", "-package-name", "swift_http_types", "-D", "SWIFT_PACKAGE", *dependencies.HTTP_TYPES,
            "-enable-upcoming-feature", "InternalImportsByDefault"])
        flags = {product.module: product.flags for product in products.LIBRARIES}
        for module in modules:
            sources = [SEAMS.get(str(path.relative_to(ROOT)), path) for path in sorted((ROOT / "Sources" / module).rglob("*.swift"))]
            self.compile(module, sources, [*products.SETTINGS, *flags[module]])
        for program in PROGRAMS:
            sources = sorted((ROOT / "Tests/Consumers/Size/Sources" / program).rglob("*.swift"))
            self.compile(program, sources, ["-swift-version", "6", "-parse-as-library"])

    def link(self, program, modules, linker):
        objects = [self.objects / f"{module}.o" for module in ["HTTPTypes", *modules, program]]
        output = self.folder / program
        self.run(f"link {program}", [
            linker, "-arch", "arm64", "-platform_version", "ios", "16.0", "16.0", "-e", "_main", "-undefined", "dynamic_lookup", "-w",
            "-dead_strip", "-o", output, *objects])
        return text_size(output.read_bytes())


def text_size(data):
    """The sum of the sections of the segment __TEXT of a 64-bit Mach-O file."""
    count, place, total = struct.unpack_from("<I", data, 16)[0], 32, 0
    for _ in range(count):
        command, length = struct.unpack_from("<II", data, place)
        # LC_SEGMENT_64: its sections of 80 bytes follow its 72.
        if command == 0x19 and data[place + 8 : place + 24].rstrip(b"\0") == b"__TEXT":
            for number in range(struct.unpack_from("<I", data, place + 64)[0]):
                total += struct.unpack_from("<Q", data, place + 72 + 80 * number + 40)[0]
        place += length
    return total


def closure(*names):
    """The modules that some need, in the order in which they are compiled."""
    needs = {product.module: product.needs for product in products.LIBRARIES}
    found = set()

    def add(name):
        if name not in found:
            found.add(name)
            # Each room may use what several rooms need.
            for other in (*needs[name], *(("TarmacSupport",) if "TarmacCore" in needs[name] and name not in ("TarmacSupport",) else ())):
                add(other)

    for name in names:
        add(name)
    return [product.module for product in products.LIBRARIES if product.module in found]


def linker():
    # Not the toolchain's, which refuses every Apple platform.
    for name in ("ld64.lld", *(f"ld64.lld-{version}" for version in range(22, 14, -1))):
        if path := shutil.which(name, path="/usr/bin:/usr/local/bin"):
            return path
    raise CheckFailure("there is no ld64.lld in /usr/bin (package lld)")


def main():
    mode, folder, http_types = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    measurement, tool = Measurement(folder, http_types), linker()
    parts = {"SizeCore": closure("TarmacCore", "TarmacURLSession"), "Size": closure("Tarmac", "TarmacURLSession")}
    measurement.make_platform()
    measurement.compile_all(parts["Size"])
    totals = {PROGRAMS[program]: measurement.link(program, parts[program], tool) for program in PROGRAMS}
    for product, total in totals.items():
        print(f"{product}: {total} bytes")
    if mode == "write":
        RECORD.write_text("".join(f"{product} {total}\n" for product, total in totals.items()))
    if mode == "check":
        record = dict(line.split() for line in RECORD.read_text().splitlines())
        grown = [product for product, total in totals.items() if total > SLACK * int(record[product])]
        for product in grown:
            print(f"{product}: more than {SLACK:.2f} times the {record[product]} bytes of {RECORD.relative_to(ROOT)}", file=sys.stderr)
        return 1 if grown else 0
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CheckFailure as failure:
        sys.exit(f"size: {failure}")
