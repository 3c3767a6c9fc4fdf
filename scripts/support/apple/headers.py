"""Apple's libc headers, from a pinned wheel that carries them for cross compilation."""

import hashlib
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

from toolchain import CheckFailure

HERE = pathlib.Path(__file__).parent
WHEEL = "ziglang==0.17.1"
# One wheel for every machine: nothing in it is run.
WHEEL_PLATFORM = "manylinux_2_12_x86_64"
SHA256 = "ea6cc5d87b033cf0aedfbc8f9549a908cae6c50ac31f1698188fa48a74524b54"
FOLDER = "ziglang/lib/libc/include/any-darwin-any/"


def build(toolchain, cache):
    """Makes the folders `sdk` and `resource`, which the compiler takes in place of an SDK and of its own resources."""
    include = cache / "sdk/usr/include"
    if (include / "module.modulemap").exists():
        return
    include.mkdir(parents=True, exist_ok=True)
    unpack(include)
    # Apple's SDK hides this typedef from Swift, where `Duration` is the standard library's.
    types = include / "MacTypes.h"
    text = types.read_text(encoding="utf-8", errors="surrogateescape")
    if " Duration;" not in text:
        raise CheckFailure("MacTypes.h no longer declares Duration (headers.py)")
    types.write_text(text.replace(" Duration;", " MacTypesDuration;"), encoding="utf-8", errors="surrogateescape")
    resource = cache / "resource"
    resource.mkdir(exist_ok=True)
    for name in ("clang", "shims"):
        (resource / name).unlink(missing_ok=True)
        (resource / name).symlink_to((toolchain.root / "lib/swift" / name).resolve())
    # visionOS takes its availability from that of iOS, by the map in here.
    shutil.copy(HERE / "SDKSettings.json", cache / "sdk/SDKSettings.json")
    # No open source carries Apple's own: the system's declares the same functions, and some that are newer.
    shutil.copy("/usr/include/sqlite3.h", include / "sqlite3.h")
    # The last step: its presence says that all of it is there.
    for header in sorted(path for path in (HERE / "headers").rglob("*") if path.is_file()):
        shutil.copy(header, include / header.relative_to(HERE / "headers"))


def unpack(include):
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run([
            sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
            "--only-binary=:all:", "--platform", WHEEL_PLATFORM, "--dest", folder, WHEEL,
        ], capture_output=True, text=True)
        wheels = list(pathlib.Path(folder).glob("*.whl"))
        if result.returncode or len(wheels) != 1:
            raise CheckFailure(f"{WHEEL} cannot be downloaded: {result.stderr.strip()}")
        if hashlib.sha256(wheels[0].read_bytes()).hexdigest() != SHA256:
            raise CheckFailure(f"the wheel of {WHEEL} has another hash than the one pinned in headers.py")
        with zipfile.ZipFile(wheels[0]) as archive:
            names = [name for name in archive.namelist() if name.startswith(FOLDER) and not name.endswith("/")]
            for name in names:
                target = include / name.removeprefix(FOLDER)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(name))
    if not names:
        raise CheckFailure(f"the wheel of {WHEEL} has no headers in {FOLDER}")
