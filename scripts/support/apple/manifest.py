"""Apple's required-reason API: what the libraries use, and what the privacy manifest says."""

import pathlib
import plistlib
import re

MANIFEST = "Sources/TarmacCore/PrivacyInfo.xcprivacy"
# The executables are tools for macOS and are in no app.
TOOLS = {"TarmacCLI", "TarmacBench", "CZlib"}
PREFIX = "NSPrivacyAccessedAPICategory"
# Apple's list, as names in Swift. A name counts with a parenthesis, a dot or a key path before or after it as written here.
CATEGORIES = {
    "FileTimestamp": r"(?<![.\w])(?:f|l)?stat(?:at)?(?:x_np|64)?\(|\b(?:f?getattrlist(?:at|bulk)?)\(|"
    r"\.(?:creationDate|modificationDate)\b|\b(?:contentModificationDate|creationDate|contentAccessDate|addedToDirectoryDate)(?:Key)?\b|"
    r"\bfileModificationDate\b",
    "SystemBootTime": r"\bsystemUptime\b|\bmach_absolute_time\b|\bmach_continuous_time\b|\bclock_gettime_nsec_np\b|\bKERN_BOOTTIME\b",
    "DiskSpace": r"(?<![.\w])f?statv?fs\(|\bvolume(?:Available|Total)Capacity\w*|\bsystem(?:FreeSize|Size)\b",
    "ActiveKeyboards": r"\bactiveInputModes\b",
    "UserDefaults": r"\b(?:NS)?UserDefaults\b|@AppStorage\b",
}


def complaints(repository):
    used = uses(repository)
    path = repository / MANIFEST
    if not path.exists():
        yield f"{MANIFEST}: there is no privacy manifest"
        return
    manifest = plistlib.loads(path.read_bytes())
    entries = {}
    for entry in manifest.get("NSPrivacyAccessedAPITypes", []):
        entries[entry["NSPrivacyAccessedAPIType"].removeprefix(PREFIX)] = entry.get("NSPrivacyAccessedAPITypeReasons", [])
    for category, places in used.items():
        if not entries.get(category):
            yield f"{places[0]}: error: a symbol of {PREFIX}{category} has no entry with a reason in {MANIFEST}"
    for category in entries:
        if category not in used:
            yield f"{MANIFEST}: the entry {PREFIX}{category} has no use in Sources"
    if manifest.get("NSPrivacyTracking") is not False or manifest.get("NSPrivacyCollectedDataTypes") != []:
        yield f"{MANIFEST}: it must say that nothing is tracked or collected"


def uses(repository):
    """Where each category is used: `path:line`."""
    found = {}
    for path in sorted((repository / "Sources").rglob("*.swift")):
        name = path.relative_to(repository)
        if name.parts[1] in TOOLS or "Linux" in name.parts:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            code = re.split(r"(?<!:)//", line, maxsplit=1)[0]
            for category, pattern in CATEGORIES.items():
                if re.search(pattern, code):
                    found.setdefault(category, []).append(f"{name}:{number}")
    return found
