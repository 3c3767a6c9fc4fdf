"""Planted faults: small files that an Apple compiler refuses. The check fails when one passes.

The first line of each names the platforms and the words of the diagnostic: `// expected on ios, watchos: ...`.
"""

import pathlib
import re

import dependencies
from products import SETTINGS
from toolchain import CheckFailure

HERE = pathlib.Path(__file__).parent / "faults"
EXPECTATION = re.compile(r"^// expected on ([a-z, ]+): (.+)$")


def missed(workshop):
    """The faults that are not flagged on this platform, one line each."""
    flags = SETTINGS + dependencies.header_flags(workshop.cache, workshop.checkouts, dependencies.EVERYWHERE)
    for path in sorted(HERE.glob("*.swift")):
        first = path.read_text(encoding="utf-8").split("\n", 1)[0]
        expectation = EXPECTATION.match(first)
        if not expectation:
            raise CheckFailure(f"{path} names no expected diagnostic in its first line")
        platforms, words = expectation[1].replace(" ", "").split(","), expectation[2]
        if workshop.platform.name not in platforms:
            continue
        output = workshop.diagnose("Fault", [path], flags, "/dev/null")
        if not any(" error: " in line and words in line for line in output.splitlines()):
            found = "\n".join(line for line in output.splitlines() if " error: " in line) or "it compiles"
            yield f"{path}: the planted fault is not flagged on {workshop.platform.name}: {found}"
