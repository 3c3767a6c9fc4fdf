"""Everything that Apple's SDK would give, made once for each architecture."""

import pathlib

import foundation
import stdlib

HERE = pathlib.Path(__file__).parent
BEFORE_FOUNDATION = ["Darwin", "ObjectiveC", "Dispatch", "CoreFoundation", "Security", "CFNetwork"]
# What a dependency that can import it would want more of than the shim declares.
AFTER_DEPENDENCIES = ["Network", "UIKit"]


def build(workshop):
    """The modules of Foundation and the frameworks, on top of the standard library's."""
    if not (workshop.base.modules / "complete").exists():
        stdlib.build(workshop.base)
        (workshop.base.modules / "complete").touch()
    if (workshop.modules / "complete").exists():
        return
    for module in BEFORE_FOUNDATION:
        shim(workshop, module)
    workshop.compile_interface("Foundation", foundation.interface(workshop.toolchain))
    for path in sorted((HERE / "shims").glob("*.swift")):
        if path.stem not in BEFORE_FOUNDATION + AFTER_DEPENDENCIES and not workshop.has(path.stem):
            shim(workshop, path.stem)
    (workshop.modules / "complete").touch()


def build_after_dependencies(workshop):
    for module in AFTER_DEPENDENCIES:
        if not workshop.has(module):
            shim(workshop, module)


def build_for_app(workshop):
    """What views name. A dependency that could import Combine would want all of it."""
    for module in ("Combine", "SwiftUI"):
        shim(workshop, f"App/{module}")


def shim(workshop, name):
    module = name.rpartition("/")[2]
    workshop.compile_module(module, [HERE / f"shims/{name}.swift"], ["-swift-version", "5"], label="the shim of")
