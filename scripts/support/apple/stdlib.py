"""The standard library for an Apple target, made of the toolchain's own textual interfaces for Linux.

The interfaces carry Apple's availability. The rules below change what only Linux has. Each rule must match at least
once: a toolchain that no longer has its text fails with the name of the interface and the rule.
"""

import re

from toolchain import CheckFailure

MODULES = [
    "Swift", "SwiftOnoneSupport", "_Builtin_float", "_Concurrency", "Synchronization", "_RegexParser", "_StringProcessing",
    "RegexBuilder", "Observation",
]

# (what it is for, pattern, replacement), by module.
RULES = {
    "Swift": [
        ("a body for the trap of unavailable code", r"(func _diagnoseUnavailableCodeReached\(\) -> Swift\.Never)$", r"\1 { fatalError() }"),
        ("80-bit remainder, which arm64 lacks", r"self = _stdlib_remainderl\(self, other\)", "fatalError()"),
        ("80-bit square root, which arm64 lacks", r"self = _stdlib_squareRootl\(self\)", "fatalError()"),
    ],
    # A function that is deployed back needs a body for older systems, and the interfaces of Linux leave bodies out.
    "_Concurrency": [("no back deployment", r"^\s*@backDeployed\(before:[^\n]*\)\n", "")],
    "Synchronization": [
        ("no Glibc", r"^import Glibc\n", ""),
        ("a function of the C library's shims", r"\Z", "\n@usableFromInline internal func _swift_stdlib_gettid() -> Swift.UInt32\n"),
    ],
    "Observation": [("no Glibc", r"^import Glibc\n", "")],
}

# `Int` and `UInt` of 32 bits. First the bodies of the two types and their extensions, then what others do with them.
INTEGER = re.compile(r"^(@frozen public struct U?Int\b[ :]|extension .*\bSwift\.U?Int\b)")
INSIDE_INTEGER = [
    ("shift masks", r"\brhs & 63\b", "rhs & 31"),
    ("bit width", r"get \{ return 64 \}", "get { return 32 }"),
    ("word count", r"\(64 \+ 64 - 1\) / 64", "(32 + 32 - 1) / 32"),
    ("word shift", r"&\* 64$", "&* 32"),
    ("half shift", r"UInt8\(64\)\._value", "UInt8(32)._value"),
    ("from a machine word", r"[zs]extOrBitCast_Word_Int32\(_v\)", "truncOrBitCast_Word_Int32(_v)"),
    ("to a machine word", r"truncOrBitCast_Int32_Word\(_value\)", "sextOrBitCast_Int32_Word(_value)"),
    ("sign bit", r"&>> 63\b", "&>> 31"),
    ("hash", r"_hash\(seed: seed, UInt64\(_value\)\)", "_hash(seed: seed, UInt64(truncatingIfNeeded: self))"),
]
AROUND_INTEGER = [
    ("largest capacity", r"return 0x4000_0000_0000_0000$", "return 0x4000_0000"),
    ("low word of 128 bits", r"UInt\(Builtin\.trunc_Int128_Int64\(_value\)\)", "UInt(Builtin.trunc_Int128_Int32(_value))"),
    ("floats of integers", r"(Builtin\.[su]itofp_)Int64(_FPIEEE\d+\((?:v|extended)\._value\))", r"\1Int32\2"),
    ("words of 64 bits", r"(return UInt\(\n\s*Builtin\.)[zs]extOrBitCast_Int64_Int64\(_value\)", r"\1trunc_Int64_Int32(_value)"),
    ("words of small integers", r"(return UInt\(\n\s*Builtin\.[zs]extOrBitCast_Int\d+_)Int64(\(_value\))", r"\1Int32\2"),
    ("small integers of words", r"(self\.init\(\n\s*Builtin\.truncOrBitCast_)Int64(_Int(?:8|16|32)\(bits\._value\))", r"\1Int32\2"),
    ("assumption on a sign", r"(return Int\(Builtin\.assumeNonNegative_)Int64(\(x\._value\))", r"\1Int32\2"),
]
# The one place where the sign decides: 64-bit integers of words, the unsigned type's first.
WORDS = re.compile(r"(self\.init\(\n\s*Builtin\.)truncOrBitCast_Int64_Int64(\(bits\._value\))")


def interface(toolchain, module, bits):
    text = toolchain.interface(module)
    text = text.replace(" -static ", " ", 1).replace(" -O ", " -Onone ", 1)
    # Mandatory inlining needs the bodies of `Int` and its like: overflow of literals is found with them.
    if module != "Swift":
        text = text.replace(" -Onone ", " -Onone -experimental-skip-all-function-bodies ", 1)
    text = applied(module, RULES.get(module, []), text)
    return with_short_integers(text) if bits == 32 and module == "Swift" else text


def applied(module, rules, text):
    for purpose, pattern, replacement in rules:
        text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
        if not count:
            raise CheckFailure(f"the interface of {module} no longer has the text of the rule \"{purpose}\" (stdlib.py)")
    return text


def with_short_integers(text):
    lines, inside, bodies = text.split("\n"), False, []
    for number, line in enumerate(lines):
        inside = inside or bool(INTEGER.match(line))
        if inside:
            lines[number] = short(line)
            bodies.append(number)
        inside = inside and line != "}"
    changed = applied("Swift (32 bits)", INSIDE_INTEGER, "\n".join(lines[number] for number in bodies)).split("\n")
    if len(changed) != len(bodies):
        raise CheckFailure("a rule for integers of 32 bits changes the number of lines (stdlib.py)")
    for number, line in zip(bodies, changed):
        lines[number] = line
    text = applied("Swift (32 bits)", AROUND_INTEGER, "\n".join(lines))
    extensions = iter(["zext", "sext"])
    text, count = WORDS.subn(lambda found: f"{found[1]}{next(extensions, '?')}_Int32_Int64{found[2]}", text)
    if count != 2:
        raise CheckFailure(f"the interface of Swift (32 bits) has {count} integers of words where two were expected (stdlib.py)")
    return text


def short(line):
    """The builtins of a line of `Int` in half the width."""
    line = line.replace("Int64_Int128", "\0")
    for wide, narrow in (("Int64", "Int32"), ("Int64", "Int32"), ("Int128", "Int64")):
        line = re.sub(rf"(Builtin\.\w*?){wide}", rf"\g<1>{narrow}", line)
    return line.replace("\0", "Int32_Int64")


def build(workshop):
    for module in MODULES:
        text = interface(workshop.toolchain, module, workshop.platform.bits)
        workshop.compile_interface(module, text, ["-parse-stdlib"] if module == "Swift" else [])
