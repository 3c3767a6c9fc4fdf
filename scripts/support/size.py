"""Prints what the text of linked programs consists of, from the linker's maps. Called by scripts/size."""

import collections
import pathlib
import re
import subprocess
import sys

RECORD = pathlib.Path("Tests/Consumers/Size/size.txt")
TOLERANCE = 1.05
# What scripts/size --write cannot raise, so that 5 % cannot be taken again and again. The aims are 2.0 and 3.2 MB.
MOST = {"SizeCore": 3_800_000, "Size": 7_800_000}
OBJECT = re.compile(r"/(\w+)\.build/(?:.*/)?([^/]+)\.o$")
SIZED = re.compile(r"^0x[0-9a-f]+\s+(0x[0-9a-f]+)\s*(.*)$")


def text_of(program):
    """The first column of size(1)."""
    listing = subprocess.run(["size", program], capture_output=True, text=True, check=True).stdout
    return int(listing.splitlines()[1].split()[0])


def text_sections(program):
    """The sections that are loaded and never written, with their sizes."""
    listing = subprocess.run(["readelf", "-SW", program], capture_output=True, text=True, check=True).stdout
    rows = re.findall(r"^\s*\[\s*\d+\]\s+(\S+)\s+\S+\s+[0-9a-f]+\s+[0-9a-f]+\s+([0-9a-f]+)\s+\S+\s+(\S*)\s", listing, re.MULTILINE)
    return {name: int(size, 16) for name, size, flags in rows if "A" in flags and "W" not in flags}


def input_sections(map_path):
    """(output section, size, object) of each input section in a map of GNU ld or gold."""
    lines = pathlib.Path(map_path).read_text(encoding="utf-8", errors="replace").splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith(("Memory map", "Linker script and memory map")))
    output, name = "", ""
    for line in lines[start + 1:]:
        words = line.split(None, 1)
        if not words:
            continue
        if not line[0].isspace():
            output, name = words[0], ""
            continue
        # A long name has a line of its own, and its size follows in the next.
        if not words[0].startswith("0x"):
            name, rest = words[0], words[1] if len(words) > 1 else ""
        else:
            rest = line.strip()
        sized = SIZED.match(rest)
        if sized and name and not name.startswith("*"):
            yield output, int(sized[1], 16), sized[2]
            name = ""


def room_of(module, file, folders):
    """The folder of a source file below its module's."""
    if module not in folders:
        folders[module] = {path.name: path.relative_to(f"Sources/{module}").parts for path in pathlib.Path(f"Sources/{module}").rglob("*.swift")}
    parts = folders[module].get(file, ())
    return f"{module}/{parts[0]}" if len(parts) > 1 else module


def report(program, total, sections, inputs):
    modules, rooms, files, folders = collections.Counter(), collections.Counter(), collections.Counter(), {}
    rest = collections.Counter(sections)
    for output, size, origin in inputs:
        found = OBJECT.search(origin)
        if output not in sections or not found:
            continue
        module, file = found.groups()
        modules[module] += size
        rooms[room_of(module, file, folders)] += size
        files[f"{module}/{file}"] += size
        rest[output] -= size
    # The linker makes these of all modules together: unwind tables, relocations, strings.
    large = {f"[{name}]": size for name, size in rest.items() if size > total / 200}
    modules.update(large)
    modules["[other sections]"] = total - sum(modules.values())
    print(f"== {program}")
    for title, table, most in (("module", modules, 99), ("room", rooms, 99), ("file", files, 15)):
        print(f"{'bytes':>10}  share  {title}")
        for name, size in table.most_common(most):
            print(f"{size:10}  {size / total:5.1%}  {name}")
        print()
    print(f"{total:10}  text of {program}, {total / 1e6:.2f} MB")


def recorded():
    """The total of each program that is recorded."""
    lines = RECORD.read_text(encoding="utf-8").splitlines()
    return {name: int(total) for name, total in (line.split() for line in lines)}


def main():
    mode, scratch, *programs = sys.argv[1:]
    totals = {}
    for name in programs:
        program = pathlib.Path(scratch, "release", name)
        totals[name] = text_of(program)
        report(name, totals[name], text_sections(program), input_sections(pathlib.Path(scratch, f"{name}.map")))
    if over := [name for name, total in totals.items() if mode != "print" and total > MOST[name]]:
        sys.exit(f"size: {', '.join(over)} above what scripts/support/size.py allows; take something away")
    if mode == "--write":
        RECORD.write_text("".join(f"{name} {total}\n" for name, total in totals.items()), encoding="utf-8")
    if mode == "--check":
        before = recorded()
        for name, total in totals.items():
            print(f"{before[name]:10}  recorded for {name}, {total / before[name] - 1:+.1%}")
        if any(total > before[name] * TOLERANCE for name, total in totals.items()):
            sys.exit("size: a text is more than 5 % above the recorded one; find what brought it, or record it with scripts/size --write")


main()
