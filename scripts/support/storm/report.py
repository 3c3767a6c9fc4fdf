"""The report of a storm, and its place in Documentation/Reliability.md."""

import datetime
import os
import pathlib
import platform

import line

PAGE = pathlib.Path(__file__).resolve().parents[3] / "Documentation" / "Reliability.md"
NAMES = {"nio": "AsyncHTTPClient", "urlsession": "URLSession"}


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    memory = next(int(line.split()[1]) >> 20 for line in open("/proc/meminfo") if line.startswith("MemTotal"))
    return f"{os.cpu_count()} cores ({model}), {memory} GiB, {platform.system()} {platform.release()}"


def table(title, results, rows):
    lines = ["| " + " | ".join([title] + [NAMES[each["transport"]] for each in results]) + " |", "|---" * (len(results) + 1) + "|"]
    lines += ["| " + " | ".join([name] + [str(value(each)) for each in results]) + " |" for name, value in rows]
    return "\n".join(lines)


def markdown(options, results):
    wire = "" if options.wire == "plain" else f" --{options.wire}"
    program = f" --program {options.program}" if "release" not in options.program else ""
    mebibytes = lambda count: f"{count / (1 << 20):.1f} MiB"
    kinds = sorted({kind for each in results for kind in each["report"]["outcomes"]})

    def outcome(kind):
        def shown(each):
            outcomes = each["report"]["outcomes"].get(kind, {})
            landed = outcomes.get("landed", 0)
            return f"{landed} landed, {sum(outcomes.values()) - landed} failed"
        return shown

    parts = [
        f"{datetime.date.today():%d %B %Y}, {machine()}.",
        f"```\nscripts/fault-storm --minutes {options.minutes:g}{wire} --seed {options.seed} --rate {options.rate}{program}\n```",
        table("", results, [
            ("violations", lambda each: len(each["violations"])),
            ("calls that ended, each once", lambda each: each["report"]["landings"]),
            ("attempts", lambda each: each["report"]["attempts"]),
            ("effects of POST at the server", lambda each: each["deeds"].get("post", 0)),
            ("outbox entries enqueued, and effects", lambda each: f"{each['claims'].get('box', 0)}, {each['deeds'].get('box', 0)}"),
            ("downloads with the right digest", lambda each: each["claims"].get("download", 0)),
            ("uploads with the right digest", lambda each: each["claims"].get("upload", 0) - each["cut"]),
            *([("uploads that libcurl has cut (`resendHead`)", lambda each: each["cut"])] if any(each["cut"] for each in results) else []),
            ("events in order", lambda each: each["report"]["events"]),
            ("reconnections of event streams", lambda each: each["report"]["reconnects"]),
            ("stored answers that were confirmed", lambda each: each["report"]["validated"]),
            ("refreshes, log-outs", lambda each: f"{each['report']['refreshes']}, {each['report']['logOuts']}"),
            ("memory, median of the second quarter", lambda each: mebibytes(each["early"])),
            ("memory, median of the last quarter", lambda each: mebibytes(each["late"])),
            ("growth, bytes a call (95 %)", lambda each: line.shown(each["growth"])),
            ("memory, peak", lambda each: mebibytes(each["peak"])),
            ("descriptors before, peak, left", lambda each: ", ".join(
                str(count) for count in (each["report"]["descriptorsBefore"], each["descriptors"], len(each["report"]["descriptorsLeft"])))),
            ("seconds of the shutdown", lambda each: round(each["report"].get("shutdownSeconds", 0), 1)),
            ("threads, peak", lambda each: each["threads"]),
        ]),
        table("calls", results, [(kind, outcome(kind)) for kind in kinds]),
        table("faults", results, [
            ("of the wire", lambda each: f"{sum(each['wire'].values())} in {round(each['broken'])} s"),
            ("of the server", lambda each: sum(each["faults"].values())),
            *([] if options.wire == "plain" else [("changes of the authority", lambda each: each["rotations"])]),
        ]),
    ]
    return "\n\n".join(parts)


def write(wire, text):
    """Replaces the report of a wire in the page."""
    begin, end = f"<!-- storm {wire}: begin -->", f"<!-- storm {wire}: end -->"
    head, _, rest = PAGE.read_text().partition(begin)
    _, _, tail = rest.partition(end)
    PAGE.write_text(f"{head}{begin}\n{text}\n{end}{tail}")
