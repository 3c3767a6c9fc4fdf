#!/usr/bin/env python3
"""Validates HTTP Archives against har.schema.json, with the formats of times, addresses and URLs.

    har_check.py ARCHIVE...

Fails when an archive is not valid, and when a damaged copy of one is valid: then nothing would be checked.
"""

import copy
import json
import pathlib
import sys

import jsonschema

FORMATS = jsonschema.Draft7Validator.FORMAT_CHECKER
SCHEMA = json.loads((pathlib.Path(__file__).parent / "har.schema.json").read_text())

# What each damage does to the first entry.
DAMAGES = {
    "a mask in a URL": lambda entry: entry["request"].update(url="https://s.example/?token=‹masked›"),
    "no URL": lambda entry: entry["request"].update(url=""),
    "a path for an address": lambda entry: entry.update(serverIPAddress="/run/socket"),
    "another time": lambda entry: entry.update(startedDateTime="yesterday"),
    "a source that browsers do not know": lambda entry: entry.update(_fromCache="staleCache"),
    "an unknown member": lambda entry: entry.update(outcome="landed"),
    "a missing member": lambda entry: entry["response"].pop("redirectURL"),
    "a part of a byte": lambda entry: entry["response"]["content"].update(size=1.5),
    "a negative time": lambda entry: entry["timings"].update(wait=-1),
}


def faults(archive):
    validator = jsonschema.Draft7Validator(SCHEMA, format_checker=FORMATS)
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in validator.iter_errors(archive)]


def main(paths):
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    missing = {"date-time", "uri", "ipv4", "ipv6"} - set(FORMATS.checkers)
    if missing:
        sys.exit(f"jsonschema does not check the formats {', '.join(sorted(missing))}: install jsonschema[format-nongpl]")
    if not paths:
        sys.exit("there is no archive to check")
    wrong = 0
    for path in paths:
        archive = json.loads(pathlib.Path(path).read_text())
        found = faults(archive)
        for damage, change in DAMAGES.items():
            copied = copy.deepcopy(archive)
            change(copied["log"]["entries"][0])
            if not faults(copied):
                found.append(f"with {damage} it is valid too")
        for fault in found:
            print(f"{path}: {fault}")
        wrong += len(found)
        print(f"{path}: {len(archive['log']['entries'])} entries, {len(DAMAGES)} damages" + (", valid" if not found else ""))
    sys.exit(1 if wrong else 0)


main(sys.argv[1:])
