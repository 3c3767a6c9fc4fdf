"""The files of the sources whose casts need Objective-C, and the stand-ins that are compiled in their place."""

import pathlib
import re

HERE = pathlib.Path(__file__).parent
SEAMS = {
    "Sources/TarmacHTTP/Support/Darwin/Bridging.swift": HERE / "seams/TarmacHTTP/Bridging.swift",
    "Sources/TarmacURLSession/Darwin/Bridging.swift": HERE / "seams/TarmacURLSession/Bridging.swift",
}
DECLARATION = re.compile(r"^\s*((?:\w+ )*(?:func|init|var|let|extension|struct|class|enum)\b[^{=\n]*)", re.MULTILINE)


def declarations(path):
    return sorted(found[1].strip() for found in DECLARATION.finditer(path.read_text(encoding="utf-8")))


def disagreements(repository):
    """What a seam declares and its stand-in does not, or the other way round: one line each."""
    for name, stand_in in SEAMS.items():
        ours, theirs = declarations(repository / name), declarations(stand_in)
        for line in sorted(set(ours) ^ set(theirs)):
            where, lacking = (name, stand_in.relative_to(repository)) if line in ours else (stand_in.relative_to(repository), name)
            yield f"{where}: \"{line}\" is not declared in {lacking}"


def with_stand_ins(repository, sources):
    """The files with each seam replaced."""
    seams = {repository / name: stand_in for name, stand_in in SEAMS.items()}
    return [seams.get(source, source) for source in sources]
